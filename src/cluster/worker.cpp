// SPDX-License-Identifier: MIT
#include <optional>

#include "cluster/board_farm.hpp"
#include "cluster/clock_offsets.hpp"
#include "cluster/cluster_beam.hpp"
#include "cluster/command.hpp"
#include "cluster/hash_distributed.hpp"
#include "cluster/messages.hpp"
#include "cluster/rank_execution.hpp"
#include "cluster/serve_census.hpp"
#include "cluster/shared_tables.hpp"
#include "cluster/step.hpp"
#include "tessera/cluster/cluster_executor.hpp"
#include "tessera/search/work_log.hpp"

namespace tessera {
namespace {

// Between teams the ranks that are not in one shall not be felt: others are being timed.
constexpr std::chrono::milliseconds rest_between_teams{20};

// The other ranks' side of a ClusterExecutor.
class SearchWorker {
 public:
  SearchWorker(Session& session, TakenCommand& call)
      : session_(session), threads_(own_threads(call)), pool_(threads_) {
    const auto log_folder = call.take<std::string>();
    if (log_folder.empty()) return;
    log_.emplace(log_folder, session.rank());
    log_->threads(threads_);
  }

  void serve() {
    while (true) {
      TakenCommand taken(session_);
      if (taken.command() == Command::end) return;
      try {
        obey(taken);
      } catch (const CommonError&) {
        // The master has thrown it too, and decides what comes next.
      }
    }
  }

 private:
  [[nodiscard]] int own_threads(TakenCommand& call) const {
    return call.take<std::vector<int>>().at(static_cast<std::size_t>(session_.rank()));
  }

  void obey(TakenCommand& taken) {
    switch (taken.command()) {
      case Command::prepare:
        (void)make_tables(session_, taken_problem(taken), threads_, {});
        return;
      case Command::setup:
        pool_.set_problem(taken_problem(taken));
        if (log_) log_->board_started();
        return;
      case Command::clocks:
        (void)clock_offsets(session_);
        return;
      case Command::execute:
        take_part(session_, "search", [&] { execute(taken); });
        return;
      case Command::best_first:
        take_part(session_, "best-first", [&] {
          const Problem problem = taken_problem(taken);
          const auto options = taken.take<BestFirstOptions>();
          (void)hash_distributed(session_, problem, options, nullptr, nullptr);
        });
        return;
      case Command::beam:
        take_part(session_, "beam", [&] {
          const Problem problem = taken_problem(taken);
          Observer nobody;
          (void)cluster_beam(session_, problem, taken.take<BeamOptions>(), threads_, {}, nobody);
        });
        return;
      case Command::batch:
        take_part(session_, "boards",
                  [&] { solve_farmed_boards(session_, threads_, taken.take<BatchStart>()); });
        return;
      default:
        throw Error(ErrorKind::internal, "a command that no search knows");
    }
  }

  [[nodiscard]] Problem taken_problem(TakenCommand& taken) const {
    auto problem = taken.take<Problem>();
    problem.rank = session_.rank();
    return problem;
  }

  void execute(TakenCommand& taken) {
    const auto task = taken.take<Task>();
    RankExecution execution(session_, pool_, task, taken.take<std::uint64_t>());
    execution.scatter_subtrees({});
    execution.search(nullptr);
    (void)execution.gather_results(nullptr);
    if (log_) log_->worked(task.bound, execution.figures());
  }

  Session& session_;
  int threads_;
  SubtreePool pool_;
  std::optional<WorkLog> log_;
};

}  // namespace

bool run_worker(Session& session) {
  Waiting waiting;
  while (true) {
    TakenCommand taken(session, waiting);
    switch (taken.command()) {
      case Command::dismiss:
        return false;
      case Command::census:
        serve_census(session, taken);
        return true;
      case Command::search:
        SearchWorker(session, taken).serve();
        return true;
      case Command::team: {
        const int ranks = taken.take<int>();
        meet(session);
        Session part(session, ranks);
        if (session.rank() < ranks) (void)run_worker(part);
        waiting.longest = rest_between_teams;
        break;
      }
      default:
        throw Error(ErrorKind::internal, "a command that no waiting rank knows");
    }
  }
}

void send_home(const Session& session, Command command) {
  if (session.state().failed()) return;
  try {
    give_command(session, command);
  } catch (const JobFailed&) {
    // They have left; the end of the job reports why.
  }
}

void dismiss_workers(Session& session) {
  send_home(session, Command::dismiss);
}

}  // namespace tessera
