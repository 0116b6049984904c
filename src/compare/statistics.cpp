// SPDX-License-Identifier: MIT
#include "compare/statistics.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace tessera {
namespace {

std::vector<std::size_t> ascending(std::span<const double> figures) {
  std::vector<std::size_t> order(figures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return figures[i]; });
  return order;
}

// Twice the ranks, so that mid-ranks of ties are integers.
std::vector<std::size_t> doubled_ranks(std::span<const double> figures) {
  std::vector<std::size_t> ranks;
  for (const double figure : figures) {
    const auto less = std::ranges::count_if(figures, [&](double x) { return x < figure; });
    ranks.push_back(static_cast<std::size_t>(2 * less + std::ranges::count(figures, figure) + 1));
  }
  return ranks;
}

}  // namespace

Spread spread_of(std::span<const double> figures) {
  const std::vector<std::size_t> order = ascending(figures);
  const std::size_t half = order.size() / 2;
  const double above = figures[order[half]];
  const double below = order.size() % 2 == 0 ? figures[order[half - 1]] : above;
  return {(below + above) / 2, figures[order.front()], figures[order.back()]};
}

std::size_t median_index(std::span<const double> figures) {
  return ascending(figures)[(figures.size() - 1) / 2];
}

double chance_of_difference(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  const std::vector<std::size_t> ranks = doubled_ranks(all);
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});

  // ways[k][s]: the number of choices of k ranks with sum s.
  std::vector<std::vector<double>> ways(a.size() + 1, std::vector<double>(total + 1, 0));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t k = a.size(); k > 0; --k) {
      for (std::size_t sum = total; sum >= rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];
    }
  }
  // Both sides times the number of figures, to stay with integers.
  const auto from_middle = [&](std::size_t sum) {
    return std::abs(static_cast<long long>(sum * all.size()) -
                    static_cast<long long>(total * a.size()));
  };
  const std::size_t own = std::accumulate(
      ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(a.size()), std::size_t{0});
  double as_far = 0;
  double choices = 0;
  for (std::size_t sum = 0; sum <= total; ++sum) {
    choices += ways[a.size()][sum];
    if (from_middle(sum) >= from_middle(own)) as_far += ways[a.size()][sum];
  }
  return as_far / choices;
}

}  // namespace tessera
