// SPDX-License-Identifier: MIT
#include <optional>

#include "base/memory_limit.hpp"
#include "cluster/job/command.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/messages.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "cluster/search/common_work.hpp"
#include "search/record/work_log.hpp"

namespace tessera {
namespace {

// Ranks outside a team must not disturb the timing of the ranks in it.
constexpr std::chrono::milliseconds rest_between_teams{20};

// The other ranks' side of a ClusterExecutor.
class SearchWorker {
 public:
  SearchWorker(Session& session, ReceivedCommand& call)
      : session_(session),
        threads_(call.take<std::vector<int>>().at(static_cast<std::size_t>(session.rank()))),
        log_folder_(call.take<std::string>()),
        memory_({.bytes = call.take<std::uint64_t>(), .processes = call.take<int>()}),
        pool_(threads_) {
    if (log_folder_.empty()) return;
    (void)agree(session_, "logs", [&] {
      log_.emplace(log_folder_, session_.rank());
      log_->threads(threads_);
      return true;
    });
  }

  void serve() {
    while (true) {
      ReceivedCommand received(session_);
      if (received.command() == Command::end) return;
      try {
        carry_out(received);
      } catch (const CommonError&) {
        // The master threw the same error, and decides what comes next.
      }
    }
  }

 private:
  void carry_out(ReceivedCommand& received) {
    switch (received.command()) {
      case Command::prepare:
        return (void)make_tables(session_, received_problem(received), threads_, {});
      case Command::setup:
        pool_.set_problem(received_problem(received));
        if (log_) log_->board_started();
        return;
      case Command::clocks:
        return (void)clock_offsets(session_);
      case Command::execute:
        return take_part(session_, "search", [&] { execute(received); });
      case Command::best_first:
        return take_part(session_, "best-first", [&] {
          const Problem problem = received_problem(received);
          const auto options = received.take<BestFirstOptions>();
          Observer nobody;
          (void)hash_distributed(session_, problem, options, {}, nobody);
        });
      case Command::beam:
        return take_part(session_, "beam", [&] {
          const Problem problem = received_problem(received);
          Observer nobody;
          (void)cluster_beam(session_, problem, received.take<BeamOptions>(), threads_, {}, nobody);
        });
      case Command::batch:
        return take_part(session_, "boards", [&] {
          solve_farmed_boards(session_, threads_, received.take<BatchStart>());
        });
      default:
        internal_failure("a command that no search knows");
    }
  }

  [[nodiscard]] Problem received_problem(ReceivedCommand& received) const {
    auto problem = received.take<Problem>();
    problem.rank = session_.rank();
    return problem;
  }

  void execute(ReceivedCommand& received) {
    const auto task = received.take<Task>();
    const auto items = received.take<std::uint64_t>();
    const RankResult result = execute_on_rank(session_, pool_, task, items, {}, nullptr);
    if (log_) log_->worked(task.bound, result.found.figures);
  }

  Session& session_;
  int threads_;
  std::string log_folder_;
  LimitedMemory memory_;
  SubtreePool pool_;
  std::optional<WorkLog> log_;
};

}  // namespace

void run_worker(Session& session) {
  Waiting waiting;
  while (true) {
    ReceivedCommand received(session, waiting);
    switch (received.command()) {
      case Command::dismiss:
        return;
      case Command::census:
        serve_census(session, received);
        break;
      case Command::search:
        try {
          SearchWorker(session, received).serve();
        } catch (const CommonError&) {
          // As in serve().
        }
        break;
      case Command::team: {
        const int ranks = received.take<int>();
        Session part = part_of(session, ranks);
        if (session.rank() < ranks) run_worker(part);
        waiting.longest = rest_between_teams;
        break;
      }
      default:
        internal_failure("a command that no waiting rank knows");
    }
  }
}

void end_workers(const Session& session, Command command) {
  if (session.state().failed()) return;
  try {
    send_command(session, command);
  } catch (const JobFailed&) {
    // The other ranks have left; the end of the job reports why.
  }
}

WaitingRanks::~WaitingRanks() {
  end_workers(session_, Command::dismiss);
}

}  // namespace tessera
