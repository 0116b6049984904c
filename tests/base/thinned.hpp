// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tessera {

/// Every how many states a test over a whole space looks at: all of them, but a sample under
/// sanitizers, which are after other mistakes and some ten times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t thinned = 17;
#else
inline constexpr std::uint64_t thinned = 1;
#endif

/// Whether tests run all their cases, not a sample of those that take long (TESSERA_ALL_CASES=1;
/// .ci/run runs the tests of tests/all_cases.txt so).
inline bool all_cases() {
  return std::getenv("TESSERA_ALL_CASES") != nullptr;
}

/// Every how many cases a test takes that is one of these: all, or every n-th.
inline std::uint64_t sampled(std::uint64_t n) {
  return all_cases() ? 1 : n;
}

}  // namespace tessera
