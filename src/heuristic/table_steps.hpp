// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "heuristic/heuristic_spec.hpp"

namespace tessera {

/// A table heuristic for the depth-first kernel, step by step: faster as long as the tables stay in
/// the cache. `Slots` is the maximum; `Passed` as in PlacementSteps::stepped.
template <int Slots, int Passed, bool Walks>
class TableSteps {
 public:
  static constexpr int f_step = 0;
  static constexpr int unrolled_cells = 16;

  struct State {
    std::array<std::uint32_t, Slots> index{};
    std::array<std::uint8_t, Slots> excess{};
    std::array<std::uint8_t, Additive::most_images> sum{};
    std::int16_t manhattan = 0;
    std::int16_t h = 0;
    [[no_unique_address]] std::conditional_t<Walks, Walking::State, Stateless::State> walk;
  };

  [[nodiscard]] static bool holds(const TableHeuristic& tables) {
    return tables.collection() == nullptr && tables.additive().slots().size() <= Slots &&
           tables.walks() == Walks;
  }

  TableSteps(const Instance& instance, const HeuristicSpec& spec,
             const std::string& table_directory)
      : tables_(instance, spec, table_directory), view_count_(additive().views().size()) {
    for (std::size_t s = 0; s < additive().slots().size(); ++s) slots_[s] = &additive().slots()[s];
    for (std::size_t q = 0; q < view_count_; ++q) slot_of_[q] = additive().slot_of()[q];
  }

  [[nodiscard]] int evaluate(const Board& labels) const { return tables_.evaluate(labels); }

  [[nodiscard]] State start(const Board& labels) const {
    State state;
    additive().look_up(labels, state);
    for (std::size_t q = 0; q < view_count_; ++q) {
      state.sum[q] = static_cast<std::uint8_t>(sum_of(additive().views()[q], state.excess));
    }
    state.manhattan = static_cast<std::int16_t>(additive().manhattan().evaluate(labels));
    state.h = static_cast<std::int16_t>(evaluate(labels));
    if constexpr (Walks) state.walk = tables_.walking().start(labels);
    return state;
  }

  /// A board of which `look_up` computes the rest; prefetches what that reads. `cell_of` is the
  /// cell of each label.
  [[nodiscard]] State placed(std::span<const std::uint8_t> cell_of) const {
    static_assert(!Walks);
    State state;
    for (std::size_t s = 0; s < additive().slots().size(); ++s) {
      state.index[s] = slots_[s]->index_of(cell_of);
      slots_[s]->prefetch(state.index[s]);
    }
    return state;
  }
  /// For boards from `placed` whose h is known.
  void look_up(std::span<State> states, std::span<const int> hs) const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      State& state = states[i];
      for (std::size_t s = 0; s < additive().slots().size(); ++s) {
        state.excess[s] = static_cast<std::uint8_t>(slots_[s]->excess(state.index[s]));
      }
      for (std::size_t q = 0; q < view_count_; ++q) {
        state.sum[q] = static_cast<std::uint8_t>(sum_of(additive().views()[q], state.excess));
      }
      const int most = *std::ranges::max_element(state.sum);
      state.h = static_cast<std::int16_t>(hs[i]);
      state.manhattan = static_cast<std::int16_t>(hs[i] - 2 * most);
    }
  }

  template <class Position, class StepT>
  [[nodiscard, gnu::always_inline]] int rise(const Position& position, unsigned label, StepT step,
                                             State& state) const {
    int most = 0;
    for (std::size_t q = 0; q < slot_of_.size(); ++q) {
      if (q >= view_count_) break;
      const std::size_t s = slot_of_[q][label];
      const PatternSlot& slot = *slots_[s];
      state.index[s] = slot.template stepped<Passed>(state.index[s], position, label, step.blank,
                                                     step.direction);
      const unsigned excess = slot.excess(state.index[s]);
      state.sum[q] = static_cast<std::uint8_t>(state.sum[q] - state.excess[s] + excess);
      state.excess[s] = static_cast<std::uint8_t>(excess);
      most = std::max<int>(most, state.sum[q]);
    }
    state.manhattan = static_cast<std::int16_t>(state.manhattan - 1 +
                                                additive().manhattan().rise(position, label, step));
    const int before = state.h;
    int h = state.manhattan + 2 * most;
    if constexpr (Walks) {
      (void)tables_.walking().rise(position, label, step, state.walk);
      h = std::max(h, tables_.walking().value(state.walk));
    }
    state.h = static_cast<std::int16_t>(h);
    return 1 + h - before;
  }

  /// Prefetches the entries that `rise` reads on the same step.
  template <class Position, class StepT>
  void prefetch(const Position& position, unsigned label, StepT step, const State& state) const {
    for (std::size_t q = 0; q < view_count_; ++q) {
      const std::size_t s = slot_of_[q][label];
      const PatternSlot& slot = *slots_[s];
      slot.prefetch(slot.template stepped<Passed>(state.index[s], position, label, step.blank,
                                                  step.direction));
    }
  }

 private:
  // Unlike those of tables_, its functions do not test at every node whether it is a collection.
  [[nodiscard]] const Additive& additive() const { return tables_.additive(); }

  TableHeuristic tables_;
  std::array<const PatternSlot*, Slots> slots_{};
  std::array<Additive::SlotOf, Additive::most_images> slot_of_{};
  std::size_t view_count_;
};

}  // namespace tessera
