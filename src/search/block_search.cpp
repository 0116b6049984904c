// SPDX-License-Identifier: MIT
#include "tessera/search/block_search.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "tessera/base/error.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/puzzle/position.hpp"

namespace tessera {
namespace {

// Nodes that go through the stages together. More hide a miss better, until their children leave
// the first-level cache.
constexpr std::size_t block_nodes = 24;

// A board of more than 16 cells as a value: a byte a cell.
template <int Cells>
class ByteBoard {
 public:
  ByteBoard() = default;
  explicit ByteBoard(const Board& board) {
    for (int cell = 0; cell < board.size().cells(); ++cell) {
      labels_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(board.tile(cell));
    }
  }
  [[nodiscard]] unsigned tile(int cell) const { return labels_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] ByteBoard slid(int from, int to) const {
    ByteBoard next = *this;
    next.labels_[static_cast<std::size_t>(to)] = labels_[static_cast<std::size_t>(from)];
    next.labels_[static_cast<std::size_t>(from)] = 0;
    return next;
  }

 private:
  std::array<std::uint8_t, Cells> labels_{};
};

struct NoWalk {};

template <class Position, int Passed, int Slots, int Lookups, bool Walks>
class BlockSearch final : public SubtreeSearch {
 public:
  BlockSearch(const Problem& problem, const TableHeuristic& heuristic)
      : SubtreeSearch(problem), heuristic_(heuristic), plain_(problem.kernel == Kernel::plain) {
    const Size size = instance().size();
    offsets_ = {-size.width, -1, 1, size.width};
    for (std::size_t s = 0; s < heuristic_.slots().size(); ++s) slots_[s] = &heuristic_.slots()[s];
  }

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
    stack_[0] = entry_of(root, bound);
    top_ = 1;

    SubtreeResult result;
    std::uint64_t next_poll = control.patience();
    while (top_ > 0) {
      const Entry* const goal = take_block();
      if (goal != nullptr) {
        control.solution_seen();
        if (depth_of(*goal) > history_moves && block_ > 1) return in_order(root, bound, control);
        result.found = true;
        result.solution = way_to(*goal);
        counts_.generated -= unreached(root, result.solution);
        break;
      }
      expand_block();
      if (counts_.expanded - reported_.expanded >= next_poll) {
        result.stopped = !control.keep_going(counts_ - reported_);
        reported_ = counts_;
        next_poll = control.patience();
        if (result.stopped) break;
      }
    }
    if (!result.stopped) control.keep_going(counts_ - reported_);
    result.counts = counts_;
    if (least_excess_ < no_bound) result.next_bound = bound + least_excess_;
    return result;
  }

 private:
  static constexpr int history_moves = 64;

  struct Entry {
    Position position;
    std::array<std::uint32_t, Slots> index;
    std::array<std::uint8_t, Slots> excess;  // by slot
    std::array<std::uint8_t, Lookups> sum;   // by partition
    std::int16_t left;                       // bound - g
    std::int16_t room;                       // that less Manhattan distance
    Pruning::State rule;
    std::int32_t blank;
    std::array<std::uint64_t, 2> history;  // the last moves, two bits each, the last one lowest
    [[no_unique_address]] std::conditional_t<Walks, Walking::State, NoWalk> walk;
  };

  // A child on its way through the stages.
  struct Candidate {
    std::uint16_t parent;
    std::int16_t room;
    std::uint8_t direction;
    std::uint8_t label;
    std::uint8_t next;
    std::array<std::uint8_t, Lookups> slot;
    std::array<std::uint8_t, Lookups> excess;
    std::array<std::uint8_t, Lookups> sum;
    Pruning::State rule;
    std::array<std::uint32_t, Lookups> index;
    [[no_unique_address]] std::conditional_t<Walks, Walking::State, NoWalk> walk;
  };

  Entry entry_of(const Node& root, int bound) const {
    Entry entry{};
    entry.position = Position(root.board);
    entry.left = static_cast<std::int16_t>(bound - root.g);
    entry.room =
        static_cast<std::int16_t>(entry.left - heuristic_.manhattan().evaluate(root.board));
    entry.blank = root.board.blank();
    entry.rule = root.rule;
    for (std::size_t s = 0; s < heuristic_.slots().size(); ++s) {
      entry.index[s] = slots_[s]->index_of(root.board);
      entry.excess[s] = static_cast<std::uint8_t>(slots_[s]->excess(entry.index[s]));
    }
    for (std::size_t q = 0; q < heuristic_.lookups().size(); ++q) {
      for (const int slot : heuristic_.lookups()[q].slots) {
        entry.sum[q] =
            static_cast<std::uint8_t>(entry.sum[q] + entry.excess[static_cast<std::size_t>(slot)]);
      }
    }
    if constexpr (Walks) entry.walk = heuristic_.walking().start(root.board);
    return entry;
  }

  // Takes the block from the stack, goals sorted out; a goal that ends the search is returned.
  const Entry* take_block() {
    taken_ = 0;
    const std::size_t wanted = std::min(block_, top_);
    for (std::size_t i = top_ - wanted; i < top_; ++i) {
      nodes_[taken_] = stack_[i];
      const Entry& node = nodes_[taken_];
      if (block_ == 1) note_path(node);
      if (node.left == node.room) {  // no tile away from home
        ++counts_.solutions;
        if (mode_ != Mode::exhaust) return &node;
        continue;
      }
      ++taken_;
    }
    top_ -= wanted;
    counts_.expanded += taken_;
    return nullptr;
  }

  void expand_block() {
    std::size_t count = make_children();
    if constexpr (Walks) count = walk(count);
    for (std::size_t q = 0; q < heuristic_.lookups().size(); ++q) count = look_up(q, count);
    push(count);
  }

  std::size_t make_children() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < taken_; ++i) {
      const Entry& node = nodes_[i];
      const Pruning::Ways& ways = pruning().ways(node.rule);
      counts_.generated += ways.count;
      for (std::size_t w = 0; w < ways.count; ++w) {
        const int d = ways.direction[w];
        const int next = node.blank + offsets_[static_cast<std::size_t>(d)];
        const unsigned label = node.position.tile(next);
        const Step<int, int, int> step{node.blank, next, d};
        Candidate& child = candidates_[count];
        child.parent = static_cast<std::uint16_t>(i);
        child.room = static_cast<std::int16_t>(
            node.room - heuristic_.manhattan().rise(node.position, label, step));
        child.direction = static_cast<std::uint8_t>(d);
        child.label = static_cast<std::uint8_t>(label);
        child.next = static_cast<std::uint8_t>(next);
        child.rule = ways.next[w];
        live_[count] = static_cast<std::uint16_t>(count);
        const bool stays = child.room >= 0;
        if (!stays && -child.room < least_excess_) [[unlikely]]
          note_excess(child);
        count += stays ? 1 : 0;
      }
    }
    return count;
  }

  std::size_t walk(std::size_t count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      child.walk = node.walk;
      const Step<int, int, int> step{node.blank, child.next, child.direction};
      (void)heuristic_.walking().rise(node.position, child.label, step, child.walk);
      const int beyond = heuristic_.walking().value(child.walk) - (node.left - 1);
      live_[kept] = live_[i];
      const bool stays = beyond <= 0;
      if (!stays && beyond < least_excess_) [[unlikely]]
        note_excess(child);
      kept += stays ? 1 : 0;
    }
    return kept;
  }

  std::size_t look_up(std::size_t q, std::size_t count) {
    const PartitionLookup& lookup = heuristic_.lookups()[q];
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      const std::size_t s = lookup.slot_of[child.label];
      child.slot[q] = static_cast<std::uint8_t>(s);
      child.index[q] = slots_[s]->template stepped<Passed>(
          node.index[s], node.position, child.label, node.blank, child.direction);
      slots_[s]->prefetch(child.index[q]);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      const std::size_t s = child.slot[q];
      const unsigned excess = slots_[s]->excess(child.index[q]);
      const unsigned sum = node.sum[q] - node.excess[s] + excess;
      child.excess[q] = static_cast<std::uint8_t>(excess);
      child.sum[q] = static_cast<std::uint8_t>(sum);
      const int beyond = 2 * static_cast<int>(sum) - child.room;
      live_[kept] = live_[i];
      const bool stays = beyond <= 0;
      if (!stays && beyond < least_excess_) [[unlikely]]
        note_excess(child);
      kept += stays ? 1 : 0;
    }
    return kept;
  }

  void push(std::size_t count) {
    if (top_ + count > stack_.size()) [[unlikely]]
      stack_.resize(2 * (top_ + count));
    for (std::size_t i = count; i-- > 0;) {
      const Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      Entry& entry = stack_[top_++];
      entry = node;
      entry.position = node.position.slid(child.next, node.blank);
      for (std::size_t q = 0; q < heuristic_.lookups().size(); ++q) {
        entry.index[child.slot[q]] = child.index[q];
        entry.excess[child.slot[q]] = child.excess[q];
        entry.sum[q] = child.sum[q];
      }
      entry.left = static_cast<std::int16_t>(node.left - 1);
      entry.room = child.room;
      entry.rule = child.rule;
      pruning().prefetch(child.rule);
      entry.blank = child.next;
      entry.history = {node.history[0] << 2 | child.direction,
                       node.history[1] << 2 | node.history[0] >> 62};
      if constexpr (Walks) entry.walk = child.walk;
    }
  }

  // The smallest f beyond the bound is asked for, and the first stage that puts a node there knows
  // only a bound on its f. Rare: nearly at once some node is as little beyond as can be.
  [[gnu::noinline, gnu::cold]] void note_excess(const Candidate& child) {
    const Entry& node = nodes_[child.parent];
    const Position position = node.position.slid(child.next, node.blank);
    std::vector<std::int64_t> labels;
    for (int cell = 0; cell < instance().size().cells(); ++cell) {
      labels.push_back(static_cast<std::int64_t>(position.tile(cell)));
    }
    const int h = heuristic_.evaluate(Board(instance().size(), labels));
    least_excess_ = std::min(least_excess_, h - (node.left - 1));
  }

  // ---- the way to a solution

  [[nodiscard]] int depth_of(const Entry& node) const { return root_left_ - node.left; }

  // Blocks of one node: the way to the node at hand.
  void note_path(const Entry& node) {
    const auto depth = static_cast<std::size_t>(depth_of(node));
    if (path_.size() < depth) path_.resize(depth);
    if (depth > 0) path_[depth - 1] = letter(static_cast<Direction>(node.history[0] & 3));
  }

  [[nodiscard]] std::string way_to(const Entry& goal) const {
    const auto depth = static_cast<std::size_t>(depth_of(goal));
    if (block_ == 1) return path_.substr(0, depth);
    std::string letters(depth, ' ');
    std::array<std::uint64_t, 2> history = goal.history;
    for (std::size_t i = depth; i-- > 0;) {
      letters[i] = letter(static_cast<Direction>(history[0] & 3));
      history = {history[0] >> 2 | history[1] << 62, history[1] >> 2};
    }
    return letters;
  }

  // Successors behind the solution's own, which depth-first search would not have come to; blocks
  // have no such order, all that they generated counts.
  [[nodiscard]] std::uint64_t unreached(const Node& root, const std::string& solution) const {
    if (block_ > 1) return 0;
    std::uint64_t count = 0;
    Pruning::State rule = root.rule;
    for (const char move : solution) {
      const int direction = static_cast<int>(*direction_of(move));
      count += static_cast<std::uint64_t>(pruning().count_ways(rule, direction + 1));
      rule = pruning().next(rule, direction);
    }
    return count;
  }

  SubtreeResult in_order(const Node& root, int bound, SearchControl& control) {
    struct Patient final : SearchControl {
      bool keep_going(const Counts&) override { return true; }
    } patient;
    control.keep_going(counts_ - reported_);
    const Counts counts = counts_;
    SubtreeResult result = search(root, bound, Mode::first, patient);
    result.counts = counts;
    return result;
  }

  const TableHeuristic heuristic_;
  bool plain_;
  std::array<int, 4> offsets_{};
  std::array<const PatternSlot*, Slots> slots_{};

  Mode mode_ = Mode::any;
  std::size_t block_ = 1;
  Counts counts_;
  Counts reported_;
  int least_excess_ = no_bound;
  int root_left_ = 0;
  std::string path_;
  std::vector<Entry> stack_;
  std::size_t top_ = 0;
  std::size_t taken_ = 0;
  std::array<Entry, block_nodes> nodes_{};
  std::array<Candidate, 4 * block_nodes> candidates_{};
  std::array<std::uint16_t, 4 * block_nodes> live_{};  // candidates that the stages have left
};

template <class Position, int Passed, bool Walks>
std::unique_ptr<SubtreeSearch> make_for(const Problem& problem, const TableHeuristic& heuristic) {
  const std::size_t slots = heuristic.slots().size();
  const std::size_t lookups = heuristic.lookups().size();
  // Small nodes for the largest tables of 4x4, 7-8 and its mirror image.
  if constexpr (Passed == 3) {
    if (slots <= 4 && lookups <= 2) {
      return std::make_unique<BlockSearch<Position, Passed, 4, 2, Walks>>(problem, heuristic);
    }
  }
  if (slots <= 8 && lookups <= 2) {
    return std::make_unique<BlockSearch<Position, Passed, 8, 2, Walks>>(problem, heuristic);
  }
  return std::make_unique<BlockSearch<Position, Passed, Additive::max_slots, 8, Walks>>(problem,
                                                                                        heuristic);
}

template <class Position, int Passed>
std::unique_ptr<SubtreeSearch> make_for(const Problem& problem, const TableHeuristic& heuristic) {
  if constexpr (std::is_same_v<Position, NibblePosition>) {  // walking takes no more than 16 cells
    if (heuristic.walks()) return make_for<Position, Passed, true>(problem, heuristic);
  }
  return make_for<Position, Passed, false>(problem, heuristic);
}

}  // namespace

std::unique_ptr<SubtreeSearch> make_block_search(const Problem& problem) {
  const Size size = problem.instance.size();
  const TableHeuristic heuristic(problem.instance, parse_heuristic(problem.heuristic),
                                 problem.table_directory);
  if (heuristic.lookups().size() > 8) {
    bad_input("heuristic " + problem.heuristic + " has " +
              std::to_string(heuristic.lookups().size()) +
              " partitions, mirror images counted, expected at most 8");
  }
  const int passed = std::max(size.width, size.height) - 1;
  constexpr int most = PatternSlot::most_passed;
  if (size.cells() <= NibblePosition::max_cells) {
    return passed <= 3 ? make_for<NibblePosition, 3>(problem, heuristic)
                       : make_for<NibblePosition, most>(problem, heuristic);
  }
  if (passed <= 4) return make_for<ByteBoard<32>, 4>(problem, heuristic);
  return make_for<ByteBoard<64>, most>(problem, heuristic);
}

}  // namespace tessera
