// SPDX-License-Identifier: MIT
#pragma once

#include "heuristic/heuristic_spec.hpp"
#include "puzzle/size.hpp"
#include "search/problem.hpp"

// What `auto` weighs: costs of searches, measured once (bench/defaults --costs). No clock is read
// for them, so the choices, and with them all counts, are the same on every machine.

namespace tessera {

/// The pruning rule with which IDA* finds one solution soonest, for a resolved heuristic: `parent`
/// up to 16 cells; beyond, an automaton (docs/decisions/0020-automata.md), unless it costs more per
/// node than the nodes that it saves.
[[nodiscard]] PruneRule fastest_pruning(Size size, const HeuristicSpec& heuristic);

/// What beam search costs beside IDA*, and what it may cost.
struct BeamCosts {
  double evaluation = 0;  ///< of a board, in nodes of IDA*
  /// The part of the next bound's cost that all beams together may take if only this bound is left.
  double share = 0;
};
[[nodiscard]] BeamCosts beam_costs(const Problem& problem);

}  // namespace tessera
