// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "model/work_record.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// A hypothetical machine.
struct Machine {
  int ranks = 16;
  int threads = 1;  ///< search threads per rank
  double rate = 0;  ///< nodes per second of each thread; 0: as recorded
  double latency_seconds = 2e-6;
  double message_seconds = 1e-6;  ///< main thread time per message sent or received
  double poll_seconds = 10e-6;    ///< core time each time a main thread polls
  double bytes_per_second = 10e9;
  double item_seconds = 2.5e-6;  ///< rank 0's time to list, deal and pack a subtree
  double item_bytes = 80;        ///< per subtree in the scatter
  double sum_bytes = 8;          ///< per subtree in the sum of costs
  double result_seconds = 3e-6;  ///< a rank's time to merge a result with its own
  double result_bytes = 80;      ///< per rank's result, without its threads
  int slow_ranks = 0;            ///< the last ones
  double slowness = 4;           ///< how many times slower than the others
};

struct SimulationOptions {
  Machine machine;
  Schedule schedule = Schedule::stealing;
  std::size_t iteration = 0;  ///< of the record
  /// Work per thread in seconds of search; scales the record's costs. 0: as recorded.
  double work_seconds = 0;
  std::uint64_t seed = 1;
  /// If a signal handler sets it, the simulation stops early; its result must not be used.
  const std::atomic<bool>* interrupted = nullptr;
};

/// The simulated course of one iteration. Seconds are simulated.
struct Simulation {
  int bound = 0;
  double scale = 1;     ///< of the recorded costs
  double expanded = 0;  ///< in all subtrees dealt, without the frontier's own nodes
  double makespan_seconds = 0;
  double speedup = 0;          ///< serial time of the same work / makespan
  double efficiency = 0;       ///< work / (makespan x combined rate of all threads)
  std::uint64_t subtrees = 0;  ///< dealt at the start
  std::uint64_t cut = 0;       ///< branches given away by running subtrees
  std::uint64_t steals = 0;    ///< answers with work
  std::uint64_t refusals = 0;
  double messages_per_rank = 0;    ///< sent, including rounds
  double most_messages = 0;        ///< of one rank
  double busiest_main_thread = 0;  ///< fraction of the makespan that it spent on messages
  // Fractions of the makespan that are lost, over all threads.
  double lost_start = 0;    ///< until the first subtrees arrive
  double lost_starved = 0;  ///< idle while 95 of 100 threads still had work
  double lost_tail = 0;     ///< idle after that
  double lost_end = 0;      ///< from the last subtree until rank 0 has all results
  double lost_polls = 0;    ///< cores used by main threads

  /// The largest loss, in words.
  [[nodiscard]] std::string limit() const;
};

/// The most memory that the simulation of a machine may take, in bytes.
[[nodiscard]] std::uint64_t simulation_bytes(const Machine& machine);

/// Replays the balancing protocol (docs/decisions/0013-balance.md) over a recorded iteration as
/// discrete events: each rank's polls, requests, answers, and pieces of running subtrees, after
/// which branches are given away. Only the duration is modeled for: dealing (serial on rank 0), the
/// scatter, a round's sums and the gather (along trees of log2(ranks) stages, each of which waits
/// for a poll).
///
/// Below the recorded depth, and if costs are scaled, trees continue with the shapes of recorded
/// subtrees of equal slack, drawn at random and scaled to the cost; so a small record represents a
/// large search. Equal seeds give equal results.
[[nodiscard]] Simulation simulate(const WorkRecord& record, const SimulationOptions& options);

}  // namespace tessera
