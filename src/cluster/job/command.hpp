// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/messages/collectives.hpp"

namespace tessera {

/// The master's commands to all ranks. The first four are received in `run_worker`, the others
/// between `search` and its end.
enum class Command : int {
  dismiss,     ///< no work is left
  search,      ///< serve a ClusterExecutor; threads by rank, log folder, allowance
  census,      ///< a complete search; CensusTask, threads by rank
  team,        ///< the first ranks form their own session; their number
  prepare,     ///< build tables; Problem
  setup,       ///< a new board; Problem
  clocks,      ///< compare clocks
  execute,     ///< search subtrees; Task, number of subtrees
  best_first,  ///< search with distributed boards; Problem, BestFirstOptions
  beam,        ///< beam search with distributed boards; Problem, BeamOptions
  batch,       ///< solve boards, each on one thread; BatchStart
  end,         ///< ends the ClusterExecutor
};

/// The master's side: one broadcast, which does not wait for the other ranks.
template <class... Payload>
void send_command(const Session& session, Command command, const Payload&... payload) {
  JobState& state = session.state();
  const std::uint64_t number = state.command() + 1;
  broadcast(session, packed(session.world(), command, number, payload...));
  state.begin_command(number);
}

/// The last command of a ClusterExecutor, `end`, or of all, `dismiss`; from destructors. If the job
/// has failed, nothing waits for it.
void end_workers(const Session& session, Command command);

/// The other ranks' side: waits for the next command, for any length of time.
class ReceivedCommand {
 public:
  explicit ReceivedCommand(const Session& session, const Waiting& waiting = {})
      : bytes_(broadcast(session, {}, master_rank, waiting)), archive_(session.world(), bytes_) {
    std::uint64_t number = 0;
    archive_ >> command_ >> number;
    session.state().begin_command(number);
  }

  [[nodiscard]] Command command() const { return command_; }
  /// Returns the payload's parts, one after another.
  template <class Part>
  [[nodiscard]] Part take() {
    Part part{};
    archive_ >> part;
    return part;
  }

 private:
  Bytes bytes_;
  boost::mpi::packed_iarchive archive_;
  Command command_{};
};

}  // namespace tessera
