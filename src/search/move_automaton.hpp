// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "search/duplicate_moves.hpp"
#include "tessera/puzzle/geometry.hpp"
#include "tessera/search/pruning.hpp"

namespace tessera {

/// The automaton of Aho and Corasick (1975) over strings of moves that are left out: where a string
/// breaks off, its longest end that begins another one goes on, from the cell where that end
/// starts.
class MoveAutomaton {
 public:
  using Row = Pruning::Row;
  using State = Pruning::State;

  explicit MoveAutomaton(Size size);

  /// Leaves out a string from a cell. No part of it is left out.
  void leave_out(int cell, MoveString moves);
  /// Makes the rows anew, with all strings that were left out. The start states come first, by
  /// cell.
  void link();

  [[nodiscard]] std::span<const Row> rows() const { return rows_; }

 private:
  static constexpr State left_out = Pruning::none - 1;

  State add(int cell);

  RuntimeGeometry geometry_;
  // A tree of strings for each cell; of those left out the last move leads to no node.
  std::vector<Row> children_;
  std::vector<std::uint8_t> cells_;  // the blank's, by node
  std::vector<Row> rows_;
};

/// An automaton that leaves out the same strings in fewer states: those whose moves lead to the
/// same states are merged, the farthest from the start first, so that those before them may be
/// merged, too. One pass leaves 1 % more states than there need be (5x5, depth 16: 1,017,946 of
/// 1,229,388, the smallest has 1,008,068), in a tenth of the time of a complete refinement. States
/// are numbered breadth-first from the `starts` first ones, which keep their numbers: those that a
/// search meets often stay close together.
[[nodiscard]] std::vector<Pruning::Row> merged(std::span<const Pruning::Row> rows, int starts);

/// The automaton of all duplicates of at most `depth` moves, its states merged. `progress` is
/// called by the calling thread with the part done, 0 to 1; where it returns false the result is
/// empty.
[[nodiscard]] std::vector<Pruning::Row> build_automaton(
    Size size, int depth, int threads, const std::function<bool(double)>& progress);

}  // namespace tessera
