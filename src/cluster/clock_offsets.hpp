// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/cluster/session.hpp"

namespace tessera {

/// By how many nanoseconds each rank's steady clock is ahead of rank 0's; collective, the answer is
/// rank 0's only. Ranks of one host share a clock; of every other host one rank is asked some
/// times, and the answer that came back soonest counts: it is wrong by half its round trip at most.
[[nodiscard]] std::vector<std::int64_t> clock_offsets(const Session& session);

}  // namespace tessera
