// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.hpp"

namespace tessera {

/// A comparison of two timed configurations.
struct Verdict {
  /// unknown: fewer than `least_runs` runs of one, or runs that are too short
  enum class Noise { beyond, within, unknown };
  const Measured* faster = nullptr;  ///< by the median
  const Measured* slower = nullptr;
  double factor = 1;  ///< of the medians
  double chance = 1;  ///< of such a difference by chance; see chance_of_difference
  Noise noise = Noise::unknown;

  /// Whether one of them has runs that are too short.
  [[nodiscard]] bool too_short() const { return faster->too_short() || slower->too_short(); }
};

[[nodiscard]] Verdict judge(const Measured& a, const Measured& b);

/// One sentence: which is faster, by how much, and whether that is beyond the noise; or that the
/// faster one's solutions are not optimal.
[[nodiscard]] std::string to_sentence(const Verdict& verdict);

/// One reason why two configurations differ in time, in their median runs: workers; expanded nodes;
/// nodes per second of searching, of one worker; or the share of all worker time spent waiting,
/// communicating, or cutting the tree, waking workers and replaying.
struct Cause {
  std::string text;   ///< "waits 0.1 % of its time instead of 1.2 %", of the faster configuration
  double weight = 0;  ///< its share of ln(slower's seconds / faster's); below 0: opposing
  bool is_workers = false;
};

/// All six; the weights add up to ln(slower's seconds / faster's). With N expanded nodes, r nodes
/// per second of searching and W workers that search a share s of their time, a run takes N / (r W
/// s); what s differs by is divided among waiting, communication and start-up in proportion to what
/// their shares differ by (the logarithmic mean Divisia index: Ang, Energy Policy 32, 2004). Empty
/// if a median run has no time, no nodes or no searching.
[[nodiscard]] std::vector<Cause> causes_of(const TimedRun& faster, const TimedRun& slower);

/// "Why: it has 2 workers instead of 1, although it waits 1.2 % of its time instead of 0.1 %", `it`
/// being the faster one. Leaves out what contributes little; empty if no cause is known.
[[nodiscard]] std::string explanation_of(const std::vector<Cause>& causes);

/// The pairs to compare, without duplicates: neighbors in order of speed, fastest first; ranks
/// against threads with as many workers; each against its reference and the serial search of its
/// engine and heuristic.
[[nodiscard]] std::vector<Verdict> verdicts_of(const Comparison& comparison);

/// The sentences for those pairs, and one for each configuration without a time.
[[nodiscard]] std::vector<std::string> verdict_lines(const Comparison& comparison);

/// At most three sentences on a comparison: which configuration is faster than the next one, by how
/// much and why; then the same against as many threads or ranks, the serial search or the slowest;
/// or which have no time. A fourth warns if nodes, and thus times, differ by chance. If no board
/// was timed, only one line per board.
[[nodiscard]] std::vector<std::string> summary_of(const Comparison& comparison);

}  // namespace tessera
