// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heuristic/batch_look_up.hpp"
#include "heuristic/heuristic_spec.hpp"

namespace tessera {

/// A collection for searches that store boards. A board stores the cells of its tiles and the
/// excess of each slot. A move looks up only the slots of the moved tile: for the others the blank
/// stays within its region, so their excesses do not change.
///
/// For boards of at most `Cells` cells and collections of at most `Slots` slots.
template <std::size_t Cells, std::size_t Slots>
class CollectionSteps {
 public:
  struct State {
    std::array<std::uint8_t, Cells> cell;    ///< by label
    std::array<std::uint8_t, Slots> excess;  ///< as in AwareSlot
    std::int16_t manhattan;
    std::int16_t h;
  };
  /// A tile's move, and how it changes the Manhattan distance.
  struct Slide {
    std::uint8_t label;
    std::uint8_t from;
    std::uint8_t to;
    std::int8_t change;
  };
  /// in one call of slide
  static constexpr std::size_t most_boards = 64;

  CollectionSteps(const Instance& instance, const HeuristicSpec& spec,
                  const std::string& table_directory)
      : tables_(instance, spec, table_directory),
        batch_(collection().slots(), instance.size().cells()) {
    for (const View& view : collection().views()) {
      if (view.size() == 4) views_of_four_.push_back({view[0], view[1], view[2], view[3]});
      else other_views_.push_back(view);
    }
    for (std::size_t s = 0; s < collection().slots().size(); ++s) {
      for (const std::uint8_t label : collection().slots()[s].labels()) {
        slots_of_[label].push_back(static_cast<std::uint8_t>(s));
      }
    }
  }

  [[nodiscard]] int evaluate(const Board& labels) const { return tables_.evaluate(labels); }

  /// A board of which `look_up` computes the rest. `cell_of` is the cell of each label.
  [[nodiscard]] static State placed(const std::array<std::uint8_t, Cells>& cell_of) {
    State state;
    state.cell = cell_of;
    state.excess.fill(0);  // also of slots that do not exist
    return state;
  }
  /// For boards from `placed` whose h is known.
  void look_up(std::span<State> states, std::span<const int> hs) const {
    std::array<LookUp, most_boards * Slots> look_ups;
    std::size_t count = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t s = 0; s < collection().slots().size(); ++s) {
        look_ups[count++] = {0, static_cast<std::uint16_t>(i), static_cast<std::uint8_t>(s)};
      }
    }
    look_up(states, std::span(look_ups).first(count));
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i].h = static_cast<std::int16_t>(hs[i]);
      states[i].manhattan = static_cast<std::int16_t>(hs[i] - 2 * most_excess(states[i]));
    }
  }

  /// Of the tile with that label.
  template <class StepT>
  [[nodiscard]] Slide slide_of(unsigned label, StepT step) const {
    return {static_cast<std::uint8_t>(label), static_cast<std::uint8_t>(step.next),
            static_cast<std::uint8_t>(step.blank),
            static_cast<std::int8_t>(collection().manhattan().rise(nullptr, label, step) - 1)};
  }

  /// Moves a tile on each of these boards. Prefetches all entries before reading the first one.
  void slide(std::span<State> states, std::span<const Slide> slides) const {
    std::array<LookUp, most_boards * Slots> look_ups;
    std::size_t count = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      State& state = states[i];
      const Slide& slide = slides[i];
      state.cell[slide.label] = slide.to;
      state.cell[0] = slide.from;
      state.manhattan = static_cast<std::int16_t>(state.manhattan + slide.change);
      for (const std::uint8_t slot : slots_of_[slide.label]) {
        look_ups[count++] = {0, static_cast<std::uint16_t>(i), slot};
      }
    }
    look_up(states, std::span(look_ups).first(count));
    for (State& state : states) {
      state.h = static_cast<std::int16_t>(state.manhattan + 2 * most_excess(state));
    }
  }

 private:
  [[nodiscard]] const Collection& collection() const { return *tables_.collection(); }

  void look_up(std::span<State> states, std::span<LookUp> look_ups) const {
    const BatchLookUp::Boards boards{states[0].cell.data(), states[0].excess.data(), sizeof(State)};
    batch_.locate(boards, look_ups);
    batch_.read(boards, look_ups);
  }

  // The largest sum of a view.
  [[nodiscard]] int most_excess(const State& state) const {
    std::array<std::uint8_t, Slots> excess;
    for (std::size_t s = 0; s < Slots; ++s) {
      excess[s] = state.excess[s] & static_cast<std::uint8_t>(~AwareSlot::inexact);
    }
    unsigned most = largest_sum(other_views_, excess);
    for (const auto& [a, b, c, d] : views_of_four_) {
      most = std::max(most, 0U + excess[a] + excess[b] + excess[c] + excess[d]);
    }
    return static_cast<int>(most);
  }

  TableHeuristic tables_;
  BatchLookUp batch_;
  std::vector<std::array<std::uint8_t, 4>> views_of_four_;  // slots
  std::vector<View> other_views_;
  std::array<std::vector<std::uint8_t>, Size::max_cells> slots_of_;  // by label
};

}  // namespace tessera
