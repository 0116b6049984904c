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
[[nodiscard]] inline OwnIdaStar own_ida_star(SubtreeSearch& search, const std::string& path,
                                             SearchControl& control,
                                             const std::atomic<int>& incumbent) {
  const Node root = search.node_at(path);
  OwnIdaStar outcome;
  // A bound that is no shorter than the best solution cannot better it.
  for (int bound = root.f(); bound < incumbent.load(std::memory_order_relaxed);) {
    const SubtreeResult result = search.search(root, bound, Mode::any, control);
    outcome.counts += result.counts;
    outcome.by_bound[bound] += result.counts;
    outcome.found = result.found;
    if (result.found) outcome.letters = path + result.solution;
    if (result.found || result.stopped || result.next_bound == no_bound) break;
    bound = result.next_bound;
  }
  return outcome;
}

}  // namespace tessera
