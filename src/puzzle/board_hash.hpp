// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/random.hpp"
#include "puzzle/board.hpp"

namespace tessera {

/// A 64-bit board hash that a step updates with two lookups (Zobrist 1970); the seed selects the
/// random numbers.
class BoardHash {
 public:
  explicit BoardHash(std::uint64_t seed) {
    Random random(seed);
    for (auto& row : numbers_) {
      for (std::uint64_t& number : row) number = random.next();
    }
  }
  [[nodiscard]] std::uint64_t of(const Board& labels) const {
    std::uint64_t hash = 0;
    for (int cell = 0; cell < labels.size().cells(); ++cell) {
      const int label = labels.tile(cell);
      if (label != 0) hash ^= number(static_cast<unsigned>(label), cell);
    }
    return hash;
  }
  /// The change of the hash when tile `label` moves from one cell to another.
  [[nodiscard]] std::uint64_t change(unsigned label, int from, int to) const {
    return number(label, from) ^ number(label, to);
  }

 private:
  [[nodiscard]] std::uint64_t number(unsigned label, int cell) const {
    return numbers_[label][static_cast<std::size_t>(cell)];
  }
  std::array<std::array<std::uint64_t, Size::max_cells>, Size::max_cells> numbers_{};
};

}  // namespace tessera
