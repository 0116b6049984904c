// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/process/run.hpp"
#include "cli/process/signals.hpp"
#if TESSERA_WITH_MPI
#include <boost/algorithm/string/case_conv.hpp>

#include "base/machine.hpp"
#include "cluster/interface/rank_places.hpp"
#include "cluster/job/session.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "report/progress.hpp"
#endif

namespace tessera {
namespace {

std::atomic<bool> interrupted{false};

#if TESSERA_WITH_MPI
class ClusterContext final : public Context {
 public:
  explicit ClusterContext(Session& session)
      : Context(tessera::interrupted), session_(session), others_(session) {}

  [[nodiscard]] int ranks() const override { return session_.size(); }
  [[nodiscard]] std::vector<RankPlace> places(int threads) const override {
    return rank_places(session_, threads);
  }
  [[nodiscard]] Backend* cluster(const std::vector<RankPlace>& places,
                                 const std::string& log_folder) override {
    executor_ = std::make_unique<ClusterExecutor>(session_, threads_of(places), log_folder);
    return executor_.get();
  }
  [[nodiscard]] Backend* team(int ranks, int threads) override {
    end_team();
    team_ = std::make_unique<Team>(session_, ranks, threads);
    return &team_->executor();
  }
  void end_team() override { team_.reset(); }
  [[nodiscard]] CensusResult census(const CensusTask& task, const std::vector<RankPlace>& places,
                                    CensusObserver& observer) override {
    return run_cluster_census(session_, task, threads_of(places), observer, interrupted);
  }

 private:
  Session& session_;
  WaitingRanks others_;
  std::unique_ptr<ClusterExecutor> executor_;
  std::unique_ptr<Team> team_;
};

int command(Session& session, const std::vector<std::string>& arguments) {
  ClusterContext context(session);
  session.state().listen(interrupted);
  return run_command(arguments, context);
}

int work(Session& session) {
  note_signals(interrupted);
  session.state().listen(interrupted);
  try {
    run_worker(session);
  } catch (const JobFailed&) {
    // Already recorded.
  } catch (...) {
    session.state().fail(current_failure());
  }
  return exit_answered;
}

// If ranks failed during a collective operation, the failure of the lowest one is the job's: rank 0
// reports it and exits with its code once all ranks have come here. If they do not come in time,
// the failed rank does so itself.
int end(Session& session, int code) {
  using namespace std::chrono_literals;
  const auto failed = session.state().close();
  constexpr unsigned mpi_seconds = 1;  // for MPI to finalize with operations pending; it may hang
  if (!failed) {
    if (session.state().has_retained()) exit_after(mpi_seconds, code);
    return code;
  }
  const int code_of_failure = exit_code(failed->failure.kind);
  const bool first = session.rank() == 0;
  if (failed->all_closed ? first : failed->rank == session.rank()) {
    (void)report_failure(failed->failure);
  }
  if (failed->all_closed) {
    exit_after(mpi_seconds, first ? code_of_failure : exit_answered);
    return first ? code_of_failure : exit_answered;
  }
  if (failed->rank != session.rank()) std::this_thread::sleep_for(2s);  // the job ends meanwhile
  session.abort(code_of_failure);
}

// Names ranks that the job waits for; none: all answer again.
void report_silence(const Session& session, const std::vector<int>& ranks) {
  std::string who;
  for (const int rank : ranks) {
    who += (who.empty() ? "rank " : ", rank ") + std::to_string(rank);
    // Not known yet while the job starts.
    if (!session.ranks().empty()) {
      who += " on " + session.ranks()[static_cast<std::size_t>(rank)].host;
    }
  }
  ProgressLine::write_above(ranks.empty() ? "note: all ranks answer again"
                                          : "warning: no answer for half a minute from " + who +
                                                "; the job waits");
}

// Whether a command may use other ranks, or MPI by name. Ranks must agree, so this looks only at
// arguments, which are the same on all: variables and configuration files may differ among hosts.
bool needs_ranks(const std::vector<std::string>& arguments, int ranks) {
  const auto is = [&](std::initializer_list<std::string_view> commands) {
    return !arguments.empty() && std::ranges::count(commands, arguments[0]) > 0;
  };
  // Options may precede the word `build`.
  const bool shared =
      is({"solve", "compare", "estimate", "census", "info", "analyse", "optimize"}) ||
      (is({"pdb"}) && std::ranges::count(arguments, "build") > 0);
  if (!shared) return false;
  std::string backend;
  bool configured = !environment("TESSERA_BACKEND").empty();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--help" || argument == "-h" || argument == "--help-all") return false;
    if (argument == "--backend" && i + 1 < arguments.size()) backend = arguments[i + 1];
    if (argument.starts_with("--backend=")) backend = argument.substr(argument.find('=') + 1);
    configured = configured || argument.starts_with("--config");
  }
  boost::to_lower(backend);
  if (backend == "serial" || backend == "threads") return false;
  return ranks != 1 || backend == "mpi" || configured;
}

// One line for a job that cannot be started, by rank 0.
int refuse(int rank, const std::string& message) {
  if (rank != 0) return exit_answered;
  return report_failure({ErrorKind::input, message});
}

// Under mpirun or srun: rank 0 runs the command, the others work for it.
int cluster_main(int argc, char** argv, const std::vector<std::string>& arguments) {
  remember_user_signals();
  const Launched launched = *Session::launched();
  if (!needs_ranks(arguments, launched.ranks)) {
    // Rank 0 runs the command, the others have nothing to do.
    if (launched.rank != 0) return exit_answered;
    Context context(interrupted);
    return run_command(arguments, context);
  }
  if (!Session::is_first_program()) {
    return refuse(launched.rank,
                  "MPI cannot be started twice within one mpirun or srun; start each tessera with "
                  "an mpirun of its own, or use --backend threads");
  }
  Session session(argc, argv, [&](const auto& ranks) { report_silence(session, ranks); });
  if (session.state().failed()) return end(session, exit_internal);
  if (session.size() == 1 && launched.ranks > 1) {
    const std::string ranks = std::to_string(launched.ranks);
    return refuse(launched.rank, "the launcher started " + ranks +
                                     " processes that do not find one another: it belongs to "
                                     "another MPI; use the mpirun of " +
                                     Session::library_version());
  }
  const std::vector<RankInfo>& ranks = session.ranks();
  const auto other = std::ranges::find_if(
      ranks, [&](const RankInfo& rank) { return rank.arguments != ranks[0].arguments; });
  if (other != ranks.end()) {
    return refuse(launched.rank, "rank " + std::to_string(other - ranks.begin()) +
                                     " was started with other arguments than rank 0: one job runs "
                                     "one command, with the same arguments on all ranks");
  }
  return end(session, session.rank() == 0 ? command(session, arguments) : work(session));
}
#endif

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  tessera::settle_streams();
  tessera::explain_truncated_files();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
#if TESSERA_WITH_MPI
  if (tessera::Session::launched().has_value()) return tessera::cluster_main(argc, argv, arguments);
#endif
  tessera::Context context(tessera::interrupted);
  return tessera::run_command(arguments, context);
}
