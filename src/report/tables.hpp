// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "puzzle/move_text.hpp"
#include "report/board_result.hpp"

namespace tessera {

/// 0.000123 as "0.000123", 12.3456 as "12.346": fewer decimals for large values.
[[nodiscard]] std::string seconds_text(double seconds);

/// "4 ranks x 2 threads on 1 host"
[[nodiscard]] std::string layout_text(const RunSetup& setup);

/// The table of bounds: its heading, and a row for each.
[[nodiscard]] std::string bound_heading();
[[nodiscard]] std::string bound_row(const IterationReport& report);

/// The table of boards, if there are several.
[[nodiscard]] std::string board_heading(Metric metric);
[[nodiscard]] std::string board_row(const BoardResult& result);

/// The answer for an unsolvable board.
inline constexpr std::string_view unsolvable_text =
    "unsolvable (proven: the parity of its tiles differs from the goal's)";

/// How a person reads moves.
struct MoveStyle {
  Notation notation = Notation::letters;
  Mover mover = Mover::tile;
};
/// The answer in one line: "7: 38 moves, optimal, verified: LURD..."
[[nodiscard]] std::string answer_line(const BoardResult& result, MoveStyle style = {});
/// What follows it if solutions are listed: each on its own line, then the first moves.
[[nodiscard]] std::string solution_lines(const BoardResult& result, MoveStyle style);
/// How many solutions were not listed. Empty if all were.
[[nodiscard]] std::string unlisted_line(const BoardResult& result);
/// "4 moves (3 in metric multi)": those of the metric first.
[[nodiscard]] std::string lengths_text(std::string_view letters, Metric metric);
/// The memory that an engine used for stored boards. Empty for the others.
[[nodiscard]] std::string memory_line(const BoardResult& result);

/// search, split, wait, communicate, other: min, avg, max over workers, share; the imbalance of
/// searching.
[[nodiscard]] std::string time_table(const std::vector<WorkerTimes>& times, double wall_seconds);

/// Names the option to try if time was lost; empty if none was.
[[nodiscard]] std::string advice(const std::vector<WorkerTimes>& times, double wall_seconds,
                                 const RunSetup& setup);

/// Adds one board's times to those of a run, by worker.
void add_times(std::vector<WorkerTimes>& sum, const std::vector<WorkerTimes>& times);

}  // namespace tessera
