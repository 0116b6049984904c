// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/instance.hpp"
#include "search/problem.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {

struct HeuristicSpec;

/// Exact node counts, in the standard terms.
struct Counts {
  std::uint64_t expanded = 0;   ///< nodes whose successors were produced; never a goal node
  std::uint64_t generated = 0;  ///< successors one by one, before the bound is tested
  std::uint64_t solutions = 0;  ///< goal nodes reached within the bound

  Counts& operator+=(const Counts& other) {
    expanded += other.expanded;
    generated += other.generated;
    solutions += other.solutions;
    return *this;
  }
  friend Counts operator+(Counts a, const Counts& b) { return a += b; }
  friend Counts operator-(const Counts& a, const Counts& b) {
    return {a.expanded - b.expanded, a.generated - b.generated, a.solutions - b.solutions};
  }
  bool operator==(const Counts&) const = default;
};

/// What ends the search of a subtree.
enum class Mode : std::uint8_t {
  first,    ///< the first solution in move order; counts are those of plain depth-first search
  any,      ///< whichever solution the kernel finds first
  exhaust,  ///< every node within the bound is visited, solutions are counted
};

inline constexpr int no_bound = 1 << 30;

struct SubtreeResult {
  Counts counts;
  int next_bound = no_bound;  ///< smallest f seen beyond the bound
  bool stopped = false;       ///< ended early by the control
  bool found = false;         ///< found a solution (not Mode::exhaust)
  std::string solution;       ///< tile letters from the subtree's root to the goal, if found
};

/// Monitors and stops a running search. Called from the searching thread.
class SearchControl {
 public:
  virtual ~SearchControl() = default;
  /// Called from time to time with the counts since the last call; false stops the search.
  virtual bool keep_going(const Counts& since_last) = 0;
  /// Approximate number of nodes to expand before the next call.
  [[nodiscard]] virtual std::uint64_t poll_interval() const { return default_poll_interval; }
  static constexpr std::uint64_t default_poll_interval = 1U << 17;
  /// After `keep_going` returned false: whether to cut the subtree smaller, not end the search.
  [[nodiscard]] virtual bool cut_wanted() { return false; }
  /// A goal was found; recovering the path to it may take longer.
  virtual void solution_seen() {}
};

/// For searches that nothing stops early.
struct NeverStops final : SearchControl {
  bool keep_going(const Counts& /*since_last*/) override { return true; }
};

/// The root of a subtree.
struct Node {
  Board board;                    ///< in labels
  std::optional<Direction> last;  ///< the blank's move that led here
  int g = 0;                      ///< moves from the instance's start
  int h = 0;                      ///< the heuristic's bound on the remaining moves
  Pruning::State rule = 0;        ///< the pruning rule's state

  [[nodiscard]] int f() const { return g + h; }
};

/// A child, and the tile letters of the move to it.
struct Successor {
  std::string letters;
  Node node;
};

/// Depth-first search of subtrees of one instance within a bound. One object per thread.
class SubtreeSearch {
 public:
  explicit SubtreeSearch(const Problem& problem)
      : instance_(problem.instance),
        goal_(instance_.goal()),
        pruning_(Pruning::of(problem.prune, instance_, problem.table_directory)) {}
  virtual ~SubtreeSearch() = default;
  SubtreeSearch(const SubtreeSearch&) = delete;
  SubtreeSearch& operator=(const SubtreeSearch&) = delete;

  /// h of a board in labels.
  [[nodiscard]] virtual int evaluate(const Board& labels) const = 0;

  /// Searches all nodes with f <= bound below `root`, whose own f must be within the bound.
  virtual SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) = 0;

  /// The children of a node in move order, including those beyond the bound.
  [[nodiscard]] virtual std::vector<Successor> successors(const Node& node) const;

  /// The node that tile letters from the instance's start lead to. Throws Error(internal) if they
  /// leave the board.
  [[nodiscard]] virtual Node node_at(std::string_view path) const;

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] const Board& goal() const { return goal_; }
  [[nodiscard]] const Pruning& pruning() const { return *pruning_; }

 private:
  Instance instance_;
  Board goal_;
  std::shared_ptr<const Pruning> pruning_;
};

/// The search for a problem. Throws Error(input) if the requested kernel does not support it.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_subtree_search(const Problem& problem);

/// The same check in metric single, before there is a board: of symmetric ones, a kernel may leave
/// the search to another.
void expect_kernel(Kernel kernel, Size size, const HeuristicSpec& heuristic, PruneRule prune);

}  // namespace tessera
