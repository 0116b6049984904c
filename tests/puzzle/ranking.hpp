// SPDX-License-Identifier: MIT
// The boards of a small size, numbered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "puzzle/board.hpp"

namespace tessera {

inline std::uint64_t factorial(int n) {
  std::uint64_t product = 1;
  for (int i = 2; i <= n; ++i) product *= static_cast<std::uint64_t>(i);
  return product;
}

/// cells!, the number of ranks.
inline std::uint64_t arrangements(Size size) {
  return factorial(size.cells());
}

/// How many of 20 bits are set, without the call that std::popcount is on a portable build.
inline int bits_of(std::uint32_t set) {
  static constexpr auto counts = [] {
    std::array<std::uint8_t, 1024> table{};
    for (std::uint32_t i = 1; i < table.size(); ++i) {
      table[i] = static_cast<std::uint8_t>(table[i / 2] + i % 2);
    }
    return table;
  }();
  return counts[set & 1023] + counts[set >> 10];
}

/// The lexicographic place of the board among all arrangements of its cells, solvable or not:
/// a perfect hash onto 0 .. cells!-1. At most 20 cells, so that it fits 64 bits.
inline std::uint64_t rank(const Board& board) {
  const int cells = board.size().cells();
  std::uint32_t unused = (std::uint32_t{1} << cells) - 1;
  std::uint64_t rank = 0;
  for (int cell = 0; cell < cells; ++cell) {
    const std::uint32_t bit = std::uint32_t{1} << board.tile(cell);
    const int smaller = bits_of(unused & (bit - 1));
    rank = rank * static_cast<std::uint64_t>(cells - cell) + static_cast<std::uint64_t>(smaller);
    unused &= ~bit;
  }
  return rank;
}

/// The board of that rank.
inline Board unrank(Size size, std::uint64_t rank) {
  const int cells = size.cells();
  std::vector<std::int64_t> unused;
  unused.reserve(Size::max_cells);
  for (int tile = 0; tile < cells; ++tile) unused.push_back(tile);
  std::vector<std::int64_t> tiles;
  tiles.reserve(Size::max_cells);
  for (int cell = 0; cell < cells; ++cell) {
    const std::uint64_t weight = factorial(cells - 1 - cell);
    const auto pick = static_cast<std::ptrdiff_t>(rank / weight);
    rank %= weight;
    tiles.push_back(unused[static_cast<std::size_t>(pick)]);
    unused.erase(unused.begin() + pick);
  }
  return Board(size, tiles);
}

}  // namespace tessera
