// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string_view>

#include "tessera/puzzle/geometry.hpp"
#include "tessera/puzzle/instance.hpp"
#include "tessera/puzzle/position.hpp"

namespace tessera {

/// What is printed about a heuristic.
struct HeuristicInfo {
  std::string_view name;
  std::string_view summary;
  int max_cells = Size::max_cells;
  bool consistent = true;            ///< f never falls along a path
  std::string_view limits = "any";   ///< the sizes that it takes
  std::string_view memory = "none";  ///< what its tables hold, a rank
  std::string_view set_up = "none";  ///< how long they take to make
};

/// For heuristics whose rise on a step follows from the board alone.
struct Stateless {
  struct State {};
  static State start(const Board&) { return {}; }
};

/// A lower bound on the single-tile moves that an instance still needs.
///
/// `evaluate` computes it from scratch. The search keeps no h at all: it asks by how much f = g + h
/// rises on each step and subtracts that from the slack, bound - f. Where a heuristic is not
/// consistent f may fall.
///
/// Some heuristics carry a state along a path (an index into a table, say) so that a step costs
/// little: `start` computes it from scratch, `rise` changes it to that after the step. It is a
/// small value, copied a node; empty where there is nothing to carry.
///
/// `f_step` is d where each move raises f by 0 or d, so that the next bound is always bound + d;
/// 0 where the search has to keep the smallest f beyond the bound.
///
/// `unrolled` says whether a size with a kernel of its own compiles one for this heuristic too.
/// That pays where a step costs next to nothing; the others run on the run-time geometry, so that
/// a new heuristic does not add a kernel a size to the build.
///
/// One that does not take every size has `static void require(Size)`, which throws what to say.
template <class H>
concept Heuristic = requires(const H& heuristic, const Board& board, const Instance& instance,
                             NibblePosition position, Step<int, int, int> step,
                             typename H::State& state) {
  { H::info } -> std::convertible_to<HeuristicInfo>;
  { H::f_step } -> std::convertible_to<int>;
  { H::unrolled } -> std::convertible_to<bool>;
  { heuristic.evaluate(board) } -> std::same_as<int>;
  { heuristic.start(board) } -> std::same_as<typename H::State>;
  // position before the step, the label that slides, the step, the state before and after it
  { heuristic.rise(position, 1U, step, state) } -> std::same_as<int>;
};

}  // namespace tessera
