// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// Closes pattern databases that no TableHeuristic uses, and then tables as release_tables() does.
void release_databases(std::uint64_t most_bytes);

}  // namespace tessera
