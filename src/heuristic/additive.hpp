// SPDX-License-Identifier: MIT
#pragma once

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
  void prefetch(std::uint32_t index) const { __builtin_prefetch(table_ + index / 2); }

 private:
  static constexpr std::uint8_t nothing = 0;

  std::shared_ptr<const Table> owner_;
  const std::uint8_t* table_ = &nothing;
};

/// The lookup of one partition: the sum of its patterns' excesses over the Manhattan distance.
/// Slots are numbered across all partitions of a search.
struct PartitionLookup {
  std::array<std::uint8_t, Size::max_cells> slot_of{};  ///< by label
  std::vector<std::size_t> slots;

  /// The sum of the partition's excesses; `excess` is indexed by slot.
  template <class Excess>
  [[nodiscard]] unsigned sum(const Excess& excess) const {
    unsigned sum = 0;
    for (const std::size_t slot : slots) sum += excess[slot];
    return sum;
  }
};

/// Static additive pattern databases (Korf and Felner 2002): the maximum over partitions of
/// Manhattan distance plus the partition's excess. Not consistent: an entry is the minimum over the
/// positions of the blank, and one step can change that by more than one.
class Additive {
 public:
  static constexpr int max_slots = 24;
  /// Each further lookup costs as much as the previous one and gains less, so only one of the
  /// images that the goal allows (with_images) is looked up besides the partition itself.
  static constexpr std::size_t most_images = 2;

  /// Opens the tables; one thread builds those that are missing.
  Additive(const Instance& instance, const std::vector<Partition>& partitions,
           const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  [[nodiscard]] const std::vector<PatternSlot>& slots() const { return slots_; }
  [[nodiscard]] const std::vector<PartitionLookup>& lookups() const { return lookups_; }
  [[nodiscard]] const Manhattan& manhattan() const { return manhattan_; }

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
