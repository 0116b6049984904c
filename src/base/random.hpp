// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// A small generator with a fixed definition (splitmix64; Steele, Lea, Flood 2014), so that a seed
/// gives the same boards with every compiler and library; std distributions do not guarantee that.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound), without modulo bias. `bound` > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t excess = (~std::uint64_t{0} % bound + 1) % bound;  // 2^64 mod bound
    std::uint64_t value = next();
    while (excess != 0 && value >= ~std::uint64_t{0} - excess + 1) value = next();
    return value % bound;
  }

  /// Uniform in [0, 1), with 53 bits.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace tessera
