// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace tessera {

/// The median (of an even number, the mean of the two middle values), minimum and maximum of times.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};
/// `figures` must not be empty.
[[nodiscard]] Spread spread_of(std::span<const double> figures);

/// The index of the median or, of an even number, of the value just below it: the run that
/// represents all runs. `figures` must not be empty.
[[nodiscard]] std::size_t median_index(std::span<const double> figures);

/// How often two samples from the same distribution differ in rank at least as much as these, in
/// either direction: the exact two-sided test of Wilcoxon (1945), Mann and Whitney (1947), with
/// mid-ranks for ties. It makes no assumption about the distribution of times, and unlike a
/// comparison of means or ranges, it is robust to one slow run. 1 if a sample is empty.
[[nodiscard]] double chance_of_difference(std::span<const double> a, std::span<const double> b);

/// A difference is significant if chance produces one as large less often than this.
constexpr double noise_chance = 0.05;

/// With fewer runs of each, even disjoint ranges would not be that rare: with 3 and 3, chance
/// produces them once in 10, with 4 and 4 once in 35.
constexpr std::size_t least_runs = 4;

}  // namespace tessera
