// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heuristic/manhattan.hpp"
#include "heuristic/placement_steps.hpp"
#include "pdb/pattern.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// A pattern with its table.
class PatternSlot : public PlacementSteps {
 public:
  /// Opens the table; if it is missing, one thread builds it first.
  PatternSlot(const Instance& instance, const CanonicalPattern& own,
              const std::string& table_directory);
  /// A pattern whose excess is always 0: a single tile, or no tiles.
  PatternSlot() = default;

  /// Half of the excess of the tiles' least number of moves over their Manhattan distance.
  [[nodiscard]] unsigned excess(std::uint32_t index) const {
    return table_[index / 2] >> (4 * (index & 1)) & 15U;
  }
  [[nodiscard]] bool is_unchanged() const { return !owner_ || owner_->is_unchanged(); }
  void prefetch(std::uint32_t index) const { __builtin_prefetch(table_ + index / 2); }

 private:
  static constexpr std::uint8_t nothing = 0;

  std::shared_ptr<const Table> owner_;
  const std::uint8_t* table_ = &nothing;
};

/// One partition's lookup: its slots, numbered across all partitions of a search. Its value is the
/// Manhattan distance plus twice the sum of the slots' excesses.
using View = std::vector<std::uint8_t>;

/// The sum of a view's excesses; `excess` is indexed by slot.
template <class Excess>
[[nodiscard]] unsigned sum_of(const View& view, const Excess& excess) {
  unsigned sum = 0;
  for (const std::size_t slot : view) sum += excess[slot];
  return sum;
}

/// The largest sum of a view.
template <class Excess>
[[nodiscard]] unsigned largest_sum(const std::vector<View>& views, const Excess& excess) {
  unsigned most = 0;
  for (const View& view : views) most = std::max(most, sum_of(view, excess));
  return most;
}

/// Static additive pattern databases (Korf and Felner 2002): the maximum over partitions of
/// Manhattan distance plus the partition's excess. Not consistent: an entry is the minimum over the
/// positions of the blank, and one step can change that by more than one.
class Additive {
 public:
  static constexpr int max_slots = 24;
  /// Each further lookup costs as much as the previous one and gains less, so only one of the
  /// images that the goal allows (with_images) is looked up besides the partition itself.
  static constexpr std::size_t most_images = 2;

  using SlotOf = std::array<std::uint8_t, Size::max_cells>;  ///< by label

  /// Opens the tables; one thread builds those that are missing.
  Additive(const Instance& instance, const std::vector<Partition>& partitions,
           const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  [[nodiscard]] const std::vector<PatternSlot>& slots() const { return slots_; }
  [[nodiscard]] const std::vector<View>& views() const { return views_; }
  /// For each view.
  [[nodiscard]] const std::vector<SlotOf>& slot_of() const { return slot_of_; }
  [[nodiscard]] const Manhattan& manhattan() const { return manhattan_; }
  /// False once a change of a table's file was noticed.
  [[nodiscard]] bool is_unchanged() const {
    return std::ranges::all_of(slots_, &PatternSlot::is_unchanged);
  }

  /// Computes from scratch what a search carries along: `index` and `excess` of each slot.
  template <class State>
  void look_up(const Board& labels, State& state) const {
    const auto cell_of = cells_by_label(labels);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      state.index[slot] = slots_[slot].index_of(cell_of);
      state.excess[slot] = static_cast<std::uint8_t>(slots_[slot].excess(state.index[slot]));
    }
  }

  // ---- as a part of a maximum, node by node

  struct State {
    std::array<std::uint32_t, max_slots> index{};
    std::array<std::uint8_t, max_slots> excess{};
  };
  [[nodiscard]] State start(const Board& labels) const {
    State state;
    look_up(labels, state);
    return state;
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const unsigned before = largest_sum(views_, state.excess);
    for (const SlotOf& slot_of : slot_of_) {
      const std::size_t slot = slot_of[label];
      state.index[slot] = slots_[slot].template stepped<PatternSlot::most_passed>(
          state.index[slot], position, label, step.blank, step.direction);
      state.excess[slot] = static_cast<std::uint8_t>(slots_[slot].excess(state.index[slot]));
    }
    return manhattan_.rise(position, label, step) +
           2 * (static_cast<int>(largest_sum(views_, state.excess)) - static_cast<int>(before));
  }

 private:
  Manhattan manhattan_;
  std::vector<PatternSlot> slots_;
  std::vector<View> views_;
  std::vector<SlotOf> slot_of_;
};

/// The table that a canonical pattern needs.
using PatternRequest = TableRequest (*)(const Pattern&);

/// The tables of all patterns of two or more tiles, without duplicates.
[[nodiscard]] std::vector<TableRequest> pattern_requests(const std::vector<Partition>& partitions,
                                                         Size size, int goal_blank,
                                                         PatternRequest request_of);

/// The tables that these partitions need, each once. Throws Error(resource) for one too large.
[[nodiscard]] std::vector<TableRequest> additive_requests(const std::vector<Partition>& partitions,
                                                          Size size, int goal_blank);

}  // namespace tessera
