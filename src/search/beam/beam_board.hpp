// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "puzzle/direction.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// How a child is reached from its parent: the blank's direction in the two lowest bits, and above
/// them the number of further steps in that direction, which only metric multi has.
class BeamMove {
 public:
  static constexpr int longest_side = 8;  ///< of boards in metric multi
  /// The bits of a move, in words of many moves.
  static constexpr int bits(Metric metric) { return metric == Metric::multi ? 8 : 2; }
  /// The number of different moves, or more.
  static constexpr std::size_t count(Metric metric) {
    return metric == Metric::multi ? std::size_t{4} * (longest_side - 1) : 4;
  }

  [[nodiscard]] static std::uint8_t of(int direction, int steps) {
    return static_cast<std::uint8_t>(direction | (steps - 1) << 2);
  }
  [[nodiscard]] static std::string letters(std::uint64_t move) {
    return std::string(1 + static_cast<std::size_t>(move >> 2),
                       letter(static_cast<Direction>(move & 3)));
  }
};

/// What a board of a layer has in any form.
struct BeamHead {
  std::uint64_t hash = 0;
  std::uint64_t moves = 0;     ///< the latest BeamMoves, the last lowest: see BeamTrail
  std::uint64_t ancestor = 0;  ///< the board before these moves, in the trail
};

/// A board of a layer, ready to be expanded.
template <class Position, Metric metric>
struct BeamNode : BeamHead {
  Position position;
  std::int32_t spread = 0;  ///< for BeamOrder
  std::int16_t h = 0;
  std::uint8_t blank = 0;
  std::uint8_t way = 0;  ///< the blank's direction that led here, or no_way
  /// Of the children that were expanded, by direction: their spread less this one.
  std::array<std::int16_t, metric == Metric::single ? 4 : 0> changes{};
};

/// A board of the next layer before it is known whether it is kept: what can be computed from its
/// parent without building the board.
struct BeamCandidate {
  static constexpr std::int16_t of_goal = -1;  ///< sorts the goal before all other boards

  std::uint64_t hash = 0;
  std::uint32_t parent = 0;   ///< its index in the layer, on the rank that expanded it
  std::int16_t estimate = 0;  ///< BeamOrder
  std::uint8_t move = 0;      ///< BeamMove
  bool alive = true;          ///< neither a duplicate nor in an earlier layer

  /// Breaks ties between equal boards. Uses other leading bits than the choice of the owner,
  /// so that the kept part of a tie is spread over all owners.
  [[nodiscard]] std::uint64_t tie() const { return std::rotl(hash, 32); }
};
static_assert(sizeof(BeamCandidate) == 16);

/// A candidate that its owner keeps, as reported to the rank that has its parent.
struct BeamChild {
  std::uint32_t parent = 0;
  std::uint32_t move = 0;
};

}  // namespace tessera
