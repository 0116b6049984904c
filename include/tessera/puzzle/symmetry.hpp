// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tessera/puzzle/size.hpp"

namespace tessera {

/// A symmetry of the grid as a map of cells: a reflection or rotation, perhaps onto the transposed
/// size. Neighbours stay neighbours, so moves stay moves.
struct Symmetry {
  Size from;
  Size to;
  std::array<std::uint8_t, Size::max_cells> image{};  ///< by cell of `from`

  [[nodiscard]] int operator()(int cell) const { return image[static_cast<std::size_t>(cell)]; }
  /// The cells of a set, mapped.
  [[nodiscard]] std::uint64_t of(std::uint64_t cells) const;
  [[nodiscard]] Symmetry inverse() const;
};

/// The eight of them, the identity first, then the others of the same orientation, then those that
/// transpose.
[[nodiscard]] std::vector<Symmetry> symmetries(Size size);

}  // namespace tessera
