// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// What one iteration is expected to cost.
struct BoundEffort {
  int bound = 0;
  double expanded = 0;
  double generated = 0;
  double low = 0;  ///< of expanded: between the two in about 95 of 100 boards
  double high = 0;
  bool extrapolated = false;  ///< not sampled, but continued as the bounds before it grow
};

struct EffortOptions {
  int last_bound = 0;             ///< sampled up to here
  std::uint64_t nodes = 400'000;  ///< to sample at most, or as many as the tree has levels
  std::uint64_t seed = 1;
  std::function<bool()> stopped = {};  ///< looked at between passes: true ends sampling
};

struct Effort {
  std::vector<BoundEffort> bounds;  ///< from the start's f, ascending
  std::uint64_t sampled = 0;        ///< nodes whose successors were produced
  double growth = 0;                ///< of the tree, where the bound grows by 1

  /// By all iterations up to and with that bound.
  [[nodiscard]] double expanded_to(int bound) const;
};

/// Estimates the iterations up to a bound.
[[nodiscard]] Effort estimate_effort(const SubtreeSearch& search, const EffortOptions& options);

/// Adds the next bound, as those before it grow. Needs two bounds at least.
void extrapolate(Effort& effort);

}  // namespace tessera
