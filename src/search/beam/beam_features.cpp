// SPDX-License-Identifier: MIT
#include "search/beam/beam_features.hpp"

namespace tessera {
namespace {

using Displacement = BeamFeatures::Displacement;
constexpr int lengths = BeamFeatures::lengths;
constexpr std::size_t kinds = BeamFeatures::displacements;

// What a displacement is in a mirror.
using Mirror = std::array<Displacement, kinds>;
template <class Rows, class Columns>
constexpr Mirror mirror(const Rows& rows, const Columns& columns) {
  Mirror mirror{};
  for (Displacement d = 0; d < kinds; ++d) {
    const int row = d / lengths;
    const int column = d % lengths;
    mirror[d] = d < BeamFeatures::blank
                    ? static_cast<Displacement>(lengths * rows(row, column) + columns(row, column))
                    : d;
  }
  return mirror;
}
constexpr Mirror upside_down =
    mirror([](int row, int) { return lengths - 1 - row; }, [](int, int column) { return column; });
constexpr Mirror left_right =
    mirror([](int row, int) { return row; }, [](int, int column) { return lengths - 1 - column; });
constexpr Mirror transposed =
    mirror([](int, int column) { return column; }, [](int row, int) { return row; });

// The features of a cell and the one to its right: one for each class of pairs that are mirror
// images of each other, numbered by the first of each.
struct Pairs {
  std::array<std::uint16_t, kinds * kinds> of{};
  std::uint16_t end = BeamFeatures::distances;
};
constexpr Pairs pairs = [] {
  Pairs found;
  for (std::size_t a = 0; a < kinds; ++a) {
    for (std::size_t b = 0; b < kinds; ++b) {
      const std::size_t pair = a * kinds + b;
      std::size_t first = upside_down[a] * kinds + upside_down[b];
      first = std::min(first, left_right[b] * kinds + left_right[a]);
      first = std::min(first, upside_down[left_right[b]] * kinds + upside_down[left_right[a]]);
      found.of[pair] = first < pair ? found.of[first] : found.end++;
    }
  }
  return found;
}();
static_assert(BeamFeatures::of_distance(Size::max_cells, Size::max_cells) + 1 ==
              BeamFeatures::distances);

}  // namespace

const int BeamFeatures::count = pairs.end;

int BeamFeatures::of_pair(Displacement cell, Displacement neighbor, int direction) {
  const auto right = [](std::size_t left, std::size_t other) {
    return pairs.of[left * kinds + other];
  };
  switch (direction) {
    case 0:
      return right(transposed[neighbor], transposed[cell]);
    case 1:
      return right(neighbor, cell);
    case 2:
      return right(cell, neighbor);
    default:
      return right(transposed[cell], transposed[neighbor]);
  }
}

BeamFeatures::BeamFeatures(const Instance& instance) {
  const Size size = instance.size();
  for (int cell = 0; cell < size.cells(); ++cell) {
    for (int d = 0; d < 4; ++d) {
      if (!size.has_neighbor(cell, d)) continue;
      const auto next = static_cast<std::uint8_t>(cell + size.offset(d));
      neighbors_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(d)] = {next, next};
    }
    auto& row = displacements_[static_cast<std::size_t>(cell)];
    row[0] = blank;
    for (int label = 1; label < size.cells(); ++label) {
      const auto l = static_cast<std::size_t>(label);
      const int home = homes_[l] = instance.home(label);
      row[l] = displacement(size.row(home) - size.row(cell), size.column(home) - size.column(cell));
    }
  }
  displacements_[edge_row].fill(edge);
}

}  // namespace tessera
