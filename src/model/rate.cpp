// SPDX-License-Identifier: MIT
#include <algorithm>

#include "model/effort.hpp"
#include "model/tree_sample.hpp"

namespace tessera {

double measure_rate(const Problem& problem, SubtreeExecutor& executor, int bound, double seconds,
                    const std::atomic<bool>* interrupted) {
  // Deep enough that subtrees differ, and enough of them for all workers.
  constexpr int depth = 12;
  const auto count = static_cast<std::size_t>(64 * std::max(1, executor.workers()));
  // Waking workers takes time, and on a busy machine they wait for a CPU about 10 ms at a time: a
  // shorter measurement is only a guess.
  constexpr double least_seconds = 0.1;
  constexpr int most_deeper = 40;
  const auto search = make_subtree_search(problem);
  Random random(1);
  double rate = 0;
  int longer = 6;  // doublings left
  executor.begin(problem);
  for (int deeper = 0; deeper <= most_deeper; deeper += 4) {
    std::vector<WorkItem> items;
    for (const std::string& path :
         sample_subtrees(*search, {bound + deeper, count}, depth, random)) {
      items.push_back({path, 0});
    }
    if (items.empty()) continue;
    const std::chrono::microseconds most(static_cast<std::int64_t>(seconds * 1e6));
    const Limits limits{.deadline = std::chrono::steady_clock::now() + most,
                        .interrupted = interrupted};
    Observer nobody;
    Monitor monitor(limits, nobody, {});
    const Execution execution = executor.execute(items, {bound + deeper, Mode::exhaust}, monitor);
    // The largest counts: other programs can only reduce a rate.
    if (execution.wall_seconds > 0) {
      rate =
          std::max(rate, static_cast<double>(execution.counts.expanded) / execution.wall_seconds);
    }
    if (execution.counts.expanded == 0 && execution.stop == Stop::time_limit && longer > 0) {
      // Other programs used the machine: no worker got as far as expanding a node.
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
