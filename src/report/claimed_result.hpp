// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// A bound as a row describes it.
struct ClaimedBound {
  std::int64_t bound = 0;
  std::int64_t expanded = 0;
  std::int64_t generated = 0;
  bool complete = true;
};

/// What a row of a result file claims, as `verify` needs it.
struct ClaimedResult {
  std::string id;
  Board board;
  [[nodiscard]] bool has_board() const { return board.size().cells() > 0; }
  std::string goal;
  Metric metric = Metric::single;
  std::string status;
  std::optional<std::int64_t> length;
  std::optional<std::string> moves;
  std::optional<std::int64_t> single;  ///< the length of these moves in that metric
  std::optional<std::int64_t> multi;
  std::optional<std::uint64_t> solutions;
  std::vector<std::string> all_moves;
  std::optional<std::map<std::string, std::uint64_t>> good_moves;  ///< solutions by first move
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
  std::string malformed;        ///< what flaw() reports about a field of the wrong type
};

/// What is wrong with moves that cannot be replayed.
inline constexpr std::string_view malformed_moves =
    "has a move that leaves the board or is not a letter of UDLR";

/// Of a row of solve or optimize, as text or parsed. Throws Error(input).
[[nodiscard]] ClaimedResult parse_result(std::string_view json_line);
[[nodiscard]] ClaimedResult claim_of(const nlohmann::json& row);
/// Whether a row of CSV, by column, has moves. An empty `moves` counts as moves of a board that is
/// its goal if a status or a length says so.
[[nodiscard]] bool csv_has_moves(const std::map<std::string, std::string>& row);
/// A row of CSV, by column, as the JSON of such a row, also for rows of other programs:
/// `board` and `moves`, and perhaps other columns with the names that solve writes. `number` is the
/// id if there is none.
[[nodiscard]] nlohmann::json json_of_csv(const std::map<std::string, std::string>& row, int number);

/// What is wrong with a claim, such as "has 5 moves, the file says 4"; empty if it is correct.
/// Replays it independently of the search and compares the length with the bounds. Throws
/// Error(input) if the goal does not fit the board.
[[nodiscard]] std::string flaw(const ClaimedResult& claim);

/// The same for the bounds that were searched and their nodes: nodes that do not add up, bounds out
/// of order, or bounds that contradict the length or the lower bound.
[[nodiscard]] std::string flaw_of_iterations(const ClaimedResult& claim);

}  // namespace tessera
