// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "puzzle/size.hpp"

namespace tessera {

/// A symmetry of the grid as a map of cells: a reflection or rotation, possibly onto the transposed
/// size. It maps neighbors to neighbors, so moves map to moves.
struct Symmetry {
  Size from;
  Size to;
  std::array<std::uint8_t, Size::max_cells> image{};  ///< by cell of `from`

  [[nodiscard]] int operator()(int cell) const { return image[static_cast<std::size_t>(cell)]; }
  /// The image of a set of cells.
  [[nodiscard]] std::uint64_t of(std::uint64_t cells) const;
  [[nodiscard]] Symmetry inverse() const;
};

/// All eight: the identity first, then the others that keep the size, then those that transpose it.
[[nodiscard]] std::vector<Symmetry> symmetries(Size size);

}  // namespace tessera
