// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "puzzle/board_collector.hpp"
#include "puzzle/board_text.hpp"

namespace tessera {

/// All readings of a line as one board: tiles, `id: tiles`, or fields of a CSV, one of which is a
/// board.
[[nodiscard]] BoardReadings line_readings(std::string_view line, std::optional<Size> size);

/// The only one. Throws Error(input).
[[nodiscard]] NamedBoard parse_board_line(std::string_view line, std::optional<Size> size);

/// Whether a line names the columns of a CSV: one is `board`, or the first is `id`.
[[nodiscard]] bool is_csv_header(std::string_view line);

/// Reads a CSV whose first line names the columns: `board` and optionally `id`, `size`, `goal`;
/// others are ignored.
void read_csv(const std::vector<TextLine>& lines, BoardCollector& boards);

/// Reads boards in lines, grids and blocks: those of `format`, or all of them mixed if it is
/// `automatic`. A first line may say how many boards follow.
void read_rows(std::span<const TextLine> lines, BoardFormat format, BoardCollector& boards);

}  // namespace tessera
