// SPDX-License-Identifier: MIT
#include "search/beam/beam_features.hpp"

#include <utility>

namespace tessera {
namespace {

using Way = BeamFeatures::Way;
constexpr int lengths = BeamFeatures::lengths;

constexpr bool is_tile(int way) {
  return way < BeamFeatures::blank_way;
}
constexpr int upside_down(int way) {
  return is_tile(way) ? lengths * (lengths - 1 - way / lengths) + way % lengths : way;
}
constexpr int left_right(int way) {
  return is_tile(way) ? way / lengths * lengths + lengths - 1 - way % lengths : way;
}
constexpr int transposed(int way) {
  return is_tile(way) ? way % lengths * lengths + way / lengths : way;
}

constexpr int distances = BeamFeatures::of_distance(1 << 10, 1 << 10) + 1;

// The features of a cell and the one to its right: one for each class of pairs that are mirror
// images of each other, numbered by the first of each.
struct Pairs {
  std::array<std::array<std::uint16_t, BeamFeatures::ways>, BeamFeatures::ways> of{};
  int end = distances;
};
constexpr Pairs pairs = [] {
  Pairs found;
  for (int a = 0; a < BeamFeatures::ways; ++a) {
    for (int b = 0; b < BeamFeatures::ways; ++b) {
      const auto [first, second] =
          std::min({std::pair(a, b), std::pair(upside_down(a), upside_down(b)),
                    std::pair(left_right(b), left_right(a)),
                    std::pair(upside_down(left_right(b)), upside_down(left_right(a)))});
      found.of[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
          first == a && second == b
              ? static_cast<std::uint16_t>(found.end++)
              : found.of[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)];
    }
  }
  return found;
}();

}  // namespace

const int BeamFeatures::count = pairs.end;

int BeamFeatures::of_pair(Way way, Way neighbor, int direction) {
  const auto right = [](int left, int other) {
    return pairs.of[static_cast<std::size_t>(left)][static_cast<std::size_t>(other)];
  };
  switch (direction) {
    case 0:
      return right(transposed(neighbor), transposed(way));
    case 1:
      return right(neighbor, way);
    case 2:
      return right(way, neighbor);
    default:
      return right(transposed(way), transposed(neighbor));
  }
}

BeamFeatures::BeamFeatures(const Instance& instance) {
  const Size size = instance.size();
  const auto length = [](int to_go) { return std::clamp(to_go, -farthest, farthest) + farthest; };
  for (int cell = 0; cell < size.cells(); ++cell) {
    for (int d = 0; d < 4; ++d) {
      neighbors_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(d)] =
          static_cast<std::int8_t>(size.has_neighbor(cell, d) ? cell + size.offset(d) : -1);
    }
    ways_[0][static_cast<std::size_t>(cell)] = blank_way;
    for (int label = 1; label < size.cells(); ++label) {
      const int home = homes_[static_cast<std::size_t>(label)] = instance.home(label);
      ways_[static_cast<std::size_t>(label)][static_cast<std::size_t>(cell)] =
          static_cast<Way>(lengths * length(size.row(home) - size.row(cell)) +
                           length(size.column(home) - size.column(cell)));
    }
  }
}

}  // namespace tessera
