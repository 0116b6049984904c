// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <vector>

#include "tessera/census/census.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/search/backend.hpp"
#include "tessera/threads/subtree_pool.hpp"

namespace tessera {

/// The master's side: spreads subtrees over all ranks, its own threads among them. While one
/// exists, every other rank is in `run_worker`; its end sends them home.
class ClusterExecutor final : public Backend {
 public:
  /// `threads_by_rank`: search threads of each rank. `log_folder`: where every other rank keeps a
  /// WorkLog; empty: nowhere.
  ClusterExecutor(Session& session, std::vector<int> threads_by_rank,
                  const std::string& log_folder = {});
  ~ClusterExecutor() override;

  bool prepare(const Problem& problem, const TableProgress& progress) override;
  void begin(const Problem& problem) override;
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                          const Limits& limits, Observer& observer) override;
  BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                  Observer& observer) override;
  [[nodiscard]] int beam_ranks(std::uint64_t width) const override;
  std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs, const BatchOptions& options,
                                        const Limits& limits, const BoardDone& done) override;
  [[nodiscard]] int workers() const override;
  [[nodiscard]] std::vector<WorkerTimes> times() override { return times_; }

 private:
  Session& session_;
  std::vector<int> threads_;
  SubtreePool pool_;
  Problem problem_;
  bool set_up_ = false;  // whether the workers know problem_: an easy board never needs them
  std::vector<WorkerTimes> times_;
  std::vector<std::int64_t> clock_offsets_;  // of ranks, in nanoseconds; where there is a trace
};

/// A ClusterExecutor over the first ranks of a session alone, while the others sleep: the master's
/// side, with every other rank in `run_worker`. Any number of them, one after another.
class Team {
 public:
  Team(Session& session, int ranks, int threads_a_rank);
  [[nodiscard]] ClusterExecutor& executor() { return executor_; }

 private:
  Session part_;
  ClusterExecutor executor_;
};

/// The master's side of a complete search over all ranks; every other rank is in `run_worker`.
/// `threads_by_rank`: of each rank. Throws as run_census does, on the master alone where all ranks
/// failed together.
[[nodiscard]] CensusResult run_cluster_census(Session& session, CensusTask task,
                                              const std::vector<int>& threads_by_rank,
                                              CensusObserver& observer,
                                              const std::atomic<bool>& stop);

/// Every other rank: waits for a ClusterExecutor and serves it until its end, after as many Teams
/// as there come. False where the master dismisses the workers instead.
bool run_worker(Session& session);

/// The master's word to ranks in `run_worker` where no ClusterExecutor is made.
void dismiss_workers(Session& session);

}  // namespace tessera
