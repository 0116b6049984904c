// SPDX-License-Identifier: MIT
#include "puzzle/symmetry.hpp"

#include <bit>

namespace tessera {

std::uint64_t Symmetry::of(std::uint64_t cells) const {
  std::uint64_t mapped = 0;
  for (; cells != 0; cells &= cells - 1) {
    mapped |= std::uint64_t{1} << (*this)(std::countr_zero(cells));
  }
  return mapped;
}

Symmetry Symmetry::inverse() const {
  Symmetry result{to, from, {}};
  for (int cell = 0; cell < from.cells(); ++cell) {
    result.image[static_cast<std::size_t>((*this)(cell))] = static_cast<std::uint8_t>(cell);
  }
  return result;
}

std::vector<Symmetry> symmetries(Size size) {
  std::vector<Symmetry> all;
  for (const bool transposes : {false, true}) {
    for (const bool mirrors_rows : {false, true}) {
      for (const bool mirrors_columns : {false, true}) {
        Symmetry& symmetry = all.emplace_back();
        symmetry.from = size;
        symmetry.to = transposes ? size.transposed() : size;
        for (int cell = 0; cell < size.cells(); ++cell) {
          const int column =
              mirrors_columns ? size.width - 1 - size.column(cell) : size.column(cell);
          const int row = mirrors_rows ? size.height - 1 - size.row(cell) : size.row(cell);
          symmetry.image[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(
              transposes ? column * size.height + row : row * size.width + column);
        }
      }
    }
  }
  return all;
}

}  // namespace tessera
