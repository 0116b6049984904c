// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tessera/puzzle/geometry.hpp"
#include "tessera/search/pruning.hpp"

namespace tessera {

/// Moves of the blank as one number: a leading 1, then two bits per move, the last move lowest.
using MoveString = std::uint64_t;
inline constexpr MoveString no_moves = 1;

/// Finds duplicate strings of moves, length by length.
///
/// A string from a cell is a duplicate if it leads to a board that another string from that cell
/// reaches with fewer moves, or with as many and earlier in move order. Parts of a string that is
/// no duplicate are none either, so the strings of length L to look at are those that the automaton
/// of the duplicates of less than L moves leaves. They are walked depth-first, which is in move
/// order, and their boards entered into a hash table with those reached in L-2 moves (other lengths
/// give other parities or would show as shorter duplicates). What is found already makes a
/// duplicate, and one without a duplicate as a part of it.
///
/// An entry of the table is a string and some bits of its board's hash; where these agree, both
/// strings are replayed, so that no collision is taken for a duplicate. Strings whose boards do not
/// fit into the table at once are walked several times, each time for a part of the hashes.
class DuplicateMoves {
 public:
  using Row = Pruning::Row;
  /// Called by the calling thread with the part done of a length, 0 to 1; false ends it.
  using Progress = std::function<bool(double)>;
  static constexpr int most_length = 24;

  /// `table_bytes` for the hash table of each thread.
  DuplicateMoves(Size size, int threads, std::size_t table_bytes);

  /// The duplicates of the next length, first 1, by the cell that they start from, in move order.
  /// `rows` is the automaton of all that were found before. Empty where `progress` ended it.
  [[nodiscard]] std::vector<std::vector<MoveString>> next_length(std::span<const Row> rows,
                                                                 const Progress& progress);

  /// Strings of the last length that are no duplicates, over all cells.
  [[nodiscard]] std::uint64_t strings() const;

 private:
  Size size_;
  int threads_;
  std::size_t table_bytes_;
  int length_ = 0;
  // By cell: strings of the last length, and of the one before, that are no duplicates.
  std::vector<std::uint64_t> count_;
  std::vector<std::uint64_t> count_before_;
};

/// The automaton of Aho and Corasick (1975) over strings of moves that are left out: where a string
/// breaks off, its longest end that begins another one goes on, from the cell where that end
/// starts.
class MoveAutomaton {
 public:
  using Row = Pruning::Row;
  using State = Pruning::State;

  explicit MoveAutomaton(Size size);

  /// Leaves out more strings, by the cell that they start from. No part of them is left out.
  void leave_out(const std::vector<std::vector<MoveString>>& strings);

  /// The start states come first, by cell.
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }

 private:
  static constexpr State left_out = Pruning::none - 1;

  State add(int cell);
  void leave_out(State start, MoveString moves);
  void link();

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
