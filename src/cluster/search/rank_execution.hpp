// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/job/session.hpp"
#include "cluster/messages/messages.hpp"
#include "search/limits.hpp"
#include "threads/subtree_pool.hpp"

namespace tessera {

/// One rank's part of an execution of `items` subtrees, the same number on every rank: its threads
/// search, and its main thread drives a RankProtocol with MPI messages until a round of sums shows
/// on all ranks that the execution is over.
///
///   scatter_subtrees  ->  search_subtrees: request -> work | finished -> master | rounds
///                     ->  gather_results: settle -> all-reduce -> gather
///
/// `by_rank`, the subtrees that each rank starts with, and `monitor`, which may stop the search,
/// are used on the master only. Collective. On the master, returns the result of all ranks with the
/// limit that ended the search; on every rank, `found.figures` are its own.
[[nodiscard]] RankResult execute_on_rank(const Session& session, SubtreePool& pool,
                                         const Task& task, std::uint64_t items,
                                         const std::vector<std::vector<PooledItem>>& by_rank,
                                         Monitor* monitor);

}  // namespace tessera
