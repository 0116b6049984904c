// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "census/census_frame.hpp"
#include "census/levels/level_planes.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// Which states of a level of that width a task asks for, the same on every rank.
[[nodiscard]] std::vector<std::uint64_t> picked_numbers(const CensusTask& task,
                                                        std::uint64_t width);

/// These states of a level as boards, for all ranks. Collective.
[[nodiscard]] std::vector<Board> pick_boards(const StateLayout& layout, const CensusFrame& frame,
                                             const LevelPlanes& level, const CensusTask& task,
                                             std::uint64_t width, Exchange& exchange);

}  // namespace tessera
