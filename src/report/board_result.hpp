// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"
#include "report/run_identity.hpp"
#include "search/search_result.hpp"

namespace tessera {

enum class Status : std::uint8_t { solved, unsolvable, limit, interrupted, error };
inline constexpr std::string_view statuses[] = {"solved", "unsolvable", "limit", "interrupted",
                                                "error"};
[[nodiscard]] constexpr std::string_view to_string(Status status) {
  return statuses[static_cast<std::size_t>(status)];
}

/// The setup of a run; the same for all its boards.
struct RunSetup : WorkerLayout {
  std::string engine = "ida";
  std::optional<std::string> schedule;  ///< if workers share a board's subtrees
  std::optional<std::string> bounds;    ///< of engines with iterative deepening
  bool finish_iteration = false;
  std::uint64_t seed = 1;  ///< of beam search
};

/// What is known of a board before its search.
struct BoardFacts {
  std::string id;
  Board board;
  std::string goal;  ///< its name, or tiles
  Metric metric = Metric::single;
  std::string heuristic;
  bool from_goal = false;  ///< searched from the goal to the start
  bool solvable = true;
};

/// Everything that is reported about one board: a row of a result file.
struct BoardResult : SearchResult, BoardFacts {
  Status status = Status::solved;
  std::optional<int> length;               ///< of the solution, verified
  std::optional<std::string> prune;        ///< of engines with iterative deepening
  std::optional<int> lower_bound;          ///< proven, on the length
  std::optional<std::uint64_t> solutions;  ///< with --all
  bool lists_solutions = false;            ///< with --all: `list` is reported
  bool counts_first_moves = false;         ///< with --good-moves: those of `list`
  bool stores_boards = false;              ///< the engine does: `states` and `bytes` are reported
  std::optional<Origin> origin;            ///< empty if unknown
  std::string message;                     ///< of `error`: what is wrong
  /// Whether there is a board: the line of a stream may hold none.
  [[nodiscard]] bool has_board() const { return board.size().cells() > 0; }

  /// Whether solutions were to be listed, and a limit prevented it.
  [[nodiscard]] bool list_is_missing() const {
    return status == Status::solved && !list && (lists_solutions || counts_first_moves);
  }
  /// Whether everything that was requested is known.
  [[nodiscard]] bool is_answered() const {
    return (status == Status::solved || status == Status::unsolvable) && !list_is_missing();
  }
  /// Whether the search stopped because memory ran out.
  [[nodiscard]] bool memory_full() const { return stop == Stop::memory; }
};

/// The first fields of every row about a board.
[[nodiscard]] nlohmann::ordered_json board_json(const char* schema, const std::string& id,
                                                const Board& board, const std::string& goal,
                                                Metric metric);
/// The lengths of tile letters in both metrics.
[[nodiscard]] nlohmann::ordered_json lengths_json(std::string_view letters);
/// A bound of a row.
[[nodiscard]] nlohmann::ordered_json iteration_json(const IterationReport& report);

/// A row of schema tessera.result/1, and as one line. The layout of the result's origin, if it has
/// one, counts instead of the setup's.
[[nodiscard]] nlohmann::ordered_json row_of(const BoardResult& result, const RunSetup& setup);
[[nodiscard]] std::string to_json(const BoardResult& result, const RunSetup& setup);

/// The columns of such rows as CSV (csv.hpp).
inline constexpr std::string_view result_columns =
    "id,size,goal,metric,heuristic,engine,backend,ranks,threads,workers,status,solvable,length,"
    "optimal,lower_bound,upper_bound,expanded=nodes/expanded,generated=nodes/generated,seconds,"
    "setup_seconds,begin_seconds,end_seconds,cpu_share,prune,run,date,revision,cpu,version,board,"
    "moves,lengths_single=lengths/single,lengths_multi=lengths/multi,solutions";

}  // namespace tessera
