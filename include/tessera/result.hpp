// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/board.hpp>

namespace tessera::api {

enum class Status {
  solved,
  unsolvable,  ///< proven, by parity
  limit,       ///< a limit ended the search; perhaps with a solution that is not proven optimal
  stopped,     ///< stop() or a stop token ended it; the same
  memory,      ///< full: an engine that stores boards filled it, or no wider beam fits
};
[[nodiscard]] std::string_view to_string(Status status);

/// Exact counts, in the standard terms.
struct Nodes {
  std::uint64_t expanded = 0;   ///< nodes whose successors were produced
  std::uint64_t generated = 0;  ///< successors, one by one, before the bound is tested
};

/// The search of one bound; for A* and breadth-first search a layer of equal f.
struct Iteration {
  int bound = 0;
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  double seconds = 0;    ///< wall time
  bool complete = true;  ///< false if a limit cut it
};

/// What is decided about a board before its search.
struct Plan {
  std::string heuristic;           ///< the name that `auto` stands for
  std::string advice;              ///< tables that would be faster, or nothing
  std::string prune;               ///< which moves are left out: parent, fsm:DEPTH
  std::uint64_t table_bytes = 0;   ///< pattern databases, once per host
  std::uint64_t memory_bytes = 0;  ///< at most, of all ranks, including tables
  int ranks = 1;
  int threads = 1;  ///< of each rank
  /// One line, as `solve --dry-run` prints it.
  [[nodiscard]] std::string text() const;
};

/// The answer for one board.
struct Result {
  Status status = Status::limit;
  int length = -1;       ///< moves of the solution in the metric of the options; -1: none
  std::string moves;     ///< L R U D: the direction in which a tile moves, one letter per step
  bool optimal = false;  ///< proven: no solution is shorter
  int lower_bound = 0;   ///< proven: no solution is shorter than this
  int upper_bound = -1;  ///< length of the shortest known solution; -1: none
  Nodes nodes;           ///< over all iterations
  std::vector<Iteration> iterations;
  std::uint64_t solutions = 0;  ///< with Options::all, if solved: number of optimal solutions
  /// With Options::all: the first of them, in move order; empty also if a limit ended the listing.
  std::vector<std::string> all_moves;
  std::map<std::string, std::uint64_t> good_moves;  ///< how many of all begin with each first move
  std::string heuristic;                            ///< that was used
  double seconds = 0;                               ///< wall time of the search
  double setup_seconds = 0;  ///< wall time to build or open tables and to wake workers
};

}  // namespace tessera::api
