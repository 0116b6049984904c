// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// Bounded depth-first search as a textbook has it: boards copied, h from scratch, no tables. It
/// pins what the counts mean (generated one by one, before the bound; expanded without goals) for
/// all kernels.
class PlainOracle {
 public:
  PlainOracle(const SubtreeSearch& heuristic, int bound, Mode mode)
      : heuristic_(heuristic), bound_(bound), mode_(mode) {}

  SubtreeResult search(const Node& root) {
    visit(root);
    return result_;
  }

 private:
  bool visit(const Node& node) {
    if (node.board == heuristic_.goal()) {
      ++result_.counts.solutions;
      result_.found = mode_ != Mode::exhaust;
      return result_.found;
    }
    ++result_.counts.expanded;
    for (const Direction d : all_directions) {
      if (!node.board.neighbor(d) || (node.last && d == opposite(*node.last))) continue;
      ++result_.counts.generated;
      Node child{node.board.moved(d), d, node.g + 1, 0, 0};
      child.h = heuristic_.evaluate(child.board);
      if (child.f() > bound_) {
        result_.next_bound = std::min(result_.next_bound, child.f());
      } else if (visit(child)) {
        result_.solution.insert(result_.solution.begin(), letter(d));
        return true;
      }
    }
    return false;
  }

  const SubtreeSearch& heuristic_;
  int bound_;
  Mode mode_;
  SubtreeResult result_;
};

/// Lets a search run to its end.
class Unlimited final : public SearchControl {
 public:
  bool keep_going(const Counts& since_last) override {
    told += since_last;
    return true;
  }
  Counts told;
};

/// Stops a search the first time that it asks.
class StopAtOnce final : public SearchControl {
 public:
  bool keep_going(const Counts&) override { return false; }
};

inline std::string show(const SubtreeResult& result) {
  return "expanded " + std::to_string(result.counts.expanded) + " generated " +
         std::to_string(result.counts.generated) + " solutions " +
         std::to_string(result.counts.solutions) + " next " + std::to_string(result.next_bound) +
         (result.found ? " found " + result.solution : "");
}

}  // namespace tessera
