// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/growing_array.hpp"
#include "puzzle/geometry.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {

/// Moves of the blank as one number: a leading 1, then two bits per move, the latest move lowest.
using MoveString = std::uint64_t;
inline constexpr MoveString no_moves = 1;

/// Finds duplicate strings of moves, length by length.
///
/// A string from a cell is a duplicate if it leads to a board that another string from that cell
/// reaches with fewer moves, or with as many and earlier in move order. Substrings of a string that
/// is not a duplicate are not duplicates either, so the candidates of length L are the strings that
/// the automaton of shorter duplicates allows. They are generated depth-first, which is in move
/// order, and their boards are entered into a hash table with those reached in L-2 moves (other
/// lengths have the other parity or would show as shorter duplicates). A string whose board is
/// already there is a duplicate that contains no shorter one.
///
/// A table entry is a string and some bits of its board's hash; if these match, both strings are
/// replayed, so a collision is never mistaken for a duplicate. If not all strings fit into the
/// table at once, they are generated several times, each time for a part of the hashes.
class DuplicateMoves {
 public:
  using Row = Pruning::Row;
  static constexpr int most_length = 24;

  /// `table_bytes`: for the hash table of each thread.
  DuplicateMoves(Size size, int threads, std::size_t table_bytes);

  /// The duplicates of the next length, starting with 1, by start cell, in move order. `rows` is
  /// the automaton of all that were found before. Empty if `progress` stopped it.
  [[nodiscard]] std::vector<std::vector<MoveString>> next_length(std::span<const Row> rows,
                                                                 const TableProgress& progress);

  /// The number of strings of the last length that are not duplicates, over all cells.
  [[nodiscard]] std::uint64_t strings() const;

 private:
  Size size_;
  int threads_;
  std::size_t table_bytes_;
  int length_ = 0;
  // By cell: strings of the last length, and of the one before, that are not duplicates.
  std::vector<std::uint64_t> count_;
  std::vector<std::uint64_t> count_before_;
};

/// The automaton of Aho and Corasick (1975) for excluded strings of moves: where a string does not
/// continue, the automaton continues with its longest suffix that starts another one, from the cell
/// where that suffix starts.
class MoveAutomaton {
 public:
  using Row = Pruning::Row;
  using State = Pruning::State;

  explicit MoveAutomaton(Size size);

  /// Excludes more strings, by start cell. None may contain an excluded string.
  void exclude(const std::vector<std::vector<MoveString>>& strings);

  /// The start states come first, by cell.
  [[nodiscard]] std::span<const Row> rows() const { return rows_.span(); }
  /// The same, without the automaton.
  [[nodiscard]] GrowingArray<Row> take() && {
    places_ = {};
    return std::move(rows_);
  }

 private:
  static constexpr State unlinked = Pruning::none - 1;

  struct Place {
    std::uint8_t cell;   // of the blank
    std::uint8_t depth;  // in the tree
  };

  State add(Place place);
  void exclude(State start, MoveString moves);
  void link();
  [[nodiscard]] bool is_child(State child, State parent) const;

  RuntimeGeometry geometry_;
  // A tree of strings for each cell; the last move of an excluded string leads to no node. Moves
  // that leave the tree lead to nodes that are no deeper than their own, so the rows and depths
  // contain the tree.
  GrowingArray<Row> rows_;
  GrowingArray<Place> places_;
};

/// Reduces an automaton to one that excludes the same strings with fewer states: states whose moves
/// lead to the same states are merged, those farthest from the start first, so that their
/// predecessors can be merged too. One pass leaves 1 % more states than the minimum (5x5, depth 16:
/// 1,017,946 of 1,229,388, the minimum is 1,008,068), in a tenth of the time of a complete
/// refinement. States are numbered breadth-first from the first `starts`, which keep their numbers:
/// those that a search visits often stay close together.
void merge(GrowingArray<Pruning::Row>& rows, int starts);

/// The automaton of all duplicates of at most `depth` moves, with merged states. Empty if
/// `progress`, called by the calling thread, stopped it.
[[nodiscard]] GrowingArray<Pruning::Row> build_automaton(Size size, int depth, int threads,
                                                         const TableProgress& progress);

}  // namespace tessera
