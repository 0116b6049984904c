// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "search/tree/ida_star.hpp"
#include "search/tree/subtree_walk.hpp"

namespace tessera {

/// Searches pieces of subtrees in any order, gives them away and reports at random, and is stopped
/// after some of them: what threads and ranks do, in one thread and decided by a seed.
class RestlessExecutor final : public SubtreeExecutor {
 public:
  RestlessExecutor(std::uint64_t seed, std::uint64_t pieces) : random_(seed), pieces_(pieces) {}

  void begin(const Problem& problem) override {
    search_ = make_subtree_search(problem);
    metric_ = problem.metric;
  }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {{}}; }

  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override {
    Execution execution;
    execution.expanded.resize(items.size());
    struct Cutter final : SearchControl {
      explicit Cutter(Random& random) : random_(random) {}
      bool keep_going(const Counts&) override { return !(cut = cut || random_.below(30) == 0); }
      [[nodiscard]] std::uint64_t poll_interval() const override { return 100; }
      [[nodiscard]] bool cut_wanted() override { return cut; }
      bool cut = false;

     private:
      Random& random_;
    } control(random_);
    SubtreeCosts costs;
    std::deque<std::pair<std::size_t, WorkItem>> waiting;
    for (std::size_t i = 0; i < items.size(); ++i) waiting.emplace_back(i, items[i]);
    std::vector<FinishedSubtree> told;
    while (!waiting.empty() && !execution.stop && !execution.solution) {
      const std::size_t which = random_.below(waiting.size());
      const auto [ordinal, item] = waiting[which];
      waiting.erase(waiting.begin() + static_cast<long>(which));
      SubtreeWalk walk(*search_, costs, item, task.bound, task.mode, task.growth);
      while (!walk.over() && !execution.stop) {
        constexpr double quanta[] = {1, 20, 300, 4000, 100'000};
        control.cut = false;
        walk.step(quanta[random_.below(std::size(quanta))], control);
        if (random_.below(5) == 0) {
          for (WorkItem& given : walk.give_away(1 + random_.below(4), 0)) {
            waiting.emplace_back(ordinal, std::move(given));
          }
        }
        if (random_.below(10) == 0) walk.take_finished(told);
        if (random_.below(20) == 0) monitor.subtrees_finished(std::exchange(told, {}));
        if (pieces_-- == 0) execution.stop = Stop::interrupted;
      }
      walk.take_finished(told);
      Execution found = outcome_of(walk, ordinal);
      execution.expanded[ordinal] += found.counts.expanded;
      execution.add(std::move(found), metric_);
    }
    // A kill loses what was not told, a stop tells it.
    if (random_.below(2) == 0) monitor.subtrees_finished(told);
    return execution;
  }

 private:
  Random random_;
  std::uint64_t pieces_;
  std::unique_ptr<SubtreeSearch> search_;
  Metric metric_ = Metric::single;
};

}  // namespace tessera
