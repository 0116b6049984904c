// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tessera/base/random.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// Which states of a level of that width a task asks for, the same on every rank.
[[nodiscard]] inline std::vector<std::uint64_t> picked_numbers(const CensusTask& task,
                                                               std::uint64_t width) {
  std::vector<std::uint64_t> numbers;
  if (task.pick_seed) {
    Random random(*task.pick_seed);
    for (std::uint64_t i = 0; i < task.picks; ++i) numbers.push_back(random.below(width));
  } else {
    for (std::uint64_t i = 0; i < std::min(task.picks, width); ++i) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace tessera
