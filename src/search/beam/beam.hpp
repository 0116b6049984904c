// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/ranks.hpp"
#include "base/thread_team.hpp"
#include "search/limits.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Indices of boards in a layer have 32 bits.
inline constexpr std::uint64_t most_beam_width = std::uint64_t{1} << 31;

/// Beam search: expands the `width` best boards of each layer, by BeamOrder and a hash of seed and
/// board, until one contains the goal. Any solution, no proof; wider beams give shorter ones. In
/// metric multi a layer is a run of the blank. The problem's heuristic does not matter: h is that
/// of linear conflict.
///
/// The result depends only on the problem and these options. Boards are compared by a
/// 64-bit hash that depends on the seed; of equal boards in a layer, the one with the last move in
/// move order is kept. Boards of earlier layers are detected with a table of about 16
/// fingerprints per board of the width, in which newer layers displace older ones.
struct BeamOptions {
  std::uint64_t width = 0;
  std::uint64_t seed = 1;
  double exponent = 1.5;        ///< of distances in the estimate that orders boards
  int shorter_than = no_bound;  ///< prunes boards that cannot lead to a shorter solution
};

struct BeamResult {
  std::optional<std::string> moves;  ///< of a solution shorter than asked for
  std::uint64_t evaluated = 0;       ///< children of boards in layers, on all ranks
  int layers = 0;                    ///< that were expanded
  std::optional<Stop> stop;
  double seconds = 0;
};

/// Called on every rank of `ranks` with equal arguments. Only rank 0 checks `limits`, whose
/// nodes are evaluations of complete layers. `observer` receives the progress.
[[nodiscard]] BeamResult beam_search(const Problem& problem, const BeamOptions& options,
                                     ThreadTeam& team, Ranks& ranks, const Limits& limits,
                                     Observer& observer);

/// The same in this process only.
[[nodiscard]] BeamResult beam_search(const Problem& problem, const BeamOptions& options,
                                     int threads, const Limits& limits, Observer& observer);

/// Whether boards of that size have a beam search in metric multi.
[[nodiscard]] bool has_multi_beam(Size size);
/// Throws Error(input) if boards of that size have no beam search in that metric.
void expect_beam(Metric metric, Size size);

/// Memory for a beam search on each of `ranks` ranks, in bytes.
[[nodiscard]] std::uint64_t beam_bytes(const Problem& problem, std::uint64_t width, int ranks);

}  // namespace tessera
