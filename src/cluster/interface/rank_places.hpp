// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cluster/job/session.hpp"
#include "solver/workers.hpp"

namespace tessera {

/// By rank, with `threads` search threads each (0: a fair share of the CPUs).
[[nodiscard]] std::vector<RankPlace> rank_places(const Session& session, int threads);

/// The search threads of each rank.
[[nodiscard]] std::vector<int> threads_of(const std::vector<RankPlace>& places);

}  // namespace tessera
