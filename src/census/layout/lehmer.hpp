// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera {

[[nodiscard]] constexpr std::uint64_t factorial(int n) {
  std::uint64_t product = 1;
  for (int i = 2; i <= n; ++i) product *= static_cast<std::uint64_t>(i);
  return product;
}

/// What becomes of the first `count` Lehmer digits (radices radix, radix-1, ...) when as many
/// elements are rotated: by their number, most significant first. Up: the first goes to the end.
[[nodiscard]] std::vector<std::uint32_t> rotation_of_digits(int radix, int count, bool up);

}  // namespace tessera
