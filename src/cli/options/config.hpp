// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "puzzle/board_file.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/move_text.hpp"
#include "report/progress.hpp"
#include "search/best_first/best_first.hpp"
#include "search/tree/execution.hpp"
#include "search/tree/ida_star.hpp"

namespace tessera {

using Seconds = std::chrono::duration<double>;

/// Part `part`, from 1, of a list dealt out one by one.
struct Slice {
  std::size_t part = 1;
  std::size_t parts = 1;
};

/// How many boards are distributed: one worker per board, or all workers on one board after
/// another, or the first until a board proves hard.
enum class Batch : std::uint8_t { automatic, boards, tree };

/// Everything that the command line, the environment and a configuration file can set. Texts that
/// depend on one another (a goal needs a size) stay texts until the command reads them.
struct Config {
  std::string command_line;        ///< as it can be typed into a shell
  std::vector<std::string> words;  ///< words beside options: a board, files
  std::optional<std::string> config_file;

  std::optional<std::string> file;
  std::optional<std::string> set;
  std::optional<Size> size;
  std::optional<std::string> goal;
  Metric metric = Metric::single;
  BoardFormat format = BoardFormat::automatic;
  bool keep_going = false;
  std::optional<std::string> scramble_moves;  ///< of the goal, instead of a board
  Slice slice;

  std::string engine = "ida";
  Batch batch = Batch::automatic;
  InnerParallel parallel = InnerParallel::none;
  int queues = 0;
  std::string heuristic = "auto";
  std::string prune = "auto";
  std::string table_directory;
  std::optional<std::string> partition;
  bool collections = false;
  std::string backend = "auto";
  int threads = 0;
  Schedule schedule = Schedule::stealing;
  bool independent = false;
  Kernel kernel = Kernel::automatic;
  Emulation emulation;
  std::size_t frontier = 0;
  std::optional<int> split_depth;
  bool all = false;
  bool finish_iteration = false;
  IncumbentOptions incumbent{.automatic = true};

  std::optional<std::chrono::nanoseconds> time_limit;
  std::chrono::nanoseconds board_time_limit{};  // 0: none
  std::uint64_t node_limit = 0;
  std::optional<std::uint64_t> memory_bytes;

  std::optional<std::string> disk;
  std::optional<std::string> checkpoint;
  std::optional<Seconds> checkpoint_every;
  bool resume = false;

  Notation notation = Notation::letters;
  Mover moves_of = Mover::tile;
  bool invert = false;
  bool simplify = false;
  bool reflect = false;
  bool rotate = false;
  std::optional<std::string> json;
  std::optional<std::string> trace;
  std::optional<std::string> log_dir;
  bool quiet = false;
  ProgressStyle progress = ProgressStyle::automatic;
  [[nodiscard]] ProgressStyle shown_progress() const {
    return quiet ? ProgressStyle::none : progress;
  }

  bool dry_run = false;
  std::uint64_t sample_nodes = 0;
  std::optional<int> last_bound;

  std::optional<std::string> record;
  std::vector<int> ranks;
  std::vector<Schedule> schedules{Schedule::stealing};
  Seconds latency = std::chrono::microseconds(2);
  std::optional<Seconds> work;
  int slow_ranks = 0;
  std::int64_t rate = 0;  ///< 0: as recorded
  int iterations = 2;

  int count = 1;
  std::uint64_t seed = 1;
  bool seed_is_random = false;  ///< `generate` chooses it
  std::optional<int> scramble;

  int port = 8015;
  std::string host = "127.0.0.1";
  std::string socket;
  std::string token;
  std::vector<std::string> allowed_hosts;
  std::optional<int> depth;

  std::uint64_t deepest = 0;
  bool plan = false;
  std::optional<std::string> csv;
  std::optional<std::string> summary;

  std::optional<std::string> output;

  bool heuristics = false;

  std::vector<std::string> engines{"ida"};
  std::vector<std::string> heuristic_list{"auto"};
  std::vector<std::string> backends;  ///< empty: all available ones
  std::vector<int> workers;           ///< empty: all available ones
  int repeat = 5;
  std::string study;  ///< what `compare` varies besides its lists; empty: nothing
};

}  // namespace tessera
