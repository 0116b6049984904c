// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/run.hpp"
#include "cli/signals.hpp"
#if TESSERA_WITH_MPI
#include "tessera/cluster/cluster_executor.hpp"
#include "tessera/cluster/session.hpp"
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
    std::map<std::string, std::set<int>> host_cpus;
    for (const RankInfo& info : session_.ranks()) {
      host_cpus[info.host].insert(info.cpus.begin(), info.cpus.end());
    }
    std::vector<RankPlace> places;
    for (int rank = 0; rank < session_.size(); ++rank) {
      const RankInfo& info = session_.ranks()[static_cast<std::size_t>(rank)];
      places.push_back({.host = info.host,
                        .cpus = static_cast<int>(info.cpus.size()),
                        .threads = threads > 0 ? threads : session_.fair_threads(rank),
                        .host_cpus = static_cast<int>(host_cpus[info.host].size())});
    }
    return places;
  }
  [[nodiscard]] Backend* cluster(const std::vector<RankPlace>& places,
                                 const std::string& log_folder) override {
    std::vector<int> threads;
    for (const RankPlace& place : places) threads.push_back(place.threads);
    executor_ = std::make_unique<ClusterExecutor>(session_, std::move(threads), log_folder);
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
    std::vector<int> threads;
    for (const RankPlace& place : places) threads.push_back(place.threads);
    return run_cluster_census(session_, task, threads, observer, interrupted);
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
  if (failed->all_met ? first : failed->rank == session.rank()) {
    const std::string where =
        failed->rank == 0 ? "" : "rank " + std::to_string(failed->rank) + ": ";
    (void)report_failure({failed->failure.kind, where + failed->failure.message});
  }
  if (failed->all_met) {
    exit_after(mpi_seconds, first ? code_of_failure : exit_answered);
    return first ? code_of_failure : exit_answered;
  }
  if (failed->rank != session.rank()) std::this_thread::sleep_for(2s);  // the job ends meanwhile
  session.abort(code_of_failure);
}

// Under mpirun or srun: rank 0 runs the command, the others work for it.
int cluster_main(int argc, char** argv, const std::vector<std::string>& arguments) {
  remember_user_signals();
  Session session(argc, argv);
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
  if (tessera::Session::launched()) return tessera::cluster_main(argc, argv, arguments);
#endif
  tessera::Context context(tessera::interrupted);
  return tessera::run_command(arguments, context);
}
