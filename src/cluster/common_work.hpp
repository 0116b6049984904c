// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/command.hpp"
#include "cluster/messages.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/search/beam.hpp"
#include "tessera/search/best_first.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Opens a problem's tables on every rank's behalf; those that are missing are made first, shared
/// out among all ranks. Collective. False where `progress`, or another rank's, ended it: what was
/// finished until then stays.
[[nodiscard]] bool make_tables(const Session& session, const Problem& problem, int threads,
                               const TableProgress& progress);

/// By how many nanoseconds each rank's steady clock is ahead of rank 0's; collective, the answer is
/// rank 0's only. Ranks of one host share a clock; of every other host one rank is asked some
/// times, and the answer that came back soonest counts: it is wrong by half its round trip at most.
[[nodiscard]] std::vector<std::int64_t> clock_offsets(const Session& session);

/// A beam search whose boards are owned by hash (search/beam_run.hpp): every rank of the session
/// calls it alike, with its own number of threads. `limits` and `observer` are rank 0's.
[[nodiscard]] BeamResult cluster_beam(const Session& session, const Problem& problem,
                                      const BeamOptions& options, int threads, const Limits& limits,
                                      Observer& observer);

/// A* over ranks (HDA*: Kishimoto, Fukunaga, Botea 2009; Evett and others 1995), and greedy
/// best-first in the same way: every board has an owner, by its hash, which keeps its table entry
/// and expands it; what a rank generates it sends to the owners, in batches, without waiting.
///
/// A rank goes on while a node of f below the best known solution is open. TerminationDetection
/// finds the end: a node that was sent, and a rank's time of having work, are created by one and
/// completed by another event.
///
/// Collective. `limits` and `observer` are rank 0's, and only its result says more than that all is
/// over. Metric single.
[[nodiscard]] SearchResult hash_distributed(const Session& session, const Problem& problem,
                                            const BestFirstOptions& options, const Limits& limits,
                                            Observer& observer);

/// Many boards over the threads of all ranks, which it calls; each board is solved by one thread.
/// The master hands them out in their order, a few per thread at a time, as results come in; its
/// own threads take part.
[[nodiscard]] std::vector<WorkerTimes> farm_boards(const Session& session,
                                                   const std::vector<int>& threads_by_rank,
                                                   std::vector<BoardJob> jobs,
                                                   const BatchOptions& options,
                                                   const Limits& limits, const BoardDone& done);

/// One for each search thread of each rank, all zero.
[[nodiscard]] std::vector<WorkerTimes> times_of_workers(const std::vector<int>& threads_by_rank);

/// The other ranks' side of `farm_boards`.
void solve_farmed_boards(const Session& session, int threads, const BatchStart& start);

/// The other ranks' side of run_cluster_census.
void serve_census(Session& session, ReceivedCommand& received);

}  // namespace tessera
