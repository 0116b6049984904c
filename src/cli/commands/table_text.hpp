// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pdb/table.hpp"

namespace tessera {

/// What a table holds. A pattern is drawn in its grid, one row per word: x is the home of one of
/// its tiles.
[[nodiscard]] std::string table_text(const TableKey& key);

}  // namespace tessera
