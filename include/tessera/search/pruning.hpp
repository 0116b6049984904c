// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/memory.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/puzzle/size.hpp"

namespace tessera {

/// Which moves a search leaves out because of the moves that led to a node: an automaton that reads
/// the blank's directions. A state knows the blank's cell, so that it also knows the rim.
///
/// `none` leaves out no move, `parent` the one straight back. `fsm:DEPTH` (Taylor, Korf 1993) every
/// move that completes a string of at most DEPTH moves for which another string leads from the
/// same cell to the same board, shorter or as long and earlier in move order. Sound for IDA* with
/// any admissible heuristic: of the optimal solutions the first in move order holds no string that
/// is left out, since putting the other in its place would give a shorter or earlier one.
class Pruning {
 public:
  Pruning(const Pruning&) = delete;
  Pruning& operator=(const Pruning&) = delete;

  using State = std::uint32_t;
  static constexpr State none = ~State{0};
  using Row = std::array<State, 4>;  ///< the next state by direction, none where it is left out

  /// The rule that `name` stands for on boards of that size: "none", "parent", "fsm:DEPTH"; made
  /// once per process and shared. Automata that take long to build (`stored_as`) are kept in the
  /// folder of tables, as a table whose payload is the rows; one that is damaged is rebuilt, and
  /// where the folder cannot be written the automaton stays in memory only. `directory`, `threads`
  /// and `progress` as for open_table. Throws Error(input) for an unknown name or a depth that is
  /// too large for the size; null where `progress` ended the building.
  static std::shared_ptr<const Pruning> named(std::string_view name, Size size,
                                              const std::string& directory = {}, int threads = 1,
                                              const TableProgress& progress = {});
  /// As which table such a rule is kept in the folder of tables, if it is. Throws like `named`.
  [[nodiscard]] static std::optional<TableKey> stored_as(std::string_view name, Size size);

  /// The state of a node that no move led to.
  [[nodiscard]] State start(int cell) const { return static_cast<State>(cell); }
  /// The state after the blank went in `direction`, or none where it may not.
  [[nodiscard]] State next(State state, int direction) const {
    return rows_[state][static_cast<std::size_t>(direction)];
  }
  /// Has the state's row brought to the cache: deep automata are larger.
  void prefetch(State state) const { __builtin_prefetch(&rows_[state]); }

  /// The directions that a state leaves, bit d for direction d.
  [[nodiscard]] unsigned open(State state) const {
    const Row& row = rows_[state];
    unsigned open = 0;
    for (unsigned d = 0; d < 4; ++d) open |= (row[d] != none ? 1U : 0U) << d;
    return open;
  }
  /// How many those are, from `first` on.
  [[nodiscard]] int count_open(State state, int first = 0) const {
    int count = 0;
    for (unsigned left = open(state) >> first; left != 0; left &= left - 1) ++count;
    return count;  // std::popcount is a call into a library on x86-64 without extensions
  }
  [[nodiscard]] std::size_t states() const { return rows_.size(); }
  [[nodiscard]] bool is_parent() const { return is_parent_; }

 private:
  explicit Pruning(std::vector<Row> rows) : own_rows_(std::move(rows)), rows_(own_rows_) {}
  explicit Pruning(TableFile file);

  static std::shared_ptr<const Pruning> read(const std::filesystem::path& path,
                                             const TableKey& key);
  static std::shared_ptr<const Pruning> stored(const TableKey& key, const std::string& directory,
                                               int threads, const TableProgress& progress);

  std::vector<Row> own_rows_;
  std::optional<TableFile> file_;  // where they are in a file
  LargeBuffer copy_;               // or in a copy of it
  std::span<const Row> rows_;      // the start states first, by cell
  bool is_parent_ = false;
};

}  // namespace tessera
