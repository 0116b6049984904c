// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/search/task.hpp"

namespace tessera {

/// The rank that expands the frontier, deals it and reports the result.
inline constexpr int master_rank = 0;

/// Which subtrees each rank begins with, as indices into `costs`: the costliest first, each to the
/// rank with the least cost per thread (Graham 1969). Where ranks come back for more
/// (Schedule::dynamic), the master keeps all but a first handful of each.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> deal(std::span<const double> costs,
                                                           std::span<const int> threads_by_rank,
                                                           Schedule schedule);

}  // namespace tessera
