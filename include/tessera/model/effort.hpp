// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tessera/search/execution.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/problem.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// What one iteration is expected to cost.
struct BoundEffort {
  int bound = 0;
  double expanded = 0;
  double generated = 0;
  double low = 0;  ///< of expanded: between the two in about 95 of 100 boards
  double high = 0;
  bool extrapolated = false;  ///< not sampled, but continued as the bounds before it grow
};

struct EffortOptions {
  int last_bound = 0;             ///< sampled up to here
  std::uint64_t nodes = 400'000;  ///< to sample at most, or as many as the tree has levels
  std::uint64_t seed = 1;
  std::function<bool()> stopped = {};  ///< looked at between passes: true ends sampling
};

struct Effort {
  std::vector<BoundEffort> bounds;  ///< from the start's f, ascending
  std::uint64_t sampled = 0;        ///< nodes whose successors were produced
  double growth = 0;                ///< of the tree, where the bound grows by 1

  /// By all iterations up to and with that bound.
  [[nodiscard]] double expanded_to(int bound) const;
};

/// Estimates the iterations up to a bound.
[[nodiscard]] Effort estimate_effort(const SubtreeSearch& search, const EffortOptions& options);

/// Adds the next bound, as those before it grow. Needs two bounds at least.
void extrapolate(Effort& effort);

/// Where a board's search will probably end, which nobody knows before it does.
struct LengthGuess {
  int likely = 0;  ///< about half of such boards need no more moves
  int high = 0;    ///< some 97 of 100 need no more
};

/// The optimal length of a board as of a random one with its Manhattan distance. Random boards need
/// 1 + 1.6 / sqrt(cells) times the mean Manhattan distance of their size (3x3 21.97, 4x4 52.6, 5x5
/// about 100.8), and of what a board's distance differs from the mean 0.84 is seen again in its
/// length (Korf's 100, with a spread of 3.5 moves about that). Boards that were scrambled by a few
/// moves end earlier.
[[nodiscard]] LengthGuess guess_length(const Instance& instance, Metric metric, int least);

/// Nodes that a proof with the problem's heuristic and pruning will expand at most, estimated: the
/// bounds below the length that a narrow beam search finds, from a sample of their trees. A tenth
/// of a second; equal problems give equal figures. Infinite where the beam finds no solution.
[[nodiscard]] double estimate_proof(const Problem& problem);

/// Nodes per second that an executor's workers expand together, measured for at most `seconds` on
/// subtrees of the problem that were drawn at random within the bound; a larger bound is taken
/// where those are searched in no time, and more time where workers get none. 0 where nothing could
/// be measured. The problem's tables must be there.
[[nodiscard]] double measure_rate(const Problem& problem, SubtreeExecutor& executor, int bound,
                                  double seconds, const std::atomic<bool>* interrupted);

/// How much of a running iteration is left, as far as the iterations before it tell: it is expected
/// to exceed the last by as much as that one did its own predecessor.
struct Forecast {
  double part_done = 0;     ///< below 1
  double seconds_left = 0;  ///< at the iteration's own pace so far
};

/// `finished` are the complete iterations so far, `expanded` and `seconds` what the running one has
/// done in which time. Nothing where fewer than two iterations are complete, where too little is
/// done to tell its pace, or more than was expected.
[[nodiscard]] std::optional<Forecast> forecast(const std::vector<IterationReport>& finished,
                                               double expanded, double seconds);

/// What to ask a batch system for.
struct JobRequest {
  int nodes = 1;
  int tasks = 1;  ///< one a node: its threads share tables
  int cpus_per_task = 1;
  std::uint64_t memory_bytes = 0;  ///< a node
  double seconds = 0;              ///< with the safety factor
  double safety = 2;
};

struct JobNeeds {
  double nodes = 0;           ///< to expand in all
  double rate_of_worker = 0;  ///< nodes per second per search thread
  int cpus_of_node = 1;       ///< as of this host
  std::uint64_t table_bytes = 0;
};

/// As many nodes as bring the search below two hours, were all as this host; the time is that of
/// the expected work at 0.85 of the measured rate, times the safety factor, and ten minutes at
/// least.
[[nodiscard]] JobRequest suggest_request(const JobNeeds& needs);

}  // namespace tessera
