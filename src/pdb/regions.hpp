// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "puzzle/size.hpp"

namespace tessera {

/// A set of cells, one bit per cell.
using CellSet = std::uint64_t;

[[nodiscard]] constexpr CellSet cell_bit(int cell) {
  return CellSet{1} << cell;
}

/// The cells of a set, ascending.
class CellRange {
 public:
  constexpr explicit CellRange(CellSet set) : left_(set) {}

  [[nodiscard]] constexpr CellRange begin() const { return *this; }
  [[nodiscard]] constexpr CellRange end() const { return CellRange(0); }
  [[nodiscard]] constexpr int operator*() const { return std::countr_zero(left_); }
  constexpr CellRange& operator++() {
    left_ &= left_ - 1;
    return *this;
  }
  constexpr bool operator==(const CellRange&) const = default;

 private:
  CellSet left_;
};
[[nodiscard]] constexpr CellRange cells_of(CellSet set) {
  return CellRange(set);
}

/// The regions into which a pattern's tiles divide the cells that they leave open. Regions are
/// numbered by their lowest cell.
class Regions {
 public:
  explicit Regions(Size size) : width_(size.width) {
    for (int row = 0; row < size.height; ++row) left_column_ |= CellSet{1} << (row * size.width);
    right_column_ = left_column_ << (size.width - 1);
    all_ = size.cells() == Size::max_cells ? ~CellSet{0} : (CellSet{1} << size.cells()) - 1;
  }

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] CellSet all() const { return all_; }
  [[nodiscard]] CellSet left_column() const { return left_column_; }
  [[nodiscard]] CellSet right_column() const { return right_column_; }

  /// The cells of `open` that are connected to `region`.
  [[nodiscard, gnu::always_inline]] CellSet spread(CellSet region, CellSet open) const {
    for (CellSet before = 0; before != region;) {
      before = region;
      region |= ((region & ~right_column_) << 1) | ((region & ~left_column_) >> 1) |
                (region << width_) | (region >> width_);
      region &= open;
    }
    return region;
  }

  /// The number of the region that contains `cell`, which must be in `open`.
  [[nodiscard, gnu::always_inline]] int number(int cell, CellSet open) const {
    int number = 0;
    for (;; ++number) {
      const CellSet region = spread(open & -open, open);
      if ((region >> cell & 1) != 0) return number;
      open &= ~region;
    }
  }

 private:
  int width_;
  CellSet all_ = 0;
  CellSet left_column_ = 0;
  CellSet right_column_ = 0;
};

}  // namespace tessera
