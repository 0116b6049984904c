// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/machine.hpp"
#include "heuristic/batch_look_up.hpp"
#include "puzzle/position.hpp"
#include "search/kernels/block_frame.hpp"
#include "search/kernels/kernels.hpp"
#include "search/kernels/view_order.hpp"
#include "search/kernels/view_sums.hpp"

namespace tessera {
namespace {

// Fewer slots make a smaller node.
template <int Slots>
constexpr std::size_t block_size = Slots <= 48 ? 40 : 24;

// Capacity for this many cells, views and slots.
template <int Cells, int Views, int Slots, bool Walks>
struct CollectionEntry : BlockNode<Walks> {
  std::array<std::uint8_t, Cells> label;   // by cell
  std::array<std::uint8_t, Cells> cell;    // by tile
  std::array<std::uint8_t, Views> spare;   // moves before the view must be looked up again
  std::array<std::uint8_t, Slots> excess;  // at the slot's last lookup
  std::array<std::uint64_t, (Slots + 63) / 64> stale;  // slots with tiles moved since then
  std::uint64_t tight;                                 // views whose lookup left no move to spare

  [[nodiscard]] unsigned tile(int at) const { return label[static_cast<std::size_t>(at)]; }
};

template <int Cells, int Views, int Slots, bool Walks>
class CollectionSearch final
    : public BlockFrame<CollectionEntry<Cells, Views, Slots, Walks>, Walks, block_size<Slots>> {
  using Entry = CollectionEntry<Cells, Views, Slots, Walks>;
  using Frame = BlockFrame<Entry, Walks, block_size<Slots>>;
  using SlotSet = std::array<std::uint64_t, (Slots + 63) / 64>;

 public:
  CollectionSearch(const Problem& problem, const TableHeuristic& heuristic)
      : Frame(problem, heuristic),
        order_(collection().views().size()),
        batch_(collection().slots(), problem.instance.size().cells()) {
    for (std::size_t s = 0; s < collection().slots().size(); ++s) {
      for (const std::uint8_t label : collection().slots()[s].labels()) add(slots_of_[label], s);
    }
    arrange_views();
  }

 private:
  using Frame::block_nodes;
  using Frame::counts_;
  using Frame::heuristic_;
  using Frame::least_excess_;
  using Frame::manhattan_;
  using Frame::note_excess;
  using Frame::offsets_;
  using Frame::pruning;
  using Frame::stack_;
  using Frame::top_;

  // What a view looks up.
  struct ViewSlots {
    SlotSet set{};
    std::array<std::uint8_t, Cells> slots{};
    std::uint32_t count = 0;
  };

  static void add(SlotSet& set, std::size_t slot) {
    set[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }

  [[nodiscard]] const Collection& collection() const { return *heuristic_.collection(); }

  void begin(int bound) override {
    if (order_.learn(bound)) arrange_views();
  }

  void arrange_views() {
    for (std::size_t v = 0; v < order_.views().size(); ++v) {
      ViewSlots view;
      for (const std::uint8_t slot : collection().views()[order_.views()[v]]) {
        view.slots[view.count++] = slot;
        add(view.set, slot);
      }
      views_[v] = view;
    }
    for (std::size_t byte = 0; byte < Views / 8; ++byte) {
      for (std::size_t some = 1; some < 256; ++some) {
        const auto last = static_cast<std::size_t>(std::bit_width(some)) - 1;
        SlotSet& slots = slots_of_views_[byte][some];
        slots = slots_of_views_[byte][some & ~(std::size_t{1} << last)];
        for (std::size_t word = 0; word < slots.size(); ++word)
          slots[word] |= views_[8 * byte + last].set[word];
      }
    }
    std::vector<View> in_order;
    for (const std::uint8_t v : order_.views()) in_order.push_back(collection().views()[v]);
    has_sums_ = sums_.arrange(in_order);
    all_views_ = order_.views().size() == 64 ? ~std::uint64_t{0}
                                             : (std::uint64_t{1} << order_.views().size()) - 1;
  }

  void set_board(Entry& entry, const Board& board) const override {
    for (int cell = 0; cell < board.size().cells(); ++cell) {
      const int label = board.tile(cell);
      entry.label[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(label);
      entry.cell[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(cell);
    }
    entry.stale.fill(~std::uint64_t{0});  // `spare` 0: its children look up every view
  }

  void expand_block() override {
#if defined(__x86_64__)
    if (has_popcount_) return expand_with_popcount();
#endif
    expand();
  }
#if defined(__x86_64__)
  bool has_popcount_ = vector_support().avx2;
  [[gnu::target("popcnt,bmi,bmi2,avx2")]] void expand_with_popcount() {
    expand();
  }
#endif

  [[gnu::always_inline]] void expand() {
    const std::size_t count = make_children();
    if (live_count_ > 0) look_up<1>();
    while (live_count_ > 0) look_up<4>();
    push(count);
  }

  [[gnu::always_inline]] std::size_t make_children() {
    std::size_t count = 0;
    live_count_ = 0;
    for (const Entry& node : this->block()) {
      for (unsigned open = pruning().open(node.rule); open != 0; open &= open - 1) {
        ++counts_.generated;
        const int d = std::countr_zero(open);
        const int blank = node.cell[0];
        const int next = blank + offsets_[static_cast<std::size_t>(d)];
        const unsigned label = node.tile(next);
        Entry& child = children_[count];
        child = node;
        child.label[static_cast<std::size_t>(blank)] = static_cast<std::uint8_t>(label);
        child.label[static_cast<std::size_t>(next)] = 0;
        child.cell[label] = static_cast<std::uint8_t>(blank);
        child.left = static_cast<std::int16_t>(node.left - 1);
        const Step<int, int, int> step{blank, next, d};
        child.room = static_cast<std::int16_t>(node.room - manhattan_.rise(node, label, step));
        child.rule = pruning().next(node.rule, d);
        child.cell[0] = static_cast<std::uint8_t>(next);
        child.history = node.history.after(d);
        if (!stays(child, -child.room)) continue;
        if constexpr (Walks)
          begun_[count] = heuristic_.walking().begin(node, label, step, child.walk);
        for (std::size_t word = 0; word < child.stale.size(); ++word) {
          child.stale[word] |= slots_of_[label][word];
        }
        due_[count] = this->plain_ ? all_views_ : spend(child.spare) & all_views_;
        likely_[count] = due_[count] & node.tight;
        child.tight = 0;
        alive_[count++] = true;
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      if constexpr (Walks) alive_[c] = walk(c);
      live_[live_count_] = static_cast<std::uint16_t>(c);
      live_count_ += alive_[c] && due_[c] != 0 ? 1 : 0;
    }
    return count;
  }

  // Whether walking distance leaves the child within the bound.
  [[gnu::always_inline]] bool walk(std::size_t c) {
    Entry& child = children_[c];
    heuristic_.walking().finish(begun_[c], child.walk);
    return stays(child, Walking::value(child.walk) - child.left);
  }

  // Whether a child is within the bound; its f is at least `beyond` above it.
  [[gnu::always_inline]] bool stays(const Entry& child, int beyond) {
    if (beyond > 0 && beyond < least_excess_) [[unlikely]]
      note_excess(child, child.left);
    return beyond <= 0;
  }

  // Counts a move in each view's byte; returns those that had none to spare as bits.
  [[gnu::always_inline]] static std::uint64_t spend(std::array<std::uint8_t, Views>& spare) {
    constexpr std::uint64_t low = 0x0101010101010101;
    std::uint64_t due = 0;
    for (std::size_t i = 0; i < Views; i += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, spare.data() + i, sizeof bytes);
      const std::uint64_t some = ((bytes & ~(low << 7)) + ~(low << 7)) | bytes;  // by high bit
      const std::uint64_t ones = some >> 7 & low;
      bytes -= ones;
      std::memcpy(spare.data() + i, &bytes, sizeof bytes);
      due |= ((~ones & low) * 0x0102040810204080 >> 56) << i;
    }
    return due;
  }

  // Looks up the next due views of each child: prefetches entries, then reads, then sums them.
  template <int views>
  [[gnu::always_inline]] void look_up() {
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < live_count_; ++i) {
      const std::size_t c = live_[i];
      const SlotSet slots = take_views<views>(c);
      Entry& child = children_[c];
      for (std::size_t word = 0; word < slots.size(); ++word) {
        std::uint64_t left = slots[word] & child.stale[word];
        child.stale[word] &= ~left;
        const auto count = static_cast<std::size_t>(std::popcount(left));
        // In groups of four: their number is hard to predict.
        for (std::size_t n = 0; n < count; n += 4) {
          for (std::size_t k = 0; k < 4; ++k, left &= left - 1) {
            const auto s = static_cast<std::uint8_t>(
                64 * word + static_cast<std::size_t>(std::countr_zero(left)));
            look_ups_[wanted + n + k] = {0, static_cast<std::uint16_t>(c), s};
          }
        }
        wanted += count;
      }
    }
    const BatchLookUp::Boards boards{children_[0].cell.data(), children_[0].excess.data(),
                                     sizeof(Entry)};
    const std::span<LookUp> look_ups{look_ups_.data(), wanted};
    batch_.locate(boards, look_ups);
    batch_.read(boards, look_ups);
    judge_live();
  }

  // The next views to look up, first those that were close to the bound at the parent, and their
  // slots.
  template <int views>
  [[gnu::always_inline]] SlotSet take_views(std::size_t child) {
    const std::uint64_t due = due_[child];
    const std::uint64_t from = likely_[child] != 0 ? likely_[child] : due;
    std::uint64_t left = from;
    for (int n = 0; n < views; ++n) left &= left - 1;
    const std::uint64_t taken = from & ~left;
    due_[child] = due & ~taken;
    likely_[child] = views == 1 ? 0 : likely_[child] & ~taken;
    taken_views_[child] = taken;
    SlotSet slots{};
    for (std::size_t byte = 0; byte < Views / 8; ++byte) {
      const SlotSet& some = slots_of_views_[byte][taken >> (8 * byte) & 255];
      for (std::size_t word = 0; word < slots.size(); ++word) slots[word] |= some[word];
    }
    return slots;
  }

  // Keeps the children that are within the bound after this round and still have views due.
  [[gnu::always_inline]] void judge_live() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < live_count_; ++i) {
      const std::size_t c = live_[i];
      alive_[c] = judge(children_[c], taken_views_[c]);
      live_[kept] = static_cast<std::uint16_t>(c);
      kept += alive_[c] && due_[c] != 0 ? 1 : 0;
    }
    live_count_ = kept;
  }

  // Whether no view puts the child beyond the bound.
  [[gnu::always_inline]] bool judge(Entry& child, std::uint64_t views) {
    bool within = false;
    bool is_judged = false;
    if (has_sums_) {
      const auto verdict = sums_.judge(child.excess, child.room, views, child.spare);
      is_judged = verdict.exact;
      within = verdict.within;
      child.tight |= verdict.tight;
    }
    if (!is_judged) [[unlikely]]
      within = judge_one_by_one(child, views);
    // All f beyond the bound have the same parity.
    if (!within && least_excess_ > 2) [[unlikely]]
      note_excess(child, child.left);
    if (order_.wants_sample(!within)) [[unlikely]]
      take_sample(child);
    return within;
  }

  bool judge_one_by_one(Entry& child, std::uint64_t views) {
    for (; views != 0; views &= views - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(views));
      unsigned sum = 0;
      unsigned marks = 0;
      for (std::uint32_t i = 0; i < views_[v].count; ++i) {
        const unsigned excess = child.excess[views_[v].slots[i]];
        sum += excess & ~AwareSlot::inexact;
        marks |= excess;
      }
      const int left = child.room - 2 * static_cast<int>(sum);
      if (left < 0) return false;
      const bool exact = (marks & AwareSlot::inexact) == 0;
      const int spare = exact ? std::min(left / 2, 255) : 0;
      child.spare[v] = static_cast<std::uint8_t>(spare);
      child.tight |= std::uint64_t{spare == 0 ? 1U : 0U} << v;
    }
    return true;
  }

  void push(std::size_t count) {
    this->reserve(count + 1);
    for (std::size_t i = count; i-- > 0;) {
      // Branch-free: whether a child is kept is hard to predict.
      pruning().prefetch(children_[i].rule);
      stack_[top_] = children_[i];
      top_ += alive_[i] ? 1 : 0;
    }
  }

  // ---- rare

  // Records the views that put the child beyond the bound.
  [[gnu::noinline, gnu::cold]] void take_sample(const Entry& child) {
    std::uint64_t views = 0;
    for (std::size_t v = 0; v < collection().views().size(); ++v) {
      unsigned sum = 0;
      for (const std::uint8_t s : collection().views()[v]) {
        const AwareSlot& slot = collection().slots()[s];
        sum += slot.excess(slot.placement(child.cell), child.cell[0]) & ~AwareSlot::inexact;
      }
      if (2 * static_cast<int>(sum) > child.room) views |= std::uint64_t{1} << v;
    }
    order_.add_sample(views);
  }

  static constexpr std::size_t most_children = 4 * block_nodes;

  ViewOrder order_;
  BatchLookUp batch_;
  std::array<ViewSlots, Views> views_{};   // in the order of use
  std::array<SlotSet, Cells> slots_of_{};  // by label
  std::array<std::array<SlotSet, 256>, Views / 8> slots_of_views_{};
  ViewSums<Views, Slots> sums_;
  bool has_sums_ = false;
  std::uint64_t all_views_ = 0;

  std::array<Entry, most_children> children_{};
  std::array<std::uint64_t, most_children> due_{};                 // views still to look up
  std::array<std::uint64_t, most_children> likely_{};              // of those, the likely ones
  std::array<std::uint64_t, most_children> taken_views_{};         // in this round
  std::array<Walking::Begun, Walks ? most_children : 0> begun_{};  // their walking steps
  std::array<bool, most_children> alive_{};
  std::array<std::uint16_t, most_children> live_{};  // children with views due
  std::size_t live_count_ = 0;
  std::array<LookUp, most_children * Slots + 4> look_ups_;
};

template <int Cells, bool Walks>
std::unique_ptr<SubtreeSearch> make_for(const Problem& problem, const TableHeuristic& heuristic) {
  const std::size_t views = heuristic.collection()->views().size();
  const std::size_t slots = heuristic.collection()->slots().size();
  if (views <= 16 && slots <= 32) {
    return std::make_unique<CollectionSearch<Cells, 16, 32, Walks>>(problem, heuristic);
  }
  if (views <= 16 && slots <= 48) {  // pdb:medium
    return std::make_unique<CollectionSearch<Cells, 16, 48, Walks>>(problem, heuristic);
  }
  if (views <= 32 && slots <= 64) {
    return std::make_unique<CollectionSearch<Cells, 32, 64, Walks>>(problem, heuristic);
  }
  return std::make_unique<
      CollectionSearch<Cells, Collection::most_views, Collection::most_slots, Walks>>(problem,
                                                                                      heuristic);
}

}  // namespace

std::unique_ptr<SubtreeSearch> make_collection_search(const Problem& problem,
                                                      const TableHeuristic& heuristic) {
  if (heuristic.walks()) return make_for<32, true>(problem, heuristic);
  if (problem.instance.size().cells() <= 32) return make_for<32, false>(problem, heuristic);
  return make_for<64, false>(problem, heuristic);
}

}  // namespace tessera
