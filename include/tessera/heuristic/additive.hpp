// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/heuristic/manhattan.hpp"
#include "tessera/pdb/pattern.hpp"
#include "tessera/pdb/placement_index.hpp"
#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// One pattern as it is looked up in its table: the symmetry that leads to the table's own shape is
/// built into the figures by which a step changes the index.
class PatternSlot {
 public:
  /// The most cells that a step passes in the order of cells of the table: one less than a row's.
  static constexpr int most_passed = 7;

  PatternSlot(const Instance& instance, const Pattern& pattern, std::shared_ptr<const Table> table);
  /// A pattern whose excess is always 0: a single tile, or none.
  PatternSlot() = default;

  /// The index after the tile `label` slid from `next` into `blank`; `position` is before that.
  /// `Passed` is at least the longer side less one.
  template <int Passed, class Position>
  [[nodiscard]] std::uint32_t stepped(std::uint32_t index, const Position& position, unsigned label,
                                      int blank, int direction) const {
    const Passage& passage = passages_[static_cast<std::size_t>(4 * blank + direction)];
    const auto& passed = passed_[label];
    // A step that passes none has the blank's cell here, whose label adds nothing.
    std::uint32_t change = shares_[label][passage.is_row];
    for (int i = 0; i < Passed; ++i) {
      change += passed[position.tile(passage.cells[static_cast<std::size_t>(i)])];
    }
    // The sign, without a branch.
    return index + ((change ^ passage.sign) - passage.sign);
  }

  /// Half of what the tiles' least moves exceed their Manhattan distance by.
  [[nodiscard]] unsigned excess(std::uint32_t index) const {
    return table_[index / 2] >> (4 * (index & 1)) & 15U;
  }
  void prefetch(std::uint32_t index) const { __builtin_prefetch(table_ + index / 2); }

  [[nodiscard]] std::uint32_t index_of(const Board& labels) const;

 private:
  struct Passage {
    std::uint32_t sign = 0;  // all ones where the tile goes towards lower cells
    std::uint8_t is_row = 0;
    std::array<std::uint8_t, most_passed> cells{};  // the blank's where there are fewer
  };
  static constexpr std::uint8_t nothing = 0;

  std::shared_ptr<const Table> owner_;
  const std::uint8_t* table_ = &nothing;
  std::vector<int> labels_;  // in the table's order of tiles
  std::vector<int> image_;   // cells of the board to the table's
  std::vector<Passage> passages_ = std::vector<Passage>(4UL * Size::max_cells);
  std::array<std::array<std::uint32_t, 2>, Size::max_cells> shares_{};
  std::array<std::array<std::uint32_t, Size::max_cells>, Size::max_cells> passed_{};
};

/// One partition of the tiles, looked up: the sum of its patterns' excesses over the Manhattan
/// distance. Slots are numbered over all partitions of a search.
struct PartitionLookup {
  std::array<std::uint8_t, Size::max_cells> slot_of{};  ///< by label
  std::vector<int> slots;
};

/// Static additive pattern databases (Korf and Felner 2002): the maximum over partitions of
/// Manhattan distance plus the partition's excess. Not consistent: an entry is the least over the
/// places of the blank, which one step can change by more than one.
class Additive {
 public:
  static constexpr int max_slots = 24;
  /// Each look-up costs as much as the one before it and gains less, so of the images that the goal
  /// allows (with_images) one is looked up beside the partition.
  static constexpr std::size_t most_images = 2;

  /// Tables are opened, or built first by one thread.
  Additive(const Instance& instance, const std::vector<Partition>& partitions,
           const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  [[nodiscard]] const std::vector<PatternSlot>& slots() const { return slots_; }
  [[nodiscard]] const std::vector<PartitionLookup>& lookups() const { return lookups_; }
  [[nodiscard]] const Manhattan& manhattan() const { return manhattan_; }

  // ---- as a part of a maximum, node by node

  struct State {
    std::array<std::uint32_t, max_slots> index{};
    std::array<std::uint8_t, max_slots> excess{};
  };
  [[nodiscard]] State start(const Board& labels) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const unsigned before = most_excess(state);
    for (const PartitionLookup& lookup : lookups_) {
      const std::size_t slot = lookup.slot_of[label];
      state.index[slot] = slots_[slot].template stepped<PatternSlot::most_passed>(
          state.index[slot], position, label, step.blank, step.direction);
      state.excess[slot] = static_cast<std::uint8_t>(slots_[slot].excess(state.index[slot]));
    }
    return manhattan_.rise(position, label, step) +
           2 * (static_cast<int>(most_excess(state)) - static_cast<int>(before));
  }

 private:
  [[nodiscard]] unsigned most_excess(const State& state) const;

  Manhattan manhattan_;
  std::vector<PatternSlot> slots_;
  std::vector<PartitionLookup> lookups_;
};

/// Which table a canonical pattern needs.
using PatternRequest = TableRequest (*)(const Pattern&);

/// The tables of all patterns of two tiles or more, each once.
[[nodiscard]] std::vector<TableRequest> pattern_requests(const std::vector<Partition>& partitions,
                                                         Size size, int goal_blank,
                                                         PatternRequest request_of);

/// The tables that these partitions need, each once. Throws Error(resource) for one too large.
[[nodiscard]] std::vector<TableRequest> additive_requests(const std::vector<Partition>& partitions,
                                                          Size size, int goal_blank);

}  // namespace tessera
