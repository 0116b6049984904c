// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/puzzle/instance.hpp"

namespace tessera {

/// Exact node counts, in the words of the field.
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
  first,    ///< the first solution in move order, where the search is depth-first to the letter
  exhaust,  ///< every node within the bound is visited, solutions are counted
};

inline constexpr int no_bound = 1 << 30;

struct SubtreeResult {
  Counts counts;
  int next_bound = no_bound;  ///< smallest f seen beyond the bound
  bool stopped = false;       ///< ended early because the control said so
  bool found = false;         ///< a solution stands (Mode::first)
  std::string solution;       ///< tile letters from the subtree's root to the goal, where found
};

/// How a running search is watched and stopped. Called from the searching thread.
class SearchControl {
 public:
  virtual ~SearchControl() = default;
  /// Called now and then with the counts since the last call; false stops the search.
  virtual bool keep_going(const Counts& since_last) = 0;
  /// Roughly how many nodes may be expanded until the next call.
  [[nodiscard]] virtual std::uint64_t patience() const { return usual_patience; }
  static constexpr std::uint64_t usual_patience = 1U << 17;
  /// A goal was met; finding the way to it may take a while yet.
  virtual void solution_seen() {}
};

/// The root of a subtree.
struct Node {
  Board board;                    ///< in labels
  std::optional<Direction> last;  ///< the blank's move that led here; the search does not undo it
  int g = 0;                      ///< moves from the instance's start
  int h = 0;                      ///< the heuristic's bound on the moves that are left

  [[nodiscard]] int f() const { return g + h; }
};

/// Depth-first search of subtrees of one instance within a bound. One object a thread.
class SubtreeSearch {
 public:
  explicit SubtreeSearch(const Instance& instance) : instance_(instance), goal_(instance.goal()) {}
  virtual ~SubtreeSearch() = default;
  SubtreeSearch(const SubtreeSearch&) = delete;
  SubtreeSearch& operator=(const SubtreeSearch&) = delete;

  /// h of a board in labels.
  [[nodiscard]] virtual int evaluate(const Board& labels) const = 0;

  /// Searches all nodes with f <= bound below `root`, whose own f must be within the bound.
  virtual SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) = 0;

  /// The node that tile letters lead to from the instance's start. Throws Error(internal) where
  /// they leave the board.
  [[nodiscard]] Node node_at(std::string_view path) const;

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] const Board& goal() const { return goal_; }

 private:
  Instance instance_;
  Board goal_;
};

/// Which kernel searches. `plain` is depth-first node by node; `bucket` expands many nodes at once
/// where it can (see bucket_search.hpp) and has the same counts; `automatic` takes what is faster.
enum class Kernel : std::uint8_t { automatic, plain, bucket };

/// The search of an instance with a heuristic of the registry. Throws Error(input) where
/// `Kernel::bucket` is asked for and cannot be had.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_subtree_search(const Instance& instance,
                                                                 std::string_view heuristic,
                                                                 Kernel kernel);

/// Whether the bucket kernel searches such boards.
[[nodiscard]] bool has_bucket_kernel(Size size, std::string_view heuristic);

}  // namespace tessera
