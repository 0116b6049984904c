// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// Predicts how many nodes a search expands in a given time, from its latest speed.
class Pace {
 public:
  void note(double expanded, double seconds) {
    constexpr double least_seconds = 1e-4;  // shorter times measure clock and startup
    if (seconds < least_seconds) return;
    constexpr double weight = 0.2;
    rate_ += weight * (expanded / seconds - rate_);
  }
  /// At least the number below which cutting costs more than it gains.
  [[nodiscard]] double nodes_in(double seconds) const {
    constexpr double least = 1000;
    return std::max(least, rate_ * seconds);
  }

 private:
  double rate_ = 25e6;  // nodes per second; measurements replace it gradually
};

/// The expected cost of a child relative to that of its siblings: a subtree with two more of slack
/// costs as much more as an iteration more than the one before.
[[nodiscard]] inline double expected_share(double growth, int rise) {
  return std::pow(growth, -rise / 2.0);
}

/// Costs of subtrees searched so far, by what is known of their root: the slack (bound - f) and h.
/// For Korf's 15-puzzles 4 % of the work is in subtrees that cost more than eight times the mean of
/// their kind; predicting from the parent's share alone, it is 26 %. A kind means the same at every
/// bound.
class SubtreeCosts {
 public:
  void note(int slack, int h, double expanded);
  /// The mean cost; empty if no subtree of this kind was searched.
  [[nodiscard]] std::optional<double> expected(int slack, int h) const;

 private:
  struct Kind {
    float mean = 0;
    float count = 0;
  };
  // By slack and h. Not an array: touching its pages would take longer than an easy board.
  std::map<std::pair<int, int>, Kind> kinds_;
};

/// A subtree to search.
struct WorkItem {
  std::string path;  ///< tile letters from the start
  double cost = 0;   ///< expected number of expanded nodes, 0 if unknown
  int h = 0;         ///< of its root
};

/// A subtree that was searched to its end within a bound.
struct FinishedSubtree {
  std::string path;
  Counts counts;              ///< includes its root's expansion, not its root's generation
  int next_bound = no_bound;  ///< smallest f beyond the bound
  std::string solved;         ///< if it holds solutions: a path to or above the first in move order

  /// Adds a part of the same subtree that follows those already added.
  void add(const FinishedSubtree& part) {
    if (counts.solutions == 0) solved = part.solved;
    counts += part.counts;
    next_bound = std::min(next_bound, part.next_bound);
  }
  bool operator==(const FinishedSubtree&) const = default;
};

/// The search of one subtree in pieces, depth-first: nodes that are expected to be expensive are
/// expanded here one by one, and what is below them is left to the kernel. Between pieces, untried
/// branches can be given away and finished parts reported. The counts are those of a single search.
class SubtreeWalk {
 public:
  /// `costs` are the thread's, used and updated here. If they have no value, a child is expected to
  /// cost its share of its parent, one with f higher by two less by the factor `growth`.
  SubtreeWalk(SubtreeSearch& search, SubtreeCosts& costs, const WorkItem& item, int bound,
              Mode mode, double growth);

  /// Nothing is left, or a solution or the control ended the search.
  [[nodiscard]] bool over() const { return frames_.empty() || result_.found || result_.stopped; }

  /// Searches one piece that is expected to expand at most `quantum` nodes; if the control wants it
  /// cut, the piece is abandoned and restarted in smaller ones. Not when over.
  void step(double quantum, SearchControl& control);

  /// The control may call these two in the middle of a step.

  /// Removes up to `most` untried branches, nearest the root first, but none whose expected cost is
  /// below `least_cost`.
  [[nodiscard]] std::vector<WorkItem> give_away(std::size_t most, double least_cost);

  /// Moves what was finished since the last call to `finished`. Once the whole subtree is finished
  /// and nothing was given away, it is reported as one, which replaces everything reported before.
  void take_finished(std::vector<FinishedSubtree>& finished);

  /// For everything searched here; the solution starts at the instance's start.
  [[nodiscard]] const SubtreeResult& result() const { return result_; }
  /// If solutions were counted: a path to or above the first one in move order.
  [[nodiscard]] const std::string& solved() const { return solved_; }

 private:
  struct Branch {
    Node node;
    std::string path;
    double cost;
  };
  // A node that was expanded here.
  struct Frame {
    int slack = 0;
    int h = 0;
    FinishedSubtree total;
    std::vector<Branch> branches;
    std::size_t next = 0;  // the first untried branch
    bool whole = true;     // nothing below was given away
    std::vector<FinishedSubtree> finished;
  };

  [[nodiscard]] Frame expanded(const Branch& branch) const;
  [[nodiscard]] bool search_whole(Branch& branch, SearchControl& control);
  [[nodiscard]] bool generate(Frame& frame, const Branch& branch);
  void note(FinishedSubtree finished);
  void close_frame();

  SubtreeSearch& search_;
  SubtreeCosts& costs_;
  int bound_;
  Mode mode_;
  double growth_;
  std::vector<Frame> frames_;                   // the first contains only the subtree's root
  std::vector<FinishedSubtree> last_finished_;  // reported at the end of the walk
  SubtreeResult result_;
  std::string solved_;
};

}  // namespace tessera
