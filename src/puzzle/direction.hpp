// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tessera {

/// The direction in which the BLANK moves, in the order that the search tries them. Users see the
/// move of the tile, which is the opposite direction: `letter`.
enum class Direction : std::uint8_t { up, left, right, down };

inline constexpr std::array<Direction, 4> all_directions{Direction::up, Direction::left,
                                                         Direction::right, Direction::down};

[[nodiscard]] constexpr Direction opposite(Direction d) {
  return static_cast<Direction>(3 - static_cast<int>(d));
}

/// The letter of the tile's move: if the blank moves up, the tile above slides down, 'D'.
[[nodiscard]] constexpr char letter(Direction d) {
  return "DRLU"[static_cast<int>(d)];
}

[[nodiscard]] constexpr std::optional<Direction> direction_of(char tile_letter) {
  for (const Direction d : all_directions) {
    if (letter(d) == tile_letter) return d;
  }
  return {};
}

}  // namespace tessera
