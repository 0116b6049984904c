// SPDX-License-Identifier: MIT
#pragma once

#include "cli/boards.hpp"
#include "cli/crew.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/report/output.hpp"

namespace tessera {

/// Finds out before the search whether its record can be made and written. Throws Error(input).
void expect_recordable(const Config& config, std::size_t boards);

/// Searches the iterations of a solved board again and writes --record's file.
void record_search(const Config& config, const Problem& problem, const BoardTask& task,
                   const BoardResult& result, Crew& crew, Output& remarks);

}  // namespace tessera
