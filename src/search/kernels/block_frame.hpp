// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "heuristic/heuristic_spec.hpp"
#include "search/kernels/kernels.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// The last moves that led to a node, two bits each, the latest one lowest.
class MoveHistory {
 public:
  static constexpr int moves = 64;

  [[nodiscard]] MoveHistory after(int direction) const {
    MoveHistory next;
    next.words_ = {words_[0] << 2 | static_cast<std::uint64_t>(direction),
                   words_[1] << 2 | words_[0] >> 62};
    return next;
  }
  [[nodiscard]] MoveHistory before() const {
    MoveHistory previous;
    previous.words_ = {words_[0] >> 2 | words_[1] << 62, words_[1] >> 2};
    return previous;
  }
  [[nodiscard]] Direction last() const { return static_cast<Direction>(words_[0] & 3); }

 private:
  std::array<std::uint64_t, 2> words_{};
};

/// The walking distance state, if it is part of the heuristic.
template <bool Walks>
using WalkState = std::conditional_t<Walks, Walking::State, Stateless::State>;

/// What every node on the stack has; an `Entry` of BlockFrame adds its board.
template <bool Walks>
struct BlockNode {
  MoveHistory history;
  std::int16_t left;  // bound - g
  std::int16_t room;  // left minus the Manhattan distance
  Pruning::State rule;
  [[no_unique_address]] WalkState<Walks> walk;
};

/// What BlockSearch and CollectionSearch share (kernels.hpp): the stack, goals, polls and paths.
/// They add how a block is expanded. `Block` nodes pass through the stages together. More nodes
/// hide cache misses better, until their children exceed the first-level cache.
template <class Entry, bool Walks, std::size_t Block = 24>
class BlockFrame : public SubtreeSearch {
 public:
  BlockFrame(const Problem& problem, const TableHeuristic& heuristic)
      : SubtreeSearch(problem),
        heuristic_(heuristic),
        manhattan_(heuristic.manhattan()),
        offsets_{-instance().size().width, -1, 1, instance().size().width},
        plain_(problem.kernel == Kernel::plain) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override {
    mode_ = mode;
    block_ = mode == Mode::first || plain_ ? 1 : block_nodes;
    counts_ = reported_ = {};
    least_excess_ = no_bound;
    root_left_ = bound - root.g;
    path_.clear();
    if (stack_.size() < 64 * block_nodes) stack_.resize(64 * block_nodes);
    begin(bound);
    stack_[0] = entry_of(root, bound);
    top_ = 1;

    SubtreeResult result;
    std::uint64_t next_poll = control.poll_interval();
    while (top_ > 0) {
      const Entry* const goal = take_block();
      if (goal != nullptr) {
        control.solution_seen();
        if (depth_of(*goal) > MoveHistory::moves && block_ > 1) {
          return in_order(root, bound, control);
        }
        result.found = true;
        result.solution = path_to(*goal);
        counts_.generated -= unreached(root, result.solution);
        break;
      }
      expand_block();
      if (counts_.expanded - reported_.expanded >= next_poll) {
        result.stopped = !control.keep_going(counts_ - reported_);
        reported_ = counts_;
        next_poll = control.poll_interval();
        if (result.stopped) break;
      }
    }
    if (!result.stopped) control.keep_going(counts_ - reported_);
    result.counts = counts_;
    if (least_excess_ < no_bound) result.next_bound = bound + least_excess_;
    return result;
  }

 protected:
  static constexpr std::size_t block_nodes = Block;

  /// Called before a search with that bound.
  virtual void begin(int bound) { (void)bound; }
  /// Fills in what a subtree's root entry has beyond a BlockNode.
  virtual void set_board(Entry& entry, const Board& board) const = 0;
  /// Pushes the children of the block that are within the bound, the first one last. They overwrite
  /// block().
  virtual void expand_block() = 0;

  /// The nodes to expand, until the stack changes.
  [[nodiscard]] std::span<const Entry> block() const { return {&stack_[top_], taken_}; }

  void reserve(std::size_t count) {
    if (top_ + count > stack_.size()) [[unlikely]]
      stack_.resize(2 * (top_ + count));
  }

  /// Called if the smallest f beyond the bound is wanted but the test that pruned a node gives only
  /// a bound on its f. Rare: some node soon exceeds the bound by the least possible amount.
  template <class Tiles>
  [[gnu::noinline, gnu::cold]] void note_excess(const Tiles& tiles, int left) {
    const int h = heuristic_.evaluate(Board::of(tiles, instance().size()));
    least_excess_ = std::min(least_excess_, h - left);
  }

  const TableHeuristic heuristic_;
  const Manhattan& manhattan_;
  const std::array<int, 4> offsets_;  // of cells, by direction
  const bool plain_;
  Counts counts_;
  int least_excess_ = no_bound;
  std::vector<Entry> stack_;
  std::size_t top_ = 0;

 private:
  [[nodiscard]] Entry entry_of(const Node& root, int bound) const {
    Entry entry{};
    entry.left = static_cast<std::int16_t>(bound - root.g);
    entry.room = static_cast<std::int16_t>(entry.left - manhattan_.evaluate(root.board));
    entry.rule = root.rule;
    if constexpr (Walks) entry.walk = heuristic_.walking().start(root.board);
    set_board(entry, root.board);
    return entry;
  }

  // Pops the block and sorts out goals; returns a goal that ends the search.
  const Entry* take_block() {
    taken_ = 0;
    const std::size_t wanted = std::min(block_, top_);
    const std::size_t end = top_;
    top_ -= wanted;
    for (std::size_t i = top_; i < end; ++i) {
      const Entry& node = stack_[i];
      if (block_ == 1) note_path(node);
      if (node.left == node.room) [[unlikely]] {  // all tiles at home
        ++counts_.solutions;
        if (mode_ != Mode::exhaust) return &node;
        continue;
      }
      if (top_ + taken_ != i) [[unlikely]]
        stack_[top_ + taken_] = node;
      ++taken_;
    }
    counts_.expanded += taken_;
    return nullptr;
  }

  [[nodiscard]] int depth_of(const Entry& node) const { return root_left_ - node.left; }

  // For blocks of one node: the path to the current node.
  void note_path(const Entry& node) {
    const auto depth = static_cast<std::size_t>(depth_of(node));
    if (path_.size() < depth) path_.resize(depth);
    if (depth > 0) path_[depth - 1] = letter(node.history.last());
  }

  [[nodiscard]] std::string path_to(const Entry& goal) const {
    const auto depth = static_cast<std::size_t>(depth_of(goal));
    if (block_ == 1) return path_.substr(0, depth);
    std::string letters(depth, ' ');
    MoveHistory history = goal.history;
    for (std::size_t i = depth; i-- > 0; history = history.before()) {
      letters[i] = letter(history.last());
    }
    return letters;
  }

  // Siblings after the solution's nodes, which depth-first search would not have reached; blocks
  // have no such order, so everything that they generated counts.
  [[nodiscard]] std::uint64_t unreached(const Node& root, const std::string& solution) const {
    if (block_ > 1) return 0;
    std::uint64_t count = 0;
    Pruning::State rule = root.rule;
    for (const char move : solution) {
      const int direction = static_cast<int>(*direction_of(move));
      count += static_cast<std::uint64_t>(pruning().count_open(rule, direction + 1));
      rule = pruning().next(rule, direction);
    }
    return count;
  }

  SubtreeResult in_order(const Node& root, int bound, SearchControl& control) {
    NeverStops patient;
    control.keep_going(counts_ - reported_);
    const Counts counts = counts_;
    SubtreeResult result = search(root, bound, Mode::first, patient);
    result.counts = counts;
    return result;
  }

  std::size_t taken_ = 0;
  Mode mode_ = Mode::any;
  std::size_t block_ = 1;
  Counts reported_;
  int root_left_ = 0;
  std::string path_;
};

}  // namespace tessera
