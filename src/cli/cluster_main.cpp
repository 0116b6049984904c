// SPDX-License-Identifier: MIT
#include "cli/cluster_main.hpp"

#if TESSERA_WITH_MPI

#include <new>

#include "cli/exit_code.hpp"
#include "cli/run.hpp"
#include "cli/signals.hpp"
#include "tessera/cluster/cluster_census.hpp"
#include "tessera/cluster/cluster_executor.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/report/output.hpp"

namespace tessera {
namespace {

class ClusterContext final : public Context {
 public:
  explicit ClusterContext(Session& session) : session_(session) {}
  // The other ranks wait for a word, whatever became of the command.
  ~ClusterContext() override {
    end_team();
    if (!executor_ && !searched_all_) dismiss_workers(session_);
  }
  ClusterContext(const ClusterContext&) = delete;
  ClusterContext& operator=(const ClusterContext&) = delete;

  [[nodiscard]] int ranks() const override { return session_.size(); }
  [[nodiscard]] int hosts() const override { return session_.hosts(); }
  [[nodiscard]] std::vector<RankPlace> places(int threads) const override {
    std::vector<RankPlace> places;
    for (int rank = 0; rank < session_.size(); ++rank) {
      const RankInfo& info = session_.ranks()[static_cast<std::size_t>(rank)];
      places.push_back({info.host, static_cast<int>(info.cpus.size()),
                        threads > 0 ? threads : session_.fair_threads(rank)});
    }
    return places;
  }
  [[nodiscard]] Executor* cluster(const std::vector<RankPlace>& places,
                                  const std::string& log_folder) override {
    std::vector<int> threads;
    for (const RankPlace& place : places) threads.push_back(place.threads);
    executor_ = std::make_unique<ClusterExecutor>(session_, std::move(threads), log_folder);
    return executor_.get();
  }
  [[nodiscard]] Executor* team(int ranks, int threads) override {
    end_team();
    team_ = std::make_unique<Team>(session_, ranks, threads);
    return &team_->executor();
  }
  [[nodiscard]] int team_hosts() const override { return team_ ? team_->hosts() : 1; }
  void end_team() override { team_.reset(); }
  [[nodiscard]] CensusResult census(const CensusTask& task, const std::vector<RankPlace>& places,
                                    CensusObserver& observer) override {
    std::vector<int> threads;
    for (const RankPlace& place : places) threads.push_back(place.threads);
    searched_all_ = true;
    in_census_ = true;
    try {
      CensusResult result =
          run_cluster_census(session_, task, std::move(threads), observer, interrupted);
      in_census_ = false;
      return result;
    } catch (const CommonError&) {
      in_census_ = false;
      throw;
    }
  }
  [[nodiscard]] std::string mpi_library() const override { return Session::library_version(); }

  /// Whether ranks are inside something that rank 0 has left by an exception.
  [[nodiscard]] bool broken() const {
    return in_census_ || (executor_ && executor_->busy()) || (team_ && team_->executor().busy());
  }

 private:
  Session& session_;
  std::unique_ptr<ClusterExecutor> executor_;
  std::unique_ptr<Team> team_;
  bool searched_all_ = false;  // a census called the other ranks
  bool in_census_ = false;
};

// A worker has nobody to tell but the user: its line, then the end of the job.
int work(Session& session) {
  ignore_signals();
  std::string message;
  int code = exit_internal;
  try {
    (void)run_worker(session);  // one command, so at most one executor
    return exit_answered;
  } catch (const Error& error) {
    message = error.what();
    code = exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    message = "out of memory";
    code = exit_resource;
  } catch (const std::exception& error) {
    message = error.what();
  }
  Output::standard_error().write("tessera: rank " + std::to_string(session.rank()) + ": " +
                                 message + "\n");
  session.abort(code);
}

}  // namespace

int cluster_main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  Session session(argc, argv);
  if (session.rank() != 0) return work(session);
  ClusterContext context(session);
  const int code = run_command(arguments, context);
  if (context.broken()) session.abort(code);
  return code;
}

}  // namespace tessera

#endif
