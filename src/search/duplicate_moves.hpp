// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tessera/puzzle/size.hpp"
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

}  // namespace tessera
