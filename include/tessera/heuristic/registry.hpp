// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "tessera/heuristic/fringe.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/heuristic/inversion.hpp"
#include "tessera/heuristic/linear_conflict.hpp"
#include "tessera/heuristic/lines.hpp"
#include "tessera/heuristic/manhattan.hpp"
#include "tessera/heuristic/misplaced.hpp"
#include "tessera/heuristic/pairwise.hpp"
#include "tessera/heuristic/walking.hpp"
#include "tessera/heuristic/zero.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera {

/// Every heuristic that there is: a new one is one line here. The search makes its kernels from
/// this list, the command line its names and help, and what it needs of tables is its own `tables`.
using Heuristics =
    std::tuple<Zero, Misplaced, Manhattan, LinearConflict, Inversion, Walking, Pairwise, Fringe>;

/// Those of metric multi: the others count moves of single tiles and are no bounds there.
using MultiHeuristics = std::tuple<Zero, Lines>;

/// Calls `use(std::type_identity<H>{})` with the heuristic of a list that has that name; false
/// where none has.
template <class List, class Use>
bool with_heuristic(std::string_view name, const Use& use) {
  return [&]<class... H>(std::type_identity<std::tuple<H...>>) {
    return ((H::info.name == name && (use(std::type_identity<H>{}), true)) || ...);
  }(std::type_identity<List>{});
}

/// The infos of the metric's list, in its order.
[[nodiscard]] std::vector<HeuristicInfo> heuristic_infos(Metric metric = Metric::single);

/// The spec that a person's text stands for with that goal: a name of the list, `pdb:PARTITION`
/// (see parse_partition) or `max(A,B,...)`. Throws Error(input) for an unknown name, with the
/// nearest known one, and for a partition that misses or repeats a tile; what a heuristic says that
/// does not take boards of that size. In metric multi only names of its list.
[[nodiscard]] HeuristicSpec resolve_heuristic(std::string_view text, const Board& goal,
                                              Metric metric = Metric::single);

}  // namespace tessera
