// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/heuristic/batch_look_up.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// A collection for beam search. A board carries the cells of its tiles and the excess of each
/// slot. A move looks up the slots of the tile that slid and no others: there the blank stays
/// within its region, so their excesses do not change.
///
/// At most `Cells` cells, and `Slots` slots: views with slots beyond are left out.
template <std::size_t Cells, std::size_t Slots>
class CollectionSteps {
 public:
  static constexpr HeuristicInfo info{.name = "collection",
                                      .summary = "a collection of partitions, looked up",
                                      .consistent = false};
  static constexpr int f_step = 0;
  static constexpr bool unrolled = false;

  struct State {
    std::array<std::uint8_t, Cells> cell;    ///< by label
    std::array<std::uint8_t, Slots> excess;  ///< as AwareSlot has it
    std::int16_t manhattan;
    std::int16_t h;
  };
  /// A tile's move and what it changes the Manhattan distance by.
  struct Slide {
    std::uint8_t label;
    std::uint8_t from;
    std::uint8_t to;
    std::int8_t change;
  };
  /// That slide together.
  static constexpr std::size_t most_boards = 64;

  explicit CollectionSteps(const Problem& problem)
      : tables_(problem.instance, parse_heuristic(problem.heuristic), problem.table_directory),
        batch_(collection().slots(), problem.instance.size().cells()) {
    for (const Collection::View& view : collection().views()) {
      if (std::any_of(view.begin(), view.end(), [](std::size_t slot) { return slot >= Slots; })) {
        continue;
      }
      views_.push_back(view);
      for (const std::uint8_t slot : view) add(slot);
    }
  }

  [[nodiscard]] int evaluate(const Board& labels) const { return start(labels).h; }

  [[nodiscard]] State start(const Board& labels) const {
    State state{};
    for (int cell = 0; cell < labels.size().cells(); ++cell) {
      state.cell[static_cast<std::size_t>(labels.tile(cell))] = static_cast<std::uint8_t>(cell);
    }
    for (const Collection::View& view : views_) {
      for (const std::uint8_t s : view) {
        const AwareSlot& slot = collection().slots()[s];
        state.excess[s] =
            static_cast<std::uint8_t>(slot.excess(slot.placement(state.cell), labels.blank()));
      }
    }
    state.manhattan = static_cast<std::int16_t>(collection().manhattan().evaluate(labels));
    set_h(state);
    return state;
  }

  template <class Position, class StepT>
  [[nodiscard]] Slide slide_of(const Position& position, StepT step) const {
    const unsigned label = position.tile(step.next);
    return {static_cast<std::uint8_t>(label), static_cast<std::uint8_t>(step.next),
            static_cast<std::uint8_t>(step.blank),
            static_cast<std::int8_t>(collection().manhattan().rise(position, label, step) - 1)};
  }

  /// Slides a tile on each of these boards. All entries are asked for before the first one is read.
  void slide(std::span<State> states, std::span<const Slide> slides) const {
    std::array<LookUp, most_boards * Slots> look_ups;
    std::size_t count = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Slide& slide = slides[i];
      states[i].cell[slide.label] = slide.to;
      states[i].cell[0] = slide.from;
      states[i].manhattan = static_cast<std::int16_t>(states[i].manhattan + slide.change);
      for (const std::uint8_t slot : slots_of_[slide.label]) {
        look_ups[count++] = {0, static_cast<std::uint16_t>(i), slot};
      }
    }
    const BatchLookUp::Boards boards{states[0].cell.data(), states[0].excess.data(), sizeof(State)};
    const std::span<LookUp> wanted(look_ups.data(), count);
    batch_.locate(boards, wanted);
    batch_.read(boards, wanted);
    for (State& state : states) set_h(state);
  }

 private:
  [[nodiscard]] const Collection& collection() const { return *tables_.collection(); }

  void add(std::uint8_t slot) {
    for (std::size_t label = 1; label < slots_of_.size(); ++label) {
      std::vector<std::uint8_t>& slots = slots_of_[label];
      if ((collection().slots()[slot].labels() >> label & 1) == 0) continue;
      if (std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.push_back(slot);
    }
  }

  void set_h(State& state) const {
    unsigned most = 0;
    for (const Collection::View& view : views_) {
      unsigned sum = 0;
      for (const std::uint8_t slot : view) sum += state.excess[slot] & ~AwareSlot::inexact;
      most = std::max(most, sum);
    }
    state.h = static_cast<std::int16_t>(state.manhattan + 2 * static_cast<int>(most));
  }

  TableHeuristic tables_;
  BatchLookUp batch_;
  std::vector<Collection::View> views_;
  std::array<std::vector<std::uint8_t>, Size::max_cells> slots_of_;  // by label
};

}  // namespace tessera
