// SPDX-License-Identifier: MIT
#include <algorithm>

#include "puzzle/symmetry.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {
namespace {

bool maps_to_itself(const Instance& instance, const Symmetry& symmetry) {
  const Board goal = instance.goal();
  const Board& start = instance.start;
  for (int cell = 0; cell < start.size().cells(); ++cell) {
    const int home = goal.cell_of(start.tile(cell));
    if (start.tile(symmetry(cell)) != goal.tile(symmetry(home))) return false;
  }
  return symmetry(goal.blank()) == goal.blank();
}

}  // namespace

MirroredMoves mirrored_moves(const Instance& instance) {
  const Board& start = instance.start;
  MirroredMoves mirrored{.cell = static_cast<std::uint8_t>(start.blank())};
  for (const Symmetry& symmetry : symmetries(start.size())) {
    if (symmetry.to != start.size() || !maps_to_itself(instance, symmetry)) continue;
    for (const Direction d : all_directions) {
      const auto to = start.neighbor(d);
      const bool has_earlier = to && std::ranges::any_of(all_directions, [&](Direction other) {
                                 return other < d && start.neighbor(other) == symmetry(*to);
                               });
      if (has_earlier) mirrored.directions |= static_cast<std::uint8_t>(1 << static_cast<int>(d));
    }
  }
  return mirrored;
}

}  // namespace tessera
