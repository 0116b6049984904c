// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string_view>

#include "tessera/puzzle/geometry.hpp"
#include "tessera/puzzle/instance.hpp"
#include "tessera/puzzle/position.hpp"

namespace tessera {

/// What a person is told about a heuristic.
struct HeuristicInfo {
  std::string_view name;
  std::string_view summary;
  int max_cells = Size::max_cells;
  bool consistent = true;  ///< f never falls along a path
};

/// A lower bound on the single-tile moves that an instance still needs.
///
/// `evaluate` computes it from scratch. The search keeps no h at all: it asks by how much f = g + h
/// rises on each step (0 or more, as every heuristic here is consistent) and subtracts that from
/// the slack, bound - f.
///
/// `f_step` is d where each move raises f by 0 or d, so that the next bound is always bound + d;
/// 0 where the search has to keep the smallest f beyond the bound.
template <class H>
concept Heuristic = requires(const H& heuristic, const Board& board, const Instance& instance,
                             NibblePosition position, Step<int, int, int> step) {
  { H::info } -> std::convertible_to<HeuristicInfo>;
  { H::f_step } -> std::convertible_to<int>;
  H(instance);
  { heuristic.evaluate(board) } -> std::same_as<int>;
  // position before the step, the label that slides, the step
  { heuristic.rise(position, 1U, step) } -> std::same_as<int>;
};

}  // namespace tessera
