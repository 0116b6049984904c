// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/growing_array.hpp"
#include "base/memory.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/size.hpp"
#include "search/pruning/prune_rule.hpp"

namespace tessera {

/// First moves of a board that is its own mirror image: what each leads to is the mirror image of
/// what another first move leads to.
struct MirroredMoves {
  std::uint8_t cell = 0;        ///< of the blank
  std::uint8_t directions = 0;  ///< bit d for direction d

  auto operator<=>(const MirroredMoves&) const = default;
};
/// Of each set of first moves that symmetries of the grid map to one another, all but the first in
/// move order; none unless such a symmetry maps start and goal to themselves.
[[nodiscard]] MirroredMoves mirrored_moves(const Instance& instance);

/// Which moves a search skips because of the moves before: an automaton that reads the blank's
/// directions. A state determines the blank's cell, so it also excludes moves off the board.
///
/// `none` skips no move, `parent` the one straight back. `fsm:DEPTH` (Taylor, Korf 1993) skips
/// every move that completes a string of at most DEPTH moves if another string leads from the same
/// cell to the same board and is shorter, or equally long and earlier in move order. Sound for IDA*
/// with any admissible heuristic: the first optimal solution in move order contains no skipped
/// string, since substituting the other one would give a shorter or earlier solution. Nor does it
/// begin with a mirrored move, since its mirror image would be earlier.
class Pruning {
 public:
  Pruning(const Pruning&) = delete;
  Pruning& operator=(const Pruning&) = delete;

  using State = std::uint32_t;
  static constexpr State none = ~State{0};
  using Row = std::array<State, 4>;  ///< the next state by direction, none if it is skipped

  /// The rule on boards of that size; built once per process and shared. Automata that take long to
  /// build (`stored_as`) are stored in the table folder, as a table whose payload is the rows; a
  /// damaged one is rebuilt, and if the folder is not writable the automaton stays in memory.
  /// `directory`, `threads` and `progress` as for open_table. Throws Error(input) for a depth too
  /// large for the size; null if `progress` stopped the build. Mirror images count only with a
  /// start:
  static std::shared_ptr<const Pruning> of(PruneRule rule, Size size,
                                           const std::string& directory = {}, int threads = 1,
                                           const TableProgress& progress = {});
  /// The rule for one board. With `mirror` and mirrored moves, a copy of the automaton.
  static std::shared_ptr<const Pruning> of(PruneRule rule, const Instance& instance,
                                           const std::string& directory);
  /// Drops automata that no search uses, as SharedCache::release.
  static std::uint64_t release(std::uint64_t most_bytes);
  /// The key of the rule's table in the table folder, if it is stored there. Throws like `of`.
  [[nodiscard]] static std::optional<TableKey> stored_as(PruneRule rule, Size size);

  /// The state of a node without a previous move.
  [[nodiscard]] State start(int cell) const { return static_cast<State>(cell); }
  /// The state after the blank moved in `direction`, or none if it may not.
  [[nodiscard]] State next(State state, int direction) const {
    return rows_[state][static_cast<std::size_t>(direction)];
  }
  /// Prefetches the state's row: deep automata exceed the cache.
  void prefetch(State state) const { __builtin_prefetch(&rows_[state]); }

  /// The directions that a state allows, bit d for direction d.
  [[nodiscard]] unsigned open(State state) const {
    const Row& row = rows_[state];
    unsigned open = 0;
    for (unsigned d = 0; d < 4; ++d) open |= (row[d] != none ? 1U : 0U) << d;
    return open;
  }
  /// The number of allowed directions, starting at `first`.
  [[nodiscard]] int count_open(State state, int first = 0) const {
    int count = 0;
    for (unsigned left = open(state) >> first; left != 0; left &= left - 1) ++count;
    return count;  // std::popcount is a library call on x86-64 without extensions
  }
  [[nodiscard]] std::size_t states() const { return rows_.size(); }
  [[nodiscard]] bool is_parent() const { return is_parent_; }
  /// False once a change of its file was noticed.
  [[nodiscard]] bool is_unchanged() const;

 private:
  explicit Pruning(GrowingArray<Row> rows, bool is_parent = false)
      : own_rows_(std::move(rows)), rows_(own_rows_.span()), is_parent_(is_parent) {}
  explicit Pruning(Table file);

  static std::shared_ptr<const Pruning> read(const std::filesystem::path& path,
                                             const TableKey& key);
  static std::shared_ptr<const Pruning> stored(const TableKey& key, const std::string& directory,
                                               int threads, const TableProgress& progress);

  GrowingArray<Row> own_rows_;
  std::optional<Table> file_;                // of the rows, if they are in a file
  LargeBuffer copy_;                         // or of a copy
  std::shared_ptr<const Pruning> original_;  // of a copy with mirrored moves
  std::span<const Row> rows_;                // the start states first, by cell
  bool is_parent_ = false;
};

}  // namespace tessera
