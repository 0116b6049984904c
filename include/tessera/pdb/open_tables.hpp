// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// Closes tables of open_table() that nobody uses, the least recently used first, until those that
/// are open have at most so many bytes.
void release_tables(std::uint64_t most_bytes);

}  // namespace tessera
