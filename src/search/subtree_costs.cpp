// SPDX-License-Identifier: MIT
#include "tessera/search/subtree_costs.hpp"

#include <algorithm>

namespace tessera {

std::size_t SubtreeCosts::index(int slack, int h) {
  return static_cast<std::size_t>(std::clamp(slack, 0, most_slack - 1)) * most_h +
         static_cast<std::size_t>(std::clamp(h, 0, most_h - 1));
}

void SubtreeCosts::note(int slack, int h, double expanded) {
  constexpr float longest_memory = 200;
  Kind& kind = kinds_[index(slack, h)];
  kind.count = std::min(kind.count + 1, longest_memory);
  kind.mean += (static_cast<float>(expanded) - kind.mean) / kind.count;
}

std::optional<double> SubtreeCosts::expected(int slack, int h) const {
  const Kind& kind = kinds_[index(slack, h)];
  if (kind.count == 0) return {};
  return kind.mean;
}

}  // namespace tessera
