// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tessera/model/effort.hpp"
#include "tessera/model/tree_sample.hpp"

namespace tessera {

double measure_rate(const Problem& problem, SubtreeExecutor& executor, int bound, double seconds,
                    const std::atomic<bool>* interrupted) {
  // Deep enough that subtrees differ, and so many that all workers have some.
  constexpr int depth = 12;
  const auto count = static_cast<std::size_t>(64 * std::max(1, executor.workers()));
  // Waking workers takes its time, and on a busy machine they wait for a CPU some 10 ms at a time:
  // what is over sooner is not measured but guessed at.
  constexpr double least_seconds = 0.1;
  constexpr int most_deeper = 40;
  const auto search = make_subtree_search(problem);
  Random random(1);
  double rate = 0;
  int longer = 6;  // times
  executor.begin(problem);
  for (int deeper = 0; deeper <= most_deeper; deeper += 4) {
    std::vector<WorkItem> items;
    for (const SampledSubtree& subtree :
         sample_subtrees(*search, {bound + deeper, count}, depth, random)) {
      items.push_back({subtree.path, 0});
    }
    if (items.empty()) continue;
    const std::chrono::microseconds most(static_cast<std::int64_t>(seconds * 1e6));
    const Limits limits{.deadline = std::chrono::steady_clock::now() + most,
                        .interrupted = interrupted};
    Observer nobody;
    Monitor monitor(limits, nobody, {});
    const Execution execution = executor.execute(items, {bound + deeper, Mode::exhaust}, monitor);
    if (execution.wall_seconds > 0) {
      rate = static_cast<double>(execution.counts.expanded) / execution.wall_seconds;
    }
    if (execution.counts.expanded == 0 && execution.stop == Stop::time_limit && longer > 0) {
      // Other programs had the machine: no worker came so far as to expand a node.
      --longer;
      seconds *= 2;
      deeper -= 4;
      continue;
    }
    if (execution.wall_seconds >= std::min(least_seconds, seconds) || execution.stop) break;
  }
  return rate;
}

}  // namespace tessera
