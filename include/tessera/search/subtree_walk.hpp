// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// How many nodes a search expands in a time, from what it did last.
class Pace {
 public:
  void note(double expanded, double seconds) {
    constexpr double least_seconds = 1e-4;  // below that the clock and the start are measured
    if (seconds < least_seconds) return;
    constexpr double weight = 0.2;
    rate_ += weight * (expanded / seconds - rate_);
  }
  /// At least a number below which cutting costs more than it gains.
  [[nodiscard]] double nodes_in(double seconds) const {
    constexpr double least = 1000;
    return std::max(least, rate_ * seconds);
  }

 private:
  double rate_ = 25e6;  // nodes per second; soon forgotten
};

/// What subtrees cost that were searched, by what is known of their root: the slack (bound - f) and
/// h. Of Korf's 15-puzzles 4 % of the work is in subtrees that cost more than eight times as much
/// as the mean of their kind; by the parent's share alone it is 26 %. The kinds mean the same
/// at every bound.
class SubtreeCosts {
 public:
  void note(int slack, int h, double expanded);
  /// The mean; empty where none of the kind was seen.
  [[nodiscard]] std::optional<double> expected(int slack, int h) const;

 private:
  struct Kind {
    float mean = 0;
    float count = 0;
  };
  // By slack and h. Not an array, whose pages would take longer than an easy board.
  std::map<std::pair<int, int>, Kind> kinds_;
};

/// A subtree to search.
struct WorkItem {
  std::string path;  ///< tile letters from the start
  double cost = 0;   ///< nodes that it is expected to expand, 0 where nothing is known
  int h = 0;         ///< of its root
};

/// A subtree that was searched to its end within a bound.
struct FinishedSubtree {
  std::string path;
  Counts counts;              ///< its root's expansion among them, its root's generation not
  int next_bound = no_bound;  ///< smallest f beyond the bound
  std::string solved;         ///< if it holds solutions: a path to or above the first in move order

  /// Adds a part of the same subtree that comes after those added before.
  void add(const FinishedSubtree& part) {
    if (counts.solutions == 0) solved = part.solved;
    counts += part.counts;
    next_bound = std::min(next_bound, part.next_bound);
  }
  bool operator==(const FinishedSubtree&) const = default;
};

/// The search of one subtree in pieces, depth-first: nodes that are expected to cost much are
/// expanded here one by one, and what hangs below them goes to the kernel. Between two pieces the
/// untried branches can be given away, and what is finished can be reported. The counts are those
/// of one search.
class SubtreeWalk {
 public:
  /// `costs` are those of the thread, learned from and added to. Where they know nothing, a child
  /// is expected to cost its share of its parent, one whose f is two higher `growth` times less.
  SubtreeWalk(SubtreeSearch& search, SubtreeCosts& costs, const WorkItem& item, int bound,
              Mode mode, double growth);

  /// Nothing is left, a solution ended the search, or the control did.
  [[nodiscard]] bool over() const { return frames_.empty() || result_.found || result_.stopped; }

  /// Searches one piece that is expected to expand at most `quantum` nodes; where the control wants
  /// it cut, it is left and begun anew in smaller ones. Not when over.
  void step(double quantum, SearchControl& control);

  /// The two below may be called by the control in the middle of a step.

  /// Untried branches, those nearest the root first, at most `most`, none that is expected to cost
  /// less than `least_cost`.
  [[nodiscard]] std::vector<WorkItem> give_away(std::size_t most, double least_cost);

  /// Moves what was finished since the last call to `finished`. Once the whole subtree is finished
  /// and nothing was given away it is reported as one, which stands for all that was reported
  /// before.
  void take_finished(std::vector<FinishedSubtree>& finished);

  /// Of all that was searched here; the solution is that from the instance's start.
  [[nodiscard]] const SubtreeResult& result() const { return result_; }
  /// If solutions were counted: a path to or above the first in move order.
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
  std::vector<Frame> frames_;                   // the first holds nothing but the subtree's root
  std::vector<FinishedSubtree> last_finished_;  // of the walk's end
  SubtreeResult result_;
  std::string solved_;
};

}  // namespace tessera
