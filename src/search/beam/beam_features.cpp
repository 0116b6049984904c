// SPDX-License-Identifier: MIT
#include "search/beam/beam_features.hpp"

#include <vector>

namespace tessera {
namespace {

using Displacement = BeamFeatures::Displacement;
using Kind = BeamFeatures::Kind;
using Block = BeamFeatures::Block;
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

// What a kind is in a mirror: as that of a displacement by one row, one column or both.
Kind mirrored(const Mirror& mirror, Kind kind) {
  constexpr auto rows = [](Kind k) { return static_cast<int>(k / 3) - 1; };
  constexpr auto columns = [](Kind k) { return static_cast<int>(k % 3) - 1; };
  return kind < 9
             ? BeamFeatures::kind(mirror[BeamFeatures::displacement(rows(kind), columns(kind))])
             : kind;
}

// By block: one for each class of blocks that are mirror images of each other, numbered by the
// first of each. 0 for numbers that are no blocks.
struct Blocks {
  std::vector<std::uint16_t> of = std::vector<std::uint16_t>(BeamFeatures::blocks);
  std::uint16_t end = pairs.end;
};
const Blocks& blocks_by_class() {
  static const Blocks made = [] {
    using Cells = std::array<Kind, 4>;  // row by row
    constexpr Kind end = 11;
    const auto code = [](const Cells& cells) {
      Block block = 0;
      for (const Kind kind : cells) block = block << BeamFeatures::kind_bits | kind;
      return block;
    };
    const auto in = [](const Mirror& mirror, const Cells& cells) {
      Cells image;
      std::ranges::transform(cells, image.begin(),
                             [&](Kind kind) { return mirrored(mirror, kind); });
      return image;
    };
    Blocks found;
    for (Kind number = 0; number < end * end * end * end; ++number) {
      const Cells cells{number / (end * end * end), number / (end * end) % end, number / end % end,
                        number % end};
      Block first = code(cells);
      for (int mirrors = 1; mirrors < 8; ++mirrors) {
        Cells image = cells;
        if ((mirrors & 1) != 0) image = in(upside_down, {image[2], image[3], image[0], image[1]});
        if ((mirrors & 2) != 0) image = in(left_right, {image[1], image[0], image[3], image[2]});
        if ((mirrors & 4) != 0) image = in(transposed, {image[0], image[2], image[1], image[3]});
        first = std::min(first, code(image));
      }
      found.of[code(cells)] = first < code(cells) ? found.of[first] : found.end++;
    }
    return found;
  }();
  return made;
}

}  // namespace

int BeamFeatures::count() {
  return blocks_by_class().end;
}

std::span<const std::uint16_t> BeamFeatures::of_blocks() {
  return blocks_by_class().of;
}

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

BeamFeatures::BeamFeatures(const Instance& instance) : size_(instance.size()) {
  const int reach = static_cast<int>(Window::side / 2);
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    for (std::size_t i = 0; i < Window::side * Window::side; ++i) {
      const int row = size_.row(cell) + static_cast<int>(i / Window::side) - reach;
      const int column = size_.column(cell) + static_cast<int>(i % Window::side) - reach;
      if (row < 0 || row >= size_.height || column < 0 || column >= size_.width) continue;
      const auto next = static_cast<std::uint8_t>(row * size_.width + column);
      neighbors_[c][i] = {next, next};
    }
    displacements_[c][0] = blank;
    for (int label = 1; label < size_.cells(); ++label) {
      const int home = instance.home(label);
      displacements_[c][static_cast<std::size_t>(label)] =
          displacement(size_.row(home) - size_.row(cell), size_.column(home) - size_.column(cell));
    }
  }
  displacements_[edge_row].fill(edge);
}

}  // namespace tessera
