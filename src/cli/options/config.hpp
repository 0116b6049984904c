// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "puzzle/board_file.hpp"
#include "puzzle/move_text.hpp"
#include "report/progress.hpp"
#include "solver/options.hpp"

namespace tessera {

/// Part `part`, from 1, of a list dealt out one by one.
struct Slice {
  std::size_t part = 1;
  std::size_t parts = 1;
};

/// What `compare` varies besides its lists.
enum class Study : std::uint8_t { none, split_depth, threads, ranks, schedule };
inline constexpr const char* study_names[] = {"", "split-depth", "threads", "ranks", "schedule"};

/// Everything that the command line, the environment and a configuration file can set. Texts that
/// depend on one another (a goal needs a size) stay texts until the command reads them.
struct Config : SearchOptions {
  std::string command_line;        ///< as it can be typed into a shell
  std::vector<std::string> words;  ///< words beside options: a board, files
  std::optional<std::string> config_file;

  std::optional<std::string> file;
  std::optional<std::string> set;
  std::optional<Size> size;
  std::optional<std::string> goal;
  BoardFormat format = BoardFormat::automatic;
  bool keep_going = false;
  bool stream = false;                        ///< answer each line of the file as it comes
  bool unordered = false;                     ///< as soon as it is answered
  std::optional<std::string> scramble_moves;  ///< of the goal, instead of a board
  Slice slice;

  std::optional<std::string> partition;
  bool collections = false;
  std::vector<std::string> heuristic_list{"auto"};  ///< of which `heuristic` is the first

  std::optional<std::string> disk;

  Notation notation = Notation::letters;
  Mover moves_of = Mover::tile;
  std::optional<std::string> moves;  ///< of `analyse` and `optimize`
  std::optional<int> window;         ///< the same
  bool invert = false;
  bool simplify = false;
  bool reflect = false;
  bool rotate = false;
  std::optional<std::string> json;
  bool quiet = false;
  ProgressStyle progress = ProgressStyle::automatic;
  [[nodiscard]] ProgressStyle shown_progress() const {
    return quiet ? ProgressStyle::none : progress;
  }

  bool dry_run = false;
  std::uint64_t sample_nodes = 400'000;
  std::optional<int> last_bound;

  std::vector<int> ranks;
  std::vector<Schedule> schedules{Schedule::stealing};
  Seconds latency = std::chrono::microseconds(2);
  std::optional<Seconds> work;
  int slow_ranks = 0;
  std::int64_t rate = 0;  ///< 0: as recorded
  int iterations = 2;

  int count = 1;
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

  std::vector<Engine> engines{Engine::ida};
  std::vector<BackendKind> backends;  ///< empty: all available ones
  std::vector<int> workers;           ///< empty: all available ones
  int repeat = 5;
  Study study = Study::none;
};

}  // namespace tessera
