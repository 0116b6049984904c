// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tessera/census/exchange.hpp"

namespace tessera {

/// Work that ranks with shared memory take item by item: each those of its own part first, which
/// lie in memory that it touched first, then what others have left.
class CommonItems {
 public:
  /// `memory`: so many bytes, zeroed, the same on all ranks.
  CommonItems(const Exchange& exchange, std::span<std::uint8_t> memory);
  [[nodiscard]] static std::size_t bytes(int ranks);

  /// All ranks, with the same number. They must meet between one `begin` and the next, when they
  /// have done all items of the former.
  void begin(std::size_t items);
  /// Any thread of any rank: the next item that nobody has taken, or as many as there are.
  [[nodiscard]] std::size_t next();

 private:
  [[nodiscard]] std::uint64_t& taken(std::uint64_t round, std::size_t rank) const;

  std::size_t ranks_;
  std::size_t rank_;
  std::uint64_t* counters_;  // shared
  std::uint64_t round_ = 0;
  std::size_t items_ = 0;
};

}  // namespace tessera
