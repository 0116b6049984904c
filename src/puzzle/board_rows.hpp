// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "puzzle/board_collector.hpp"

namespace tessera {

/// Reads boards in lines, grids and blocks: those of `format`, or all of them mixed if it is
/// `automatic`. A first line may say how many boards follow.
void read_rows(std::span<const TextLine> lines, BoardFormat format, BoardCollector& boards);

}  // namespace tessera
