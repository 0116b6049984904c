// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board_file.hpp"

namespace tessera {

/// One way to read a text as a board.
struct BoardReading {
  Board board;
  std::string id;           ///< a number before the tiles; empty if there is none
  bool shows_blank = true;  ///< false if the largest number stands for it
  bool operator==(const BoardReading&) const = default;
};

/// The tile in a cell; 0 if it shows the blank.
[[nodiscard]] std::optional<std::int64_t> tile_number(std::string_view cell);

/// All ways to read a text as a board.
struct BoardReadings {
  std::vector<BoardReading> boards;
  /// The text is also a board of a size that only its reader knows, such as 10 tiles in one row.
  bool needs_size = false;
  [[nodiscard]] bool one() const { return boards.size() == 1 && !needs_size; }
};

/// A reading is a board with each tile once. Rows, or else `size`, or else the number of tiles, if
/// it is a square, give its size. Within brackets, lines need not be rows.
[[nodiscard]] BoardReadings board_readings(std::string_view text, std::optional<Size> size);

/// The only reading. Throws Error(input) that says what is wrong, or names the first two readings.
[[nodiscard]] NamedBoard only_reading(const BoardReadings& readings, std::string_view text,
                                      std::optional<Size> size);

}  // namespace tessera
