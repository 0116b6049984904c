// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tessera/census/census.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// The master's side of a complete search over all ranks; every other rank is in `run_worker`.
/// `threads_by_rank`: of each rank. Throws as run_census does, on the master alone where all ranks
/// failed together.
[[nodiscard]] CensusResult run_cluster_census(Session& session, CensusTask task,
                                              const std::vector<int>& threads_by_rank,
                                              CensusObserver& observer,
                                              const std::atomic<bool>& stop);

}  // namespace tessera
