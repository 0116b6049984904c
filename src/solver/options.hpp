// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tessera/options.hpp>

#include "puzzle/metric.hpp"
#include "search/best_first/best_first.hpp"
#include "search/tree/execution.hpp"
#include "search/tree/ida_star.hpp"

namespace tessera {

using Seconds = std::chrono::duration<double>;

using api::Engine;
using api::parse_engine;

/// Where an engine runs: the calling thread, the threads of this process, or the ranks of the job.
enum class BackendKind : std::uint8_t { automatic, serial, threads, mpi };
inline constexpr const char* backend_names[] = {"auto", "serial", "threads", "mpi"};
[[nodiscard]] std::string to_string(BackendKind backend);

/// From which end a board is searched. Solutions are equally long, but either tree may be a hundred
/// times as large as the other.
enum class SearchFrom : std::uint8_t { automatic, start, goal };
inline constexpr const char* search_from_names[] = {"auto", "start", "goal"};

/// How many boards are distributed: one worker per board, or all workers on one board after
/// another, or the first until a board proves hard.
enum class Batch : std::uint8_t { automatic, boards, tree };

/// How boards are to be solved, as requested: `auto` and 0 leave a choice to the solver.
struct SearchOptions {
  Engine engine = Engine::ida;
  Metric metric = Metric::single;
  std::string heuristic = "auto";       ///< a name, such as pdb:7-8
  std::optional<PruneRule> prune = {};  ///< empty: auto
  SearchFrom search_from = SearchFrom::automatic;
  std::string table_directory = {};  ///< empty: the user's cache folder
  IncumbentOptions incumbent{.automatic = true};
  bool all = false;
  bool good_moves = false;
  std::optional<std::uint64_t> most_solutions = {};  ///< of `all`; 1000 by default
  [[nodiscard]] bool counts_all() const { return all || good_moves; }
  /// How many solutions are listed; empty: they are only counted.
  [[nodiscard]] std::optional<std::uint64_t> listed() const {
    const std::uint64_t most = all ? most_solutions.value_or(1'000) : 0;
    return most > 0 || good_moves ? std::optional(most) : std::nullopt;
  }
  bool finish_iteration = false;
  Kernel kernel = Kernel::automatic;
  InnerParallel parallel = InnerParallel::none;
  int queues = 0;
  std::uint64_t seed = 1;

  BackendKind backend = BackendKind::automatic;
  int threads = 0;
  Batch batch = Batch::automatic;
  Schedule schedule = Schedule::stealing;
  bool independent = false;
  std::size_t frontier = 0;
  std::optional<int> split_depth = {};
  Emulation emulation = {};

  std::optional<std::chrono::nanoseconds> time_limit = {};
  std::chrono::nanoseconds board_time_limit{};  ///< 0: none
  std::uint64_t node_limit = 0;
  std::optional<std::uint64_t> memory_bytes = {};

  std::optional<std::string> checkpoint = {};
  std::optional<Seconds> checkpoint_every = {};
  bool resume = false;
  std::optional<std::string> trace = {};
  std::optional<std::string> log_dir = {};
  std::optional<std::string> record = {};
};

/// Whether the engine stores the boards that it reaches: astar, greedy, bfs.
[[nodiscard]] bool stores_boards(Engine engine);

/// Whether the engine deepens iteratively, in subtrees: ida, iddfs, iddfs-pruned.
[[nodiscard]] bool cuts_trees(Engine engine);

/// Whether a beam search is requested: by engine or width.
[[nodiscard]] bool requests_beam(const SearchOptions& options);

/// Whether `heuristic` matters: iddfs and bfs have none, rows of distances add up to Manhattan's.
[[nodiscard]] bool takes_heuristic(const SearchOptions& options);

/// The option that prevents solving boards in parallel, one worker each, or null.
[[nodiscard]] const char* why_no_batch(const SearchOptions& options);
/// Whether boards may be solved so, at least at first.
[[nodiscard]] bool may_batch(const SearchOptions& options);

/// Adapts options to their engine, on that many ranks: those that it ignores are set to what it
/// actually does. Returns a note for each that was set to something else. Throws Error(input) if
/// options exclude one another.
[[nodiscard]] std::vector<std::string> adapt_to_engine(SearchOptions& options, int ranks);

/// Resets what adapt_to_engine would refuse because of the engine: options that the engines of a
/// comparison share.
void drop_unsupported(SearchOptions& options);

/// The option that excludes beam searches, or null.
[[nodiscard]] const char* why_no_incumbent(const SearchOptions& options);

}  // namespace tessera
