// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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
/// The same for the subtrees themselves: `cost`, a member or a function, gives that of each.
template <class Subtree, class Cost>
[[nodiscard]] std::vector<std::vector<Subtree>> dealt(std::vector<Subtree> subtrees, Cost cost,
                                                      std::span<const int> threads_by_rank,
                                                      Schedule schedule) {
  std::vector<double> costs;
  for (const Subtree& subtree : subtrees) costs.push_back(std::invoke(cost, subtree));
  std::vector<std::vector<Subtree>> by_rank;
  for (const std::vector<std::uint32_t>& ordinals : deal(costs, threads_by_rank, schedule)) {
    std::vector<Subtree>& of_rank = by_rank.emplace_back();
    for (const std::uint32_t i : ordinals) of_rank.push_back(std::move(subtrees[i]));
  }
  return by_rank;
}

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
