// SPDX-License-Identifier: MIT
#pragma once

#include "search/backend.hpp"
#include "threads/subtree_pool.hpp"

namespace tessera {

/// Shared memory: distributes the subtrees over the process's search threads, while the calling
/// thread sleeps and checks limits.
class ThreadsExecutor final : public Backend {
 public:
  explicit ThreadsExecutor(int threads) : pool_(threads) {}

  void begin(const Problem& problem) override { pool_.set_problem(problem); }
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  SearchResult search_stored(const Problem& problem, const BestFirstOptions& options,
                             const Limits& limits, Observer& observer) override;
  std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs, const BatchOptions& options,
                                        const Limits& limits, const BoardDone& done) override;
  [[nodiscard]] int workers() const override { return pool_.threads(); }
  [[nodiscard]] std::vector<WorkerTimes> times() override {
    return times_of_workers({pool_.search_seconds()});
  }

 private:
  SubtreePool pool_;
};

}  // namespace tessera
