// SPDX-License-Identifier: MIT
#include "search/beam/beam_features.hpp"

#include <utility>
#include <vector>

namespace tessera {
namespace {

using Displacement = BeamFeatures::Displacement;
using Kind = BeamFeatures::Kind;
using Block = BeamFeatures::Block;
constexpr unsigned lengths = BeamFeatures::lengths;
constexpr std::size_t displacements = BeamFeatures::displacements;
static_assert(BeamFeatures::of_distance(Size::max_cells, Size::max_cells) + 1 ==
              BeamFeatures::distances);

enum class Mirror { upside_down, left_right, transposed };
using enum Mirror;

// What a displacement (of nine rows and columns) or a kind (of three) is in a mirror. The numbers
// beyond are those of the blank and the edge.
template <unsigned side>
unsigned mirrored(Mirror mirror, unsigned number) {
  if (number >= side * side) return number;
  const unsigned row = number / side;
  const unsigned column = number % side;
  if (mirror == upside_down) return (side - 1 - row) * side + column;
  if (mirror == left_right) return row * side + side - 1 - column;
  return column * side + row;
}

std::size_t pair_of(unsigned left, unsigned right) {
  return left * displacements + right;
}

// The features of pairs and blocks: one for each class of mirror images, numbered by the first of
// each. 0 for numbers that are no blocks.
struct Classes {
  using Features = std::vector<std::uint16_t>;
  Features of_row = Features(displacements * displacements);  // a cell and the one to its right
  Features of_column = of_row;                                // a cell and the one below it
  Features of_block = Features(BeamFeatures::blocks);
  std::uint16_t end = BeamFeatures::distances;
};

void number_pairs(Classes& classes) {
  const auto in = [](Mirror mirror, unsigned number) { return mirrored<lengths>(mirror, number); };
  for (unsigned a = 0; a < displacements; ++a) {
    for (unsigned b = 0; b < displacements; ++b) {
      const std::size_t pair = pair_of(a, b);
      const std::size_t first = std::min(
          {pair, pair_of(in(upside_down, a), in(upside_down, b)),
           pair_of(in(left_right, b), in(left_right, a)),
           pair_of(in(upside_down, in(left_right, b)), in(upside_down, in(left_right, a)))});
      classes.of_row[pair] = first < pair ? classes.of_row[first] : classes.end++;
      classes.of_column[pair_of(in(transposed, a), in(transposed, b))] = classes.of_row[pair];
    }
  }
}

void number_blocks(Classes& classes) {
  using Cells = std::array<Kind, 4>;  // row by row
  constexpr Kind end = 11;
  const auto code = [](const Cells& cells) {
    Block block = 0;
    for (const Kind kind : cells) block = block << BeamFeatures::kind_bits | kind;
    return block;
  };
  const auto in = [](Mirror mirror, Cells cells) {
    for (Kind& kind : cells) kind = mirrored<3>(mirror, kind);
    return cells;
  };
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
    classes.of_block[code(cells)] = first < code(cells) ? classes.of_block[first] : classes.end++;
  }
}

const Classes& classes() {
  static const Classes made = [] {
    Classes found;
    number_pairs(found);
    number_blocks(found);
    return found;
  }();
  return made;
}

}  // namespace

int BeamFeatures::count() {
  return classes().end;
}

std::span<const std::uint16_t> BeamFeatures::of_blocks() {
  return classes().of_block;
}

int BeamFeatures::of_pair(Displacement cell, Displacement neighbor, int direction) {
  const bool is_vertical = direction == 0 || direction == 3;
  if (direction < 2) std::swap(cell, neighbor);  // the neighbor is above or to the left
  return (is_vertical ? classes().of_column : classes().of_row)[pair_of(cell, neighbor)];
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
