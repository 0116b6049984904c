// SPDX-License-Identifier: MIT
#include "model/simulated_collectives.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tessera/protocol/rank_tree.hpp"

namespace tessera {

std::vector<double> scatter_ends(const SimulationOptions& options,
                                 const std::vector<std::size_t>& subtrees, double begin) {
  const Machine& machine = options.machine;
  std::vector<std::size_t> before(subtrees.size() + 1);  // subtrees of all ranks before
  std::partial_sum(subtrees.begin(), subtrees.end(), before.begin() + 1);
  std::vector<double> time(subtrees.size(), begin);
  for (int rank = 0; rank < machine.ranks; ++rank) {
    double& now = time[static_cast<std::size_t>(rank)];
    for (const RankBlock& below : blocks_below(rank, machine.ranks)) {
      const auto first = static_cast<std::size_t>(below.first);
      const auto items =
          static_cast<double>(before[static_cast<std::size_t>(below.end)] - before[first]);
      const double bytes =
          items * machine.item_bytes + static_cast<double>(below.size() * sizeof(std::uint64_t));
      now += 2 * machine.message_seconds + bytes / machine.bytes_a_second;
      // A rank that waits looks now and then.
      time[first] = now + machine.latency_seconds + options.policy.busy_wait_seconds / 2;
    }
  }
  return time;
}

double gather_seconds(const SimulationOptions& options, std::size_t subtrees) {
  const Machine& machine = options.machine;
  const double look = options.policy.idle_wait_seconds / 2;
  const double sum = machine.latency_seconds +
                     static_cast<double>(subtrees) * machine.sum_bytes / machine.bytes_a_second;
  const double merge =
      look + machine.latency_seconds + 2 * machine.message_seconds + machine.result_seconds;
  // The block doubles with each stage.
  const double bytes = machine.ranks * (machine.result_bytes +
                                        machine.threads * static_cast<double>(sizeof(double)));
  return tree_stages(machine.ranks) * (sum + merge) + bytes / machine.bytes_a_second;
}

double tree_stages(int ranks) {
  return std::ceil(std::log2(std::max(2, ranks)));
}

}  // namespace tessera
