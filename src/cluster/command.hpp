// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/collectives.hpp"

namespace tessera {

/// What the master has all ranks do next. The first four come to a rank in `run_worker`, the others
/// between `search` and its end.
enum class Command : int {
  dismiss,     ///< nothing is left to do
  search,      ///< serve a ClusterExecutor; threads by rank, folder for logs
  census,      ///< a complete search; CensusTask, threads by rank
  team,        ///< the first ranks become a session of their own; how many
  prepare,     ///< make tables; Problem
  setup,       ///< a new board; Problem
  clocks,      ///< compare clocks
  execute,     ///< search subtrees; Task, how many subtrees
  best_first,  ///< search with the boards shared out; Problem, BestFirstOptions
  beam,        ///< beam search with the boards shared out; Problem, BeamOptions
  batch,       ///< solve boards, each on one thread; BatchStart
  end,         ///< of the ClusterExecutor
};

/// The master's side: one broadcast, which does not wait for the others.
template <class... Payload>
void send_command(const Session& session, Command command, const Payload&... payload) {
  JobState& state = session.state();
  const std::uint64_t number = state.command() + 1;
  broadcast(session, packed(session, static_cast<int>(command), number, payload...));
  state.begin_command(number);
}

/// The last command, `end` or `dismiss`; from destructors. Where the job has failed nobody waits
/// for it.
void end_workers(const Session& session, Command command);

/// The other ranks' side: waits for the next command, however long.
class ReceivedCommand {
 public:
  explicit ReceivedCommand(const Session& session, const Waiting& waiting = {})
      : bytes_(broadcast(session, {}, master_rank, waiting)), archive_(session.world(), bytes_) {
    std::uint64_t number = 0;
    int command = 0;
    archive_ >> command >> number;
    command_ = static_cast<Command>(command);
    session.state().begin_command(number);
  }

  [[nodiscard]] Command command() const { return command_; }
  /// The payload's parts, one after another.
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
