// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace tessera {

/// The invocation of a command, shared by everything that it writes. Rows of boards name the first
/// four.
struct RunIdentity {
  std::string id;                  ///< unique
  std::string date;                ///< when it began, UTC, ISO 8601
  std::string revision;            ///< of the sources of the program
  std::optional<std::string> cpu;  ///< model of this host's CPU, if known
  std::string command;             ///< command line
  Stopwatch watch;                 ///< since it began
};
/// Of an invocation that begins now.
[[nodiscard]] RunIdentity begin_run(std::string command);

/// The workers of a search, as rows name them.
struct WorkerLayout {
  std::string backend;  ///< serial, threads or mpi
  int ranks = 1;
  int threads = 1;  ///< search threads per rank (of rank 0, if they differ)
  int hosts = 1;
};
void add_workers(nlohmann::ordered_json& json, const WorkerLayout& layout);

/// Where the row of a board comes from: the run that searched the board, when and in how many
/// threads. Two rows of a run overlap if their boards were searched at the same time.
struct Origin {
  RunIdentity run;
  int workers = 0;           ///< threads that searched the board; 0 if none did
  double begin_seconds = 0;  ///< since the run began
  double end_seconds = 0;
  std::optional<double> cpu_share;     ///< of the time of these threads, see CpuUse (cpu_use.hpp)
  std::optional<WorkerLayout> layout;  ///< empty: as in the run that reports it
};
/// Of a board searched from `begin` until `end`.
[[nodiscard]] Origin origin_of(const RunIdentity& run, int workers,
                               Stopwatch::Clock::time_point begin,
                               Stopwatch::Clock::time_point end);

/// Adds its fields, as in rows of results.
void add_origin(nlohmann::ordered_json& json, const Origin& origin);
/// As one line, for a checkpoint.
[[nodiscard]] std::string to_text(const Origin& origin);
/// Empty if the text is not one that to_text wrote, as in checkpoints of earlier revisions.
[[nodiscard]] std::optional<Origin> parse_origin(std::string_view text);

}  // namespace tessera
