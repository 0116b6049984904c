// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <vector>

#include "census/census.hpp"
#include "cluster/job/session.hpp"
#include "search/backend.hpp"
#include "threads/subtree_pool.hpp"

namespace tessera {

/// While this object exists, the other ranks of the session are in `run_worker`. The destructor
/// dismisses them, also if an exception is thrown.
class WaitingRanks {
 public:
  explicit WaitingRanks(const Session& session) : session_(session) {}
  ~WaitingRanks();
  WaitingRanks(const WaitingRanks&) = delete;
  WaitingRanks& operator=(const WaitingRanks&) = delete;

 private:
  const Session& session_;
};

/// The master's side: distributes subtrees over all ranks, including its own threads. Every other
/// rank is in `run_worker`, and serves this executor until it is destroyed.
class ClusterExecutor final : public Backend {
 public:
  /// `threads_by_rank`: search threads of each rank. `log_folder`: the folder for a WorkLog on
  /// every other rank; empty: no logs.
  ClusterExecutor(Session& session, std::vector<int> threads_by_rank,
                  const std::string& log_folder = {});
  ~ClusterExecutor() override;

  bool prepare(const Problem& problem, const TableProgress& progress) override;
  void begin(const Problem& problem) override;
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  SearchResult search_stored(const Problem& problem, const BestFirstOptions& options,
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
  bool set_up_ = false;  // whether the workers have problem_: an easy board never needs them
  std::vector<WorkerTimes> times_;
  std::vector<std::int64_t> clock_offsets_;  // of ranks, in nanoseconds; if there is a trace
};

/// A ClusterExecutor over only the first ranks of a session, while the others sleep: the master's
/// side, with every other rank in `run_worker`. There can be several, one after another.
class Team {
 public:
  Team(Session& session, int ranks, int threads_per_rank);
  [[nodiscard]] ClusterExecutor& executor() { return executor_; }

 private:
  Session part_;
  WaitingRanks others_;
  ClusterExecutor executor_;
};

/// The master's side of a complete search over all ranks; every other rank is in `run_worker`.
/// `threads_by_rank`: search threads of each rank. Throws as run_census does, but only on the
/// master if all ranks failed together.
[[nodiscard]] CensusResult run_cluster_census(Session& session, CensusTask task,
                                              const std::vector<int>& threads_by_rank,
                                              CensusObserver& observer,
                                              const std::atomic<bool>& stop);

/// Called by every other rank: serves any number of ClusterExecutors, Teams and complete searches
/// of the master, one after another, until its WaitingRanks dismisses the ranks.
void run_worker(Session& session);

}  // namespace tessera
