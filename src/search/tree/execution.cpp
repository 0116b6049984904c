// SPDX-License-Identifier: MIT
#include "search/tree/execution.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "search/pruning/move_order.hpp"

namespace tessera {

std::vector<WorkerTimes> times_of_workers(const std::vector<std::vector<double>>& search_seconds,
                                          double wall_seconds) {
  std::vector<WorkerTimes> times;
  for (int rank = 0; const std::vector<double>& of_rank : search_seconds) {
    for (int thread = 0; const double seconds : of_rank) {
      times.push_back({.rank = rank,
                       .thread = thread++,
                       .search = seconds,
                       .wait = std::max(0.0, wall_seconds - seconds)});
    }
    ++rank;
  }
  return times;
}

void Execution::add(Execution next, Metric metric) {
  counts += next.counts;
  next_bound = std::min(next_bound, next.next_bound);
  if (next.solution && (!solution || solution_length(next.solution->letters, metric) <
                                         solution_length(solution->letters, metric))) {
    solution = std::move(next.solution);
  }
  if (next.solved && (!solved || comes_before(*next.solved, *solved, metric))) {
    solved = std::move(next.solved);
  }
  for (const auto& [bound, of_bound] : next.by_bound) by_bound[bound] += of_bound;
  search_seconds += next.search_seconds;
  std::ranges::move(next.finished, std::back_inserter(finished));
  std::ranges::move(next.tracks, std::back_inserter(tracks));
}

Execution outcome_of(const SubtreeWalk& walk, std::size_t item) {
  const SubtreeResult& result = walk.result();
  Execution outcome;
  outcome.counts = result.counts;
  outcome.next_bound = result.next_bound;
  if (result.found) outcome.solution = {item, result.solution};
  if (result.counts.solutions > 0) outcome.solved = walk.solved();
  return outcome;
}

Execution independent_ida_star(SubtreeSearch& search, std::size_t item, const std::string& path,
                               SearchControl& control, const std::atomic<int>& incumbent) {
  const Node root = search.node_at(path);
  Execution outcome;
  std::uint64_t expanded = 0;  // within the last bound
  // A bound that is no shorter than the best solution cannot improve on it.
  for (int bound = root.f(); bound < incumbent.load(std::memory_order_relaxed);) {
    const SubtreeResult result = search.search(root, bound, Mode::any, control);
    outcome.counts += result.counts;
    outcome.by_bound[bound] += result.counts;
    if (result.found) outcome.solution = {item, path + result.solution};
    if (result.found || result.stopped || result.next_bound == no_bound) break;
    // A pruning rule can leave a subtree without a goal finite: nothing was beyond the last bound.
    if (std::exchange(expanded, result.counts.expanded) == result.counts.expanded) break;
    bound = result.next_bound;
  }
  return outcome;
}

}  // namespace tessera
