// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

namespace tessera {

/// Calls `use` with every placement of k tiles on n cells, in lexicographic order.
template <class Use>
void for_each_placement(int cells, int tiles, const Use& use) {
  std::vector<int> placement;
  const auto place = [&](const auto& self) -> void {
    if (static_cast<int>(placement.size()) == tiles) {
      use(placement);
      return;
    }
    for (int cell = 0; cell < cells; ++cell) {
      if (std::find(placement.begin(), placement.end(), cell) != placement.end()) continue;
      placement.push_back(cell);
      self(self);
      placement.pop_back();
    }
  };
  place(place);
}

}  // namespace tessera
