// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "search/kernels/subtree_search.hpp"
#include "search/observer.hpp"
#include "search/problem.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// What one iteration is expected to cost.
struct BoundEffort {
  int bound = 0;
  double expanded = 0;
  double generated = 0;
  double low = 0;  ///< of expanded: within these for about 95 of 100 boards
  double high = 0;
};

struct EffortOptions {
  int last_bound = 0;             ///< sampled up to here
  int first_bound = 0;            ///< no rows below
  std::uint64_t nodes = 400'000;  ///< most to sample, or as many as the tree has levels
  std::uint64_t seed = 1;
  std::function<bool()> stopped = {};  ///< once it is true, sampling ends soon
};

struct Effort {
  std::vector<BoundEffort> bounds;  ///< from the start's f, ascending
  std::uint64_t sampled = 0;        ///< nodes whose successors were produced

  /// Over all iterations up to and including that bound.
  [[nodiscard]] double expanded_to(int bound) const;
};

/// Estimates the cost of the iterations up to a bound.
[[nodiscard]] Effort estimate_effort(const SubtreeSearch& search, const EffortOptions& options);

/// Adds rows above the last one, from a sample of its own: one to a higher bound says less about
/// those below.
void sample_above(Effort& effort, const SubtreeSearch& search, EffortOptions options);

/// Estimates the most nodes that a proof with the problem's heuristic and pruning expands: samples
/// the trees of the bounds below the length that a narrow beam search finds. Takes about 0.1 s;
/// equal problems give equal values. Infinite if the beam finds no solution.
[[nodiscard]] double estimate_proof(const Problem& problem);

/// How many times as many nodes the search from the other end expands as `search` does, estimated
/// from samples of both trees within the first bound for which that of `search` has `nodes` nodes.
/// 1 if `search` probably ends before that bound. Takes some tenths of a second; equal searches
/// give equal values.
[[nodiscard]] double size_from_other_end(const SubtreeSearch& search, const SubtreeSearch& other,
                                         Metric metric, double nodes);

/// Nodes per second that an executor's workers expand together, measured for at most `seconds` on
/// random subtrees of the problem within the bound. Uses a larger bound if those take no time, and
/// more time if some workers get none. 0 if nothing could be measured. The problem's tables must
/// exist.
[[nodiscard]] double measure_rate(const Problem& problem, SubtreeExecutor& executor, int bound,
                                  double seconds, const std::atomic<bool>* interrupted);

/// Predicts the rest of the running iteration from the earlier ones: its ratio to the last one is
/// expected to be the same as the last one's to its predecessor.
struct Forecast {
  double part_done = 0;     ///< below 1
  double seconds_left = 0;  ///< at the iteration's speed so far
};

/// `finished` are the complete iterations so far; `expanded` and `seconds` describe the running
/// one. Empty if fewer than two iterations are complete, if the running one is too short to know
/// its speed, or if it already exceeds the expectation.
[[nodiscard]] std::optional<Forecast> forecast(const std::vector<IterationReport>& finished,
                                               double expanded, double seconds);

/// Memory of one search thread, besides tables.
inline constexpr std::uint64_t thread_bytes = std::uint64_t{48} << 20;

/// What to request from a batch system.
struct JobRequest {
  int nodes = 1;  ///< with one task each: its threads share tables
  int cpus_per_task = 1;
  std::uint64_t memory_bytes = 0;  ///< per node
  double seconds = 0;              ///< with the safety factor
  double safety = 2;
};

struct JobNeeds {
  double nodes = 0;           ///< to expand in total
  double rate_of_worker = 0;  ///< nodes per second per search thread
  int cpus_of_node = 1;       ///< assumed equal to this host's
  std::uint64_t table_bytes = 0;
};

/// The number of nodes that brings the search below two hours if all are like this host. The time
/// is that of the expected work at 0.85 of the measured rate, times the safety factor, and at least
/// ten minutes.
[[nodiscard]] JobRequest suggest_request(const JobNeeds& needs);

}  // namespace tessera
