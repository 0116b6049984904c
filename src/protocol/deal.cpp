// SPDX-License-Identifier: MIT
#include "protocol/deal.hpp"

#include <numeric>
#include <queue>
#include <tuple>

namespace tessera {

std::vector<std::vector<std::uint32_t>> deal(std::span<const double> costs,
                                             std::span<const int> threads_by_rank,
                                             Schedule schedule) {
  std::vector<std::uint32_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) { return costs[i]; });
  std::vector<std::vector<std::uint32_t>> by_rank(threads_by_rank.size());
  // The order of equally loaded ranks: if there are fewer subtrees than ranks, those that get one
  // are spread evenly, so that the others are close to one.
  const std::size_t ranks = by_rank.size();
  const std::size_t stride = order.empty() ? 1 : (ranks + order.size() - 1) / order.size();
  using Load = std::tuple<double, std::size_t, std::size_t>;  // cost per thread, place, rank
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least_loaded;
  for (std::size_t first = 0, place = 0; first < stride; ++first) {
    for (std::size_t rank = first; rank < ranks; rank += stride) {
      least_loaded.emplace(0, place++, rank);
    }
  }
  for (const std::uint32_t subtree : order) {
    auto [load, place, rank] = least_loaded.top();
    least_loaded.pop();
    least_loaded.emplace(load + (1 + costs[subtree]) / threads_by_rank[rank], place, rank);
    const auto handful = 2 * static_cast<std::size_t>(threads_by_rank[rank]);
    if (schedule == Schedule::dynamic && by_rank[rank].size() >= handful) rank = master_rank;
    by_rank[rank].push_back(subtree);
  }
  return by_rank;
}

}  // namespace tessera
