// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/census/census.hpp"

namespace tessera {

/// Sizes without a map: one row or column, and 2x2.
[[nodiscard]] bool is_plain_census(Size size);

/// Breadth-first search over boards one by one; for small sizes.
[[nodiscard]] CensusResult plain_census(const CensusTask& task, CensusObserver& observer);

}  // namespace tessera
