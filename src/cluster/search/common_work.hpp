// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/job/command.hpp"
#include "cluster/job/session.hpp"
#include "cluster/messages/messages.hpp"
#include "search/beam/beam.hpp"
#include "search/best_first/best_first.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Opens a problem's tables for all ranks; first builds missing ones, divided among all ranks.
/// Collective. False if `progress` stopped it on any rank; the tables finished so far are kept.
[[nodiscard]] bool make_tables(const Session& session, const Problem& problem, int threads,
                               const TableProgress& progress);

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
                                         std::vector<std::vector<PooledItem>> by_rank,
                                         Monitor* monitor);

/// By how many nanoseconds each rank's steady clock is ahead of rank 0's; collective, the result is
/// on rank 0 only. Ranks of one host share a clock; one rank of every other host is queried several
/// times, and the fastest reply is used: its error is at most half its round-trip time.
[[nodiscard]] std::vector<std::int64_t> clock_offsets(const Session& session);

/// A beam search whose boards are owned by hash (search/beam/beam_run.hpp). Collective; `threads`
/// may differ between ranks. Only rank 0's `limits` and `observer` are used.
[[nodiscard]] BeamResult cluster_beam(const Session& session, const Problem& problem,
                                      const BeamOptions& options, int threads, const Limits& limits,
                                      Observer& observer);

/// A* over ranks (HDA*: Kishimoto, Fukunaga, Botea 2009; Evett and others 1995), and greedy
/// best-first in the same way: a board's hash selects its owner, which stores its table entry and
/// expands it; a rank sends generated nodes to their owners, in batches, without waiting.
///
/// A rank continues while it has an open node with f below the best known solution.
/// TerminationDetection detects the end: each node sent, and each busy period of a rank, is created
/// by one event and completed by another.
///
/// Collective. Only rank 0's `limits` and `observer` are used, and only rank 0's result is
/// meaningful. Metric single.
[[nodiscard]] SearchResult hash_distributed(const Session& session, const Problem& problem,
                                            const BestFirstOptions& options, const Limits& limits,
                                            Observer& observer);

/// Solves many boards with the threads of all ranks, after notifying them; one thread solves each
/// board. The master hands them out in order, a few per thread at a time, as results arrive; its
/// own threads take part.
[[nodiscard]] std::vector<WorkerTimes> farm_boards(const Session& session,
                                                   const std::vector<int>& threads_by_rank,
                                                   std::vector<BoardJob> jobs,
                                                   const BatchOptions& options,
                                                   const Limits& limits, const BoardDone& done);

/// The other ranks' side of `farm_boards`.
void solve_farmed_boards(const Session& session, int threads, const BatchStart& start);

/// The other ranks' side of run_cluster_census.
void serve_census(Session& session, ReceivedCommand& received);

}  // namespace tessera
