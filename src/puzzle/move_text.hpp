// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "puzzle/board.hpp"

// Moves as people write them. Within the program a sequence of moves is a string of tile letters,
// as solutions are.
namespace tessera {

/// letters: `RRRUUDL`; counts: `R3 U2 D L`, one word for each run, which metric multi counts as one
/// move.
enum class Notation : std::uint8_t { letters, counts };

/// What the letters move: the tile next to the blank, or the blank.
enum class Mover : std::uint8_t { tile, blank };

/// Longer sequences are rejected.
inline constexpr std::size_t most_moves = 1'000'000;

/// Reads U, D, L and R in either case, each perhaps with a repeat count; spaces may stand between
/// moves. Returns tile letters. Throws Error(input) that names the first wrong character.
[[nodiscard]] std::string parse_moves(std::string_view text, Mover mover);

/// Tile letters as `parse_moves` with the same mover reads them.
[[nodiscard]] std::string format_moves(std::string_view letters, Notation notation, Mover mover);

/// The board after these moves. Throws Error(input) that names the first move which leaves the
/// board, in the direction of `mover`, and the board there.
[[nodiscard]] Board after_moves(const Board& start, std::string_view letters, Mover mover);

/// `parse_moves`, of moves that are legal from `start`; throws as `after_moves` does, too.
[[nodiscard]] std::string parse_legal_moves(const Board& start, std::string_view text, Mover mover);

}  // namespace tessera
