// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string_view>

#include "puzzle/geometry.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/position.hpp"

namespace tessera {

/// What is printed about a heuristic.
struct HeuristicInfo {
  std::string_view name;
  std::string_view summary;
  int max_cells = Size::max_cells;
  bool consistent = true;            ///< f never decreases along a path
  std::string_view limits = "any";   ///< supported sizes
  std::string_view memory = "none";  ///< size of its tables per rank
  std::string_view set_up = "none";  ///< time to build them
};

/// For heuristics whose change on a step depends on the board only.
struct Stateless {
  struct State {};
  static State start(const Board&) { return {}; }
};

/// A lower bound on the single-tile moves that an instance still needs.
///
/// `evaluate` computes it from scratch. The search does not store h: it asks by how much f = g + h
/// rises on each step and subtracts that from the slack, bound - f. If a heuristic is not
/// consistent, f may fall.
///
/// Some heuristics carry a state along a path (such as an index into a table) to make steps cheap:
/// `start` computes it from scratch, `rise` updates it to the state after the step. It is a small
/// value, copied per node; empty if there is nothing to carry.
///
/// `f_step` is d if each move raises f by 0 or d, so that the next bound is always bound + d; 0 if
/// the search has to track the smallest f beyond the bound.
///
/// `unrolled_cells`: up to how many cells a size with its own kernel compiles one for this
/// heuristic too. That pays if a step is very cheap; the others use the run-time geometry, so that
/// a new heuristic does not add one kernel per size to the build.
///
/// Those of the registry have an `info`. If one does not support every size, its `static void
/// require(Size)` throws for the others.
template <class H>
concept Heuristic = requires(const H& heuristic, const Board& board, const Instance& instance,
                             NibblePosition position, Step<int, int, int> step,
                             typename H::State& state) {
  { H::f_step } -> std::convertible_to<int>;
  { H::unrolled_cells } -> std::convertible_to<int>;
  { heuristic.evaluate(board) } -> std::same_as<int>;
  { heuristic.start(board) } -> std::same_as<typename H::State>;
  // the position before the step, the label of the sliding tile, the step, the state to update
  { heuristic.rise(position, 1U, step, state) } -> std::same_as<int>;
};

}  // namespace tessera
