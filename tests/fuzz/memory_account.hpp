// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera::fuzz {

/// What operator new, which this program replaces, may hand out beyond what is in use at this
/// call; more is refused by std::bad_alloc and remembered.
void begin_account(std::uint64_t most_bytes);
/// The most that was in use at any time since then, beyond what was, and whether that was too much.
struct Account {
  std::uint64_t peak_bytes = 0;
  bool exceeded = false;
};
[[nodiscard]] Account end_account();

}  // namespace tessera::fuzz
