// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/backend.hpp"
#include "tessera/threads/subtree_pool.hpp"

namespace tessera {

/// Shared memory: the subtrees of one process over its search threads, while the calling thread
/// sleeps and watches limits.
class ThreadsExecutor final : public Backend {
 public:
  explicit ThreadsExecutor(int threads) : pool_(threads) {}

  void begin(const Problem& problem) override { pool_.set_problem(problem); }
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                  Observer& observer) override {
    return beam_search(problem, options, workers(), limits, observer);
  }
  SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                          const Limits& limits, Observer& observer) override;
  std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs, const BatchOptions& options,
                                        const Limits& limits, const BoardDone& done) override;
  bool prepare(const Problem& problem, const TableProgress& progress) override {
    return open_tables(problem, workers(), progress);
  }
  [[nodiscard]] int workers() const override { return pool_.threads(); }
  [[nodiscard]] std::vector<WorkerTimes> times() override;

 private:
  SubtreePool pool_;
};

/// Best-first search with threads inside, as a study of the N-puzzle in Haskell tried it (Rawwagah,
/// Tsao, Lee 2023). `neighbors` and `distance` share out what one node costs, which is less than
/// sharing it out: they are here to be measured.
[[nodiscard]] SearchResult best_first_in_team(const Problem& problem,
                                              const BestFirstOptions& options, int threads,
                                              const Limits& limits, Observer& observer);

/// `queues:K`: one search until K nodes are open, dealt out to K searches, each with its own open
/// list and table; the first solution ends all. `optimal` where no other queue could have had a
/// shorter one.
[[nodiscard]] SearchResult best_first_in_queues(const Problem& problem,
                                                const BestFirstOptions& options,
                                                const Limits& limits, Observer& observer);

}  // namespace tessera
