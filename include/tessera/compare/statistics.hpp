// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace tessera {

/// The middle of some times (the mean of the two in the middle of an even number) and their ends.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};
/// Of at least one figure.
[[nodiscard]] Spread spread_of(std::span<const double> figures);

/// Which one of them is the median, or the one just below it: a run that stands for all. Of at
/// least one figure.
[[nodiscard]] std::size_t median_index(std::span<const double> figures);

/// How often two samples drawn from one and the same source differ in rank as much as these do, in
/// either direction: the exact two-sided test of Wilcoxon (1945), Mann and Whitney (1947), ties
/// given their middle rank. It asks nothing of how times are distributed, and one slow run does not
/// decide it, as it would a comparison of means or of ranges. 1 where a sample is empty.
[[nodiscard]] double chance_of_difference(std::span<const double> a, std::span<const double> b);

/// A difference is beyond the noise where chance makes one like it less often than this.
constexpr double noise_chance = 0.05;

/// With fewer runs of each, not even ranges that lie apart would be that rare: of 3 and 3 chance
/// makes one in 10, of 4 and 4 one in 35.
constexpr std::size_t least_runs = 4;

}  // namespace tessera
