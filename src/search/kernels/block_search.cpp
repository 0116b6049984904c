// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>

#include "puzzle/position.hpp"
#include "search/kernels/block_frame.hpp"
#include "search/kernels/kernels.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_lookups = Additive::most_images;

// A node on the stack.
template <class Position, int Slots, bool Walks>
struct BlockEntry : BlockNode<Walks> {
  Position position;
  std::array<std::uint32_t, Slots> index;
  std::array<std::uint8_t, Slots> excess;      // by slot
  std::array<std::uint8_t, most_lookups> sum;  // by view
  std::int32_t blank;
};

template <class Position, int Passed, int Slots, bool Walks>
class BlockSearch final : public BlockFrame<BlockEntry<Position, Slots, Walks>, Walks> {
  using Entry = BlockEntry<Position, Slots, Walks>;
  using Frame = BlockFrame<Entry, Walks>;

 public:
  BlockSearch(const Problem& problem, const TableHeuristic& heuristic) : Frame(problem, heuristic) {
    for (std::size_t s = 0; s < additive().slots().size(); ++s) slots_[s] = &additive().slots()[s];
  }

 private:
  using Frame::block_nodes;
  using Frame::counts_;
  using Frame::heuristic_;
  using Frame::least_excess_;
  using Frame::manhattan_;
  using Frame::offsets_;
  using Frame::pruning;
  using Frame::stack_;
  using Frame::top_;

  // A child on its way through the stages.
  struct Candidate {
    std::uint16_t parent;
    std::int16_t room;
    std::uint8_t direction;
    std::uint8_t label;
    std::uint8_t next;
    std::array<std::uint8_t, most_lookups> slot;
    std::array<std::uint8_t, most_lookups> excess;
    std::array<std::uint8_t, most_lookups> sum;
    Pruning::State rule;
    std::array<std::uint32_t, most_lookups> index;
    [[no_unique_address]] WalkState<Walks> walk;
  };

  [[nodiscard]] const Additive& additive() const { return heuristic_.additive(); }

  void set_board(Entry& entry, const Board& board) const override {
    entry.position = Position(board);
    entry.blank = board.blank();
    additive().look_up(board, entry);
    for (std::size_t q = 0; q < additive().views().size(); ++q) {
      entry.sum[q] = static_cast<std::uint8_t>(sum_of(additive().views()[q], entry.excess));
    }
  }

  void expand_block() override {
    std::size_t count = make_children();
    if constexpr (Walks) count = walk(count);
    for (std::size_t q = 0; q < additive().views().size(); ++q) count = look_up(q, count);
    push(count);
  }

  std::size_t make_children() {
    const std::span<const Entry> block = this->block();
    std::ranges::copy(block, nodes_.begin());  // children overwrite them
    std::size_t count = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Entry& node = nodes_[i];
      for (unsigned open = pruning().open(node.rule); open != 0; open &= open - 1) {
        ++counts_.generated;
        const int d = std::countr_zero(open);
        const int next = node.blank + offsets_[static_cast<std::size_t>(d)];
        const unsigned label = node.position.tile(next);
        const Step<int, int, int> step{node.blank, next, d};
        Candidate& child = candidates_[count];
        child.parent = static_cast<std::uint16_t>(i);
        child.room =
            static_cast<std::int16_t>(node.room - manhattan_.rise(node.position, label, step));
        child.direction = static_cast<std::uint8_t>(d);
        child.label = static_cast<std::uint8_t>(label);
        child.next = static_cast<std::uint8_t>(next);
        child.rule = pruning().next(node.rule, d);
        live_[count] = static_cast<std::uint16_t>(count);
        count += stays(child, -child.room) ? 1 : 0;
      }
    }
    return count;
  }

  std::size_t walk(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      child.walk = node.walk;
      const Step<int, int, int> step{node.blank, child.next, child.direction};
      begun_[i] = heuristic_.walking().begin(node.position, child.label, step, child.walk);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      heuristic_.walking().finish(begun_[i], child.walk);
      const int beyond = Walking::value(child.walk) - (nodes_[child.parent].left - 1);
      live_[kept] = live_[i];
      kept += stays(child, beyond) ? 1 : 0;
    }
    return kept;
  }

  std::size_t look_up(std::size_t q, std::size_t count) {
    const Additive::SlotOf& slot_of = additive().slot_of()[q];
    for (std::size_t i = 0; i < count; ++i) {
      Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      const std::size_t s = slot_of[child.label];
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
      kept += stays(child, beyond) ? 1 : 0;
    }
    return kept;
  }

  void push(std::size_t count) {
    this->reserve(count);
    for (std::size_t i = count; i-- > 0;) {
      const Candidate& child = candidates_[live_[i]];
      const Entry& node = nodes_[child.parent];
      Entry& entry = stack_[top_++];
      entry = node;
      entry.position = node.position.slid(child.next, node.blank);
      for (std::size_t q = 0; q < additive().views().size(); ++q) {
        entry.index[child.slot[q]] = child.index[q];
        entry.excess[child.slot[q]] = child.excess[q];
        entry.sum[q] = child.sum[q];
      }
      entry.left = static_cast<std::int16_t>(node.left - 1);
      entry.room = child.room;
      entry.rule = child.rule;
      pruning().prefetch(child.rule);
      entry.blank = child.next;
      entry.history = node.history.after(child.direction);
      if constexpr (Walks) entry.walk = child.walk;
    }
  }

  // Whether a child is within the bound; its f is `beyond` above it.
  [[gnu::always_inline]] bool stays(const Candidate& child, int beyond) {
    if (beyond > 0 && beyond < least_excess_) [[unlikely]]
      note_excess(child);
    return beyond <= 0;
  }

  [[gnu::noinline, gnu::cold]] void note_excess(const Candidate& child) {
    const Entry& node = nodes_[child.parent];
    Frame::note_excess(node.position.slid(child.next, node.blank), node.left - 1);
  }

  std::array<const PatternSlot*, Slots> slots_{};
  std::array<Entry, block_nodes> nodes_{};
  std::array<Candidate, 4 * block_nodes> candidates_{};
  std::array<Walking::Begun, 4 * block_nodes> begun_{};  // steps of live candidates
  std::array<std::uint16_t, 4 * block_nodes> live_{};    // candidates that passed the stages so far
};

template <class Position, int Passed, bool Walks>
std::unique_ptr<SubtreeSearch> make_for(const Problem& problem, const TableHeuristic& heuristic) {
  const std::size_t slots = heuristic.additive().slots().size();
  // Small nodes for the largest tables of 4x4, 7-8 and its mirror image.
  if constexpr (Passed == 3) {
    if (slots <= 4) {
      return std::make_unique<BlockSearch<Position, Passed, 4, Walks>>(problem, heuristic);
    }
  }
  if (slots <= 8) {
    return std::make_unique<BlockSearch<Position, Passed, 8, Walks>>(problem, heuristic);
  }
  return std::make_unique<BlockSearch<Position, Passed, Additive::max_slots, Walks>>(problem,
                                                                                     heuristic);
}

template <class Position, int Passed>
std::unique_ptr<SubtreeSearch> make_for(const Problem& problem, const TableHeuristic& heuristic) {
  return heuristic.walks() ? make_for<Position, Passed, true>(problem, heuristic)
                           : make_for<Position, Passed, false>(problem, heuristic);
}

}  // namespace

std::unique_ptr<SubtreeSearch> make_block_search(const Problem& problem) {
  const Size size = problem.instance.size();
  const TableHeuristic heuristic(problem.instance, parse_heuristic(problem.heuristic),
                                 problem.table_directory);
  if (heuristic.collection() != nullptr) return make_collection_search(problem, heuristic);
  const int passed = std::max(size.width, size.height) - 1;
  constexpr int most = PatternSlot::most_passed;
  if (size.cells() <= NibblePosition::max_cells) {
    return passed <= 3 ? make_for<NibblePosition, 3>(problem, heuristic)
                       : make_for<NibblePosition, most>(problem, heuristic);
  }
  if (passed <= 4) return make_for<BytePosition<32>, 4>(problem, heuristic);
  return make_for<BytePosition<64>, most>(problem, heuristic);
}

}  // namespace tessera
