// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  using State = std::uint32_t;
  static constexpr State none = ~State{0};

  /// The rule that `name` stands for on boards of that size: "none", "parent", "fsm:DEPTH".
  /// Automata are made once a process and shared. Throws Error(input), Error(resource) for one too
  /// large.
  static std::shared_ptr<const Pruning> named(std::string_view name, Size size);

  /// The state of a node that no move led to.
  [[nodiscard]] State start(int cell) const { return static_cast<State>(cell); }
  /// The state after the blank went in `direction`, or none where it may not.
  [[nodiscard]] State next(State state, int direction) const {
    return next_[state][static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] int count_ways(State state, int first = 0) const;

  /// The directions that a state leaves, in move order, and the states behind them.
  struct Ways {
    std::array<State, 4> next{};
    std::array<std::uint8_t, 4> direction{};
    std::uint32_t count = 0;
  };
  [[nodiscard]] const Ways& ways(State state) const { return ways_[state]; }
  [[nodiscard]] std::size_t states() const { return next_.size(); }
  [[nodiscard]] bool is_parent() const { return is_parent_; }

 private:
  using Row = std::array<State, 4>;

  void list_ways();
  static Pruning parent(Size size);
  static Pruning automaton(Size size, int depth);

  std::vector<Row> next_;  // the start states first, by cell
  std::vector<Ways> ways_;
  bool is_parent_ = true;
};

}  // namespace tessera
