// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/serialization.hpp"
#include "tessera/census/census.hpp"

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, tessera::CensusTask& task, unsigned) {
  archive& task.size& task.goal_blank& task.metric& task.threads;
  archive& task.picks& task.checkpoint& task.checkpoint_seconds& task.resume;
  archive& task.disk& task.memory_bytes;
  serialize_optional(archive, task.last_depth);
  serialize_optional(archive, task.pick_seed);
}

}  // namespace boost::serialization
