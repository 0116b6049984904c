// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/messages.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// Many boards over the threads of all ranks, each board solved by one thread. The master hands
/// them out in their order, a handful a thread at a time, as results come in; its own threads take
/// part.
[[nodiscard]] std::vector<WorkerTimes> farm_boards(const Session& session,
                                                   const std::vector<int>& threads_by_rank,
                                                   std::vector<BoardJob> jobs,
                                                   const BatchOptions& options,
                                                   const Limits& limits, const BoardDone& done);

/// The other ranks' side.
void solve_farmed_boards(const Session& session, int threads, const BatchStart& start);

/// What the ranks must know of them.
[[nodiscard]] BatchStart batch_start(const BatchOptions& options, const Limits& limits);

}  // namespace tessera
