// SPDX-License-Identifier: MIT
#include "tessera/puzzle/symmetry.hpp"

#include <bit>

namespace tessera {
namespace {

Symmetry symmetry(Size size, bool transposes, bool mirrors_columns, bool mirrors_rows) {
  Symmetry result{size, transposes ? Size{size.height, size.width} : size, {}};
  for (int cell = 0; cell < size.cells(); ++cell) {
    int column = size.column(cell);
    int row = size.row(cell);
    if (mirrors_columns) column = size.width - 1 - column;
    if (mirrors_rows) row = size.height - 1 - row;
    result.image[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(
        transposes ? column * size.height + row : row * size.width + column);
  }
  return result;
}

}  // namespace

std::uint64_t Symmetry::of(std::uint64_t cells) const {
  std::uint64_t mapped = 0;
  for (; cells != 0; cells &= cells - 1) {
    mapped |= std::uint64_t{1} << (*this)(std::countr_zero(cells));
  }
  return mapped;
}

std::vector<Symmetry> symmetries(Size size) {
  std::vector<Symmetry> all;
  for (const bool transposes : {false, true}) {
    for (const bool rows : {false, true}) {
      for (const bool columns : {false, true}) {
        all.push_back(symmetry(size, transposes, columns, rows));
      }
    }
  }
  return all;
}

Symmetry transposition(Size size) {
  return symmetry(size, true, false, false);
}

}  // namespace tessera
