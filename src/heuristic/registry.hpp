// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "heuristic/fringe.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "heuristic/inversion.hpp"
#include "heuristic/linear_conflict.hpp"
#include "heuristic/lines.hpp"
#include "heuristic/manhattan.hpp"
#include "heuristic/misplaced.hpp"
#include "heuristic/pairwise.hpp"
#include "heuristic/runs.hpp"
#include "heuristic/walking.hpp"
#include "heuristic/zero.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// All heuristics: add a new one here. The search instantiates its kernels from this list, the
/// command line gets its names and help from it, and the tables come from each one's `tables`.
using Heuristics = std::tuple<Zero, Misplaced, Manhattan, LinearConflict, Inversion, Walking,
                              Escapes, Pairwise, Fringe>;

/// Those of metric multi: the others count moves of single tiles and are no bounds there.
using MultiHeuristics = std::tuple<Zero, Lines, Halves, Blocks, Sides, Runs>;

/// The strongest heuristic of metric multi for this size.
[[nodiscard]] constexpr std::string_view best_multi_heuristic(Size size) {
  if (size.cells() <= Lines::info.max_cells) return Lines::info.name;
  if (size.cells() <= Blocks::info.max_cells) return Blocks::info.name;
  return size.cells() <= Sides::info.max_cells ? Sides::info.name : Runs::info.name;
}

/// Calls `use(std::type_identity<H>{})` with the heuristic of that name in the list; false if there
/// is none.
template <class List, class Use>
bool with_heuristic(std::string_view name, const Use& use) {
  return [&]<class... H>(std::type_identity<std::tuple<H...>>) {
    return ((H::info.name == name && (use(std::type_identity<H>{}), true)) || ...);
  }(std::type_identity<List>{});
}

/// The same in the list of any metric: a name in both is the same heuristic.
template <class Use>
bool with_any_heuristic(std::string_view name, const Use& use) {
  return with_heuristic<Heuristics>(name, use) || with_heuristic<MultiHeuristics>(name, use);
}

/// The infos of the metric's list, in its order.
[[nodiscard]] std::vector<HeuristicInfo> heuristic_infos(Metric metric = Metric::single);

/// The spec for a user's text with that goal: a name of the list, `pdb:PARTITION` (see
/// parse_partition) or `max(A,B,...)`. Throws Error(input) for an unknown name, with the nearest
/// known one, for a partition that misses or repeats a tile, and for a size that a heuristic does
/// not support. In metric multi only names of its list are accepted.
[[nodiscard]] HeuristicSpec resolve_heuristic(std::string_view text, const Board& goal,
                                              Metric metric = Metric::single);

/// Whether `resolve_heuristic` accepts a text with some goal; partitions and the parts of a maximum
/// are not looked at.
[[nodiscard]] bool is_known_heuristic(std::string_view text, Metric metric);
/// Throws the Error(input) of `resolve_heuristic` if not.
void expect_known_heuristic(std::string_view text, Metric metric);

}  // namespace tessera
