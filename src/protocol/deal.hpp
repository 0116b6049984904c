// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/tree/execution.hpp"

namespace tessera {

/// The rank that expands the frontier, deals out its subtrees and reports the result.
inline constexpr int master_rank = 0;

/// The subtrees that each rank starts with, as indices into `costs`: the costliest first, each to
/// the rank with the least cost per thread (Graham 1969). If ranks come back for more
/// (Schedule::dynamic), the master keeps all but a first handful per rank.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> deal(std::span<const double> costs,
                                                           std::span<const int> threads_by_rank,
                                                           Schedule schedule);

/// A thief's share of the subtrees that wait at its victim: as many as remain for the victim and
/// for each thief after it.
struct Share {
  std::size_t thieves = 1;  ///< thieves not yet answered, this one included
  bool idle = true;         ///< the thief is idle, so it gets the last subtree too
  std::size_t most = 0;

  [[nodiscard]] std::size_t of(std::size_t waiting) const {
    return std::min((waiting + (idle ? thieves : 0)) / (thieves + 1), most);
  }
};

}  // namespace tessera
