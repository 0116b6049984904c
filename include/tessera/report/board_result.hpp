// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/puzzle/board.hpp"
#include "tessera/puzzle/metric.hpp"
#include "tessera/search/search_result.hpp"

namespace tessera {

enum class Status : std::uint8_t { solved, unsolvable, limit, interrupted, error };
[[nodiscard]] std::string_view to_string(Status status);

/// How a run is laid out; the same for all its boards.
struct RunSetup {
  std::string engine = "ida";
  std::string backend;  ///< serial, threads or mpi
  int ranks = 1;
  int threads = 1;  ///< search threads of a rank (of rank 0, where they differ)
  int hosts = 1;
  int workers = 1;                      ///< search threads of all ranks
  std::optional<std::string> schedule;  ///< where workers share the subtrees of a board
  std::optional<std::string> bounds;    ///< of engines that deepen
};

/// All that is reported of one board: the row of a result file.
struct BoardResult : SearchResult {
  std::string id;
  Board board;
  std::string goal;  ///< last, first, or tiles
  Metric metric = Metric::single;
  bool solvable = true;
  Status status = Status::solved;
  std::optional<std::string> moves;
  std::optional<int> length;
  bool verified = false;
  std::string heuristic;
  std::optional<int> lower_bound;          ///< on the length: proven
  std::optional<std::uint64_t> solutions;  ///< with --all
  bool keeps_boards = false;               ///< the engine does: `states` and `bytes` are reported

  /// Whether that is why the search stopped.
  [[nodiscard]] bool memory_full() const { return keeps_boards && stop == Stop::memory; }
};

/// Takes over what a search of the board found, but for `status`. Replays its solution on the board
/// as given, with nothing that the search used; throws Error(internal) where it does not lead to
/// the goal.
void add_search(BoardResult& result, SearchResult found, const Board& goal);

/// One JSON line of schema tessera.result/1.
[[nodiscard]] std::string to_json(const BoardResult& result, const RunSetup& setup);

/// What `verify` needs of a row. Throws Error(input).
struct ClaimedResult {
  std::string id;
  Board board;
  std::string goal;
  Metric metric = Metric::single;
  std::string status;
  std::optional<int> length;
  std::optional<std::string> moves;
  bool optimal = false;
  std::optional<int> lower_bound;
  std::optional<int> upper_bound;
};
[[nodiscard]] ClaimedResult parse_result(std::string_view json_line);

/// What is wrong with a claim, "has 5 moves, the file says 4", empty where it holds. Replays it,
/// uses nothing of the search, and compares the length with the bounds. Throws Error(input) where
/// the goal is none for the board.
[[nodiscard]] std::string flaw(const ClaimedResult& claim);

}  // namespace tessera
