// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

namespace tessera {

/// What one thief gets of the subtrees that wait at its victim: as many as stay for the victim and
/// for each thief behind it.
struct Share {
  std::size_t thieves = 1;  ///< that have no answer yet, this one included
  bool idle = true;         ///< the thief has nothing to do, so it gets the last subtree too
  std::size_t most = 0;

  [[nodiscard]] std::size_t of(std::size_t waiting) const {
    return std::min((waiting + (idle ? thieves : 0)) / (thieves + 1), most);
  }
};

}  // namespace tessera
