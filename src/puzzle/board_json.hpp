// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "tessera/puzzle/board_file.hpp"

namespace tessera {

/// One JSON line of a board or result file. Throws Error(input).
[[nodiscard]] NamedBoard parse_board_json(std::string_view line);

/// {"id":"7","size":"4x4","board":[...]}
[[nodiscard]] std::string format_board_json(const NamedBoard& board);

}  // namespace tessera
