// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "puzzle/size.hpp"

namespace tessera {

/// A cell or direction known at compile time.
template <int N>
using Constant = std::integral_constant<int, N>;

/// One step of the blank: the tile in `next` slides into `blank`. Cells and direction are ints, or
/// Constants if the geometry is known at compile time.
template <class Blank, class Next, class Way>
struct Step {
  Blank blank;
  Next next;
  Way direction;
};

/// The direction of the parent for a node that has none.
inline constexpr int no_way = 4;

/// A size known at compile time: cells can be types, so the search is instantiated for each cell of
/// the blank and every shift, mask and edge test is a constant.
template <int W, int H>
class Geometry {
 public:
  static constexpr bool is_static = true;
  static constexpr bool knows_ways = true;  ///< the way back is a type too

  static constexpr Size size() { return {W, H}; }
  static constexpr int offset(int direction) { return size().offset(direction); }
  /// Whether the blank may move from `cell` in `direction` without moving straight `back`.
  static constexpr bool allowed(int cell, int back, int direction) {
    return direction != back && size().has_neighbor(cell, direction);
  }
  /// How many directions, starting at `first`, are allowed.
  static constexpr int count_allowed(int cell, int back, int first = 0) {
    int count = 0;
    for (int d = first; d < 4; ++d) count += allowed(cell, back, d);
    return count;
  }
};

/// The same for a size known only at run time.
class RuntimeGeometry {
 public:
  static constexpr bool is_static = false;

  explicit RuntimeGeometry(Size size) : size_(size) {
    for (int d = 0; d < 4; ++d) {
      offsets_[static_cast<std::size_t>(d)] = size.offset(d);
      for (int cell = 0; cell < size.cells(); ++cell) {
        inside_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(d)] =
            size.has_neighbor(cell, d);
      }
    }
  }

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] int offset(int direction) const {
    return offsets_[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] bool allowed(int cell, int back, int direction) const {
    return direction != back &&
           inside_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(direction)];
  }

 private:
  Size size_;
  std::array<int, 4> offsets_{};
  std::array<std::array<bool, 4>, Size::max_cells> inside_{};
};

}  // namespace tessera
