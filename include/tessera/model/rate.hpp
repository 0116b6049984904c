// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "tessera/search/execution.hpp"

namespace tessera {

/// Nodes per second that an executor's workers expand together, measured for at most `seconds` on
/// subtrees of the problem that were drawn at random within the bound; a larger bound is taken
/// where those are searched in no time, and more time where workers get none. 0 where nothing could
/// be measured. The problem's tables must be there.
[[nodiscard]] double measure_rate(const Problem& problem, SubtreeExecutor& executor, int bound,
                                  double seconds, const std::atomic<bool>* interrupted);

}  // namespace tessera
