// SPDX-License-Identifier: MIT
#include "tessera/search/executor.hpp"

#include <algorithm>

#include "tessera/base/clock.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/search/best_first.hpp"

namespace tessera {

ItemSearch::Outcome ItemSearch::run(const WorkItem& item, const Task& task, SearchControl& control,
                                    const std::atomic<int>& incumbent) {
  const Node root = search_->node_at(item.path);
  Outcome outcome;
  const auto search_to = [&](int bound) {
    SubtreeResult result = search_->search(root, bound, task.mode, control);
    outcome.counts += result.counts;
    outcome.next_bound = result.next_bound;
    outcome.stopped = result.stopped;
    outcome.found = result.found;
    if (result.found) outcome.letters = item.path + result.solution;
    if (task.independent) outcome.by_bound[bound] += result.counts;
  };
  if (!task.independent) {
    search_to(task.bound);
    return outcome;
  }
  // The subtree's own IDA*. A bound that is no shorter than the best solution cannot better it.
  for (int bound = root.f(); bound < incumbent.load(std::memory_order_relaxed);
       bound = outcome.next_bound) {
    search_to(bound);
    if (outcome.found || outcome.stopped || outcome.next_bound == no_bound) break;
  }
  return outcome;
}

bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share) {
  const std::vector<TableRequest> requests = table_requests(
      parse_heuristic(problem.heuristic), problem.instance.size(), problem.instance.goal_blank);
  // Each table's part in the whole is as its entries are.
  double all = 0;
  for (const TableRequest& request : requests) all += static_cast<double>(request.cost.entries);
  double done = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto entries = static_cast<double>(requests[i].cost.entries);
    const TableProgress of_all = [&](double part) {
      return !progress || progress((done + part * entries) / all);
    };
    if (i % share.count == share.index &&
        open_table(problem.table_directory, requests[i], threads, of_all) == nullptr) {
      return false;
    }
    done += entries;
  }
  return true;
}

BestFirstResult Executor::best_first(const Problem& problem, const BestFirstOptions& options,
                                     const Limits& limits, Observer& observer) {
  return tessera::best_first(problem, options, limits, observer);
}

void SerialExecutor::begin(const Problem& problem) {
  search_.emplace(problem);
  metric_ = problem.metric;
  times_ = {};
}

namespace {

class SerialControl final : public SearchControl {
 public:
  SerialControl(Monitor& monitor, std::size_t items) : monitor_(monitor), items_(items) {}

  bool keep_going(const Counts& since_last) override {
    counts_ += since_last;
    if (!stop) stop = monitor_.check(counts_, done, items_);
    return !stop;
  }
  // The nearer the node limit, the oftener it is looked at; a node has about two successors.
  [[nodiscard]] std::uint64_t patience() const override {
    return std::clamp<std::uint64_t>(monitor_.nodes_left(counts_) / 4, 1, usual_patience);
  }

  std::optional<Stop> stop;
  std::size_t done = 0;

 private:
  Monitor& monitor_;
  std::size_t items_;
  Counts counts_;
};

}  // namespace

Execution SerialExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                  Monitor& monitor) {
  const Stopwatch watch;
  Execution execution;
  execution.expanded.resize(items.size());
  SerialControl control(monitor, items.size());
  std::atomic<int> incumbent{no_bound};
  for (std::size_t i = 0; i < items.size(); ++i) {
    ItemSearch::Outcome outcome = search_->run(items[i], task, control, incumbent);
    execution.counts += outcome.counts;
    execution.expanded[i] = outcome.counts.expanded;
    execution.next_bound = std::min(execution.next_bound, outcome.next_bound);
    for (const auto& [bound, counts] : outcome.by_bound) execution.by_bound[bound] += counts;
    if (outcome.counts.solutions > 0 && !execution.first_with_solution) {
      execution.first_with_solution = i;
    }
    ++control.done;
    if (outcome.found) {
      incumbent = solution_length(outcome.letters, metric_);
      execution.solution = FoundSolution{i, std::move(outcome.letters)};
      if (!task.independent) break;
    }
    if (control.stop) break;
  }
  execution.stop = control.stop;
  execution.wall_seconds = execution.search_seconds = watch.seconds();
  times_.search += execution.search_seconds;
  return execution;
}

}  // namespace tessera
