// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"
#include "report/run_identity.hpp"
#include "search/search_result.hpp"

namespace tessera {

enum class Status : std::uint8_t { solved, unsolvable, limit, interrupted, error };
[[nodiscard]] std::string_view to_string(Status status);

/// The setup of a run; the same for all its boards.
struct RunSetup {
  std::string engine = "ida";
  std::string backend;  ///< serial, threads or mpi
  int ranks = 1;
  int threads = 1;  ///< search threads per rank (of rank 0, if they differ)
  int hosts = 1;
  int workers = 1;                      ///< search threads of all ranks
  std::optional<std::string> schedule;  ///< if workers share a board's subtrees
  std::optional<std::string> bounds;    ///< of engines with iterative deepening
  bool finish_iteration = false;
  std::uint64_t seed = 1;  ///< of beam search
};

/// Everything that is reported about one board: a row of a result file.
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
  std::optional<std::string> prune;        ///< of engines with iterative deepening
  std::optional<int> lower_bound;          ///< proven, on the length
  std::optional<std::uint64_t> solutions;  ///< with --all
  bool lists_solutions = false;            ///< with --all: `list` is reported
  bool counts_first_moves = false;         ///< with --good-moves: those of `list`
  bool keeps_boards = false;               ///< the engine does: `states` and `bytes` are reported
  std::optional<Origin> origin;            ///< empty if unknown
  std::string message;                     ///< of `error`: what is wrong
  /// Whether there is a board: the line of a stream may hold none.
  [[nodiscard]] bool has_board() const { return board.size().cells() > 0; }

  /// Whether solutions were to be listed, and a limit prevented it.
  [[nodiscard]] bool list_is_missing() const {
    return status == Status::solved && !list && (lists_solutions || counts_first_moves);
  }
  /// Whether the search stopped because memory ran out.
  [[nodiscard]] bool memory_full() const { return keeps_boards && stop == Stop::memory; }
};

/// One JSON line of schema tessera.result/1.
[[nodiscard]] std::string to_json(const BoardResult& result, const RunSetup& setup);

/// A row of CSV, and the heading of such rows; fields without a value are empty.
[[nodiscard]] std::string result_csv_heading();
[[nodiscard]] std::string to_csv(const BoardResult& result, const RunSetup& setup);
/// Whether a row of CSV by column has moves. None are moves, too: those of a board that is its
/// goal, which a status or a length says.
[[nodiscard]] bool csv_has_moves(const std::map<std::string, std::string>& row);
/// What parse_result() reads of a row of CSV by column, that of another program, too: `board` and
/// `moves`, and perhaps others with the names of the heading. `number` is its id if it has none.
[[nodiscard]] std::string json_of_csv(const std::map<std::string, std::string>& row, int number);

/// A bound as a row describes it.
struct ClaimedBound {
  std::int64_t bound = 0;
  std::int64_t expanded = 0;
  std::int64_t generated = 0;
  bool complete = true;
};

/// What `verify` needs of a row. Throws Error(input).
struct ClaimedResult {
  std::string id;
  Board board;
  [[nodiscard]] bool has_board() const { return board.size().cells() > 0; }
  std::string goal;
  Metric metric = Metric::single;
  std::string status;
  std::optional<std::int64_t> length;
  std::optional<std::string> moves;
  std::optional<std::uint64_t> solutions;
  std::vector<std::string> all_moves;
  std::uint64_t good_moves = 0;  ///< solutions that begin with any of them
  std::optional<bool> solvable;
  std::optional<bool> optimal;
  std::optional<bool> verified;
  std::optional<bool> solves;                 ///< of optimize: whether the moves lead to the goal
  std::optional<std::int64_t> length_before;  ///< of optimize: of the moves that were given
  std::optional<std::int64_t> lower_bound;
  std::optional<std::int64_t> upper_bound;
  std::optional<std::int64_t> expanded;
  std::optional<std::int64_t> generated;
  std::vector<ClaimedBound> iterations;
  bool deepens = true;          ///< the engine searches bound after bound
  bool independent = false;     ///< bounds were searched at the same time
  bool no_length = false;       ///< the row has the field, and it is null
  bool no_lower_bound = false;  ///< the same
  bool no_upper_bound = false;  ///< the same
  std::string malformed;        ///< what flaw() says of a value of another type than these
};
[[nodiscard]] ClaimedResult parse_result(std::string_view json_line);

/// What is wrong with a claim, such as "has 5 moves, the file says 4"; empty if it is correct.
/// Replays it independently of the search and compares the length with the bounds. Throws
/// Error(input) if the goal does not fit the board.
[[nodiscard]] std::string flaw(const ClaimedResult& claim);

/// The same for the bounds that were searched and their nodes: nodes that do not add up, bounds out
/// of order, or bounds that contradict the length or the lower bound.
[[nodiscard]] std::string flaw_of_iterations(const ClaimedResult& claim);

}  // namespace tessera
