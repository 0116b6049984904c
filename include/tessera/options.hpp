// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tessera/error.hpp>
#include <tessera/metric.hpp>

namespace tessera::api {

/// How a board is searched (docs/algorithms.md has the papers). `ida`, `iddfs`, `iddfs_pruned` and
/// `beam` run on all threads and ranks; `astar` and `greedy` store boards in memory and run in one
/// thread of each rank, `bfs` in one thread of one process. `greedy` and `beam` find any solution,
/// not the shortest.
enum class Engine { ida, iddfs, iddfs_pruned, astar, greedy, bfs, beam };

/// The command line's name of a value of the enumeration.
[[nodiscard]] std::string to_string(Engine engine);
/// Reads the command line's names, such as "iddfs-pruned" or "a*", in any case. Throws
/// Error(input).
[[nodiscard]] Engine parse_engine(std::string_view name);

/// How boards are to be solved. The defaults choose what is fastest for each board.
struct Options {
  /// "auto", or a name as for the command line: manhattan, linear-conflict, pdb:7-8,
  /// max(walking,pdb:5-5-5), one of add_heuristic(). `auto` takes tables that exist or are built
  /// in seconds.
  std::string heuristic = "auto";
  Metric metric = Metric::single;
  /// last, first, spiral, snake, columns, or the tiles of a board.
  std::string goal = "last";
  Engine engine = Engine::ida;
  /// Search threads of each rank; 0: all CPUs that it may use, divided among the ranks that share
  /// them.
  int threads = 0;
  /// Seconds for each board, tables aside; none by default.
  std::optional<double> time_limit;
  /// Nodes generated for each board; 0: no limit.
  std::uint64_t node_limit = 0;
  /// Bytes, of all ranks together; 0: what the machine has. If tables do not fit, solve() throws
  /// Error(resource), or `auto` takes smaller tables; if stored boards fill it, the result has
  /// Status::memory. While solve() runs, the limit holds for the whole process: of solvers that run
  /// at the same time, the last one's.
  std::uint64_t memory = 0;
  /// Count and list all optimal solutions (ida, iddfs and iddfs_pruned).
  bool all = false;
  /// With `all`: how many of them Result::all_moves lists at most; 0: they are only counted.
  std::uint64_t max_solutions = 1000;
  /// Visit all nodes of the last bound, so that counts do not depend on threads and ranks.
  bool finish_iteration = false;
  /// The folder of pattern databases, built once; empty: TESSERA_PDB_DIR or the user's cache
  /// folder.
  std::string tables;
  /// Breaks ties of beam search.
  std::uint64_t seed = 1;
};

}  // namespace tessera::api
