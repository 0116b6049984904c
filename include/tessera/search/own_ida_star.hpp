// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <string>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// What a subtree's own IDA* came to.
struct OwnIdaStar {
  Counts counts;
  std::map<int, Counts> by_bound;
  std::string letters;  ///< of the solution from the start
  bool found = false;
};

/// IDA* of one subtree, for independent bounds: up to a solution shorter than `incumbent`, the
/// shortest that is known.
[[nodiscard]] OwnIdaStar own_ida_star(SubtreeSearch& search, const std::string& path,
                                      SearchControl& control, const std::atomic<int>& incumbent);

}  // namespace tessera
