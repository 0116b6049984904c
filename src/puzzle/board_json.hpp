// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "puzzle/board_collector.hpp"

namespace tessera {

/// Whether a text begins as a JSON object does; a board in braces begins with a tile.
[[nodiscard]] bool begins_with_object(std::string_view text);

/// Reads what one pair of brackets encloses: a board, perhaps of nested rows, a list of boards or
/// an array of objects. False if the text is something else, such as lines that begin with
/// brackets.
[[nodiscard]] bool read_list(std::string_view text, BoardCollector& boards);

/// Reads JSON objects, one per line or each over several lines.
void read_objects(std::string_view text, BoardCollector& boards);

/// A board in JSON, a text or an array of tiles or rows, as `parse_board` reads it. Throws
/// Error(input) if it is neither.
[[nodiscard]] std::string board_text(const nlohmann::json& board);

/// {"id":"7","size":"4x4","board":[...]}
[[nodiscard]] std::string format_board_json(const NamedBoard& board);

}  // namespace tessera
