// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "search/search_result.hpp"

namespace tessera {

/// How much of their time search threads had a CPU.
struct CpuUse {
  double search_seconds = 0;
  double cpu_seconds = 0;

  CpuUse& operator+=(const CpuUse& other) {
    search_seconds += other.search_seconds;
    cpu_seconds += other.cpu_seconds;
    return *this;
  }
  /// From 0 to 1. Empty for searches of less than 1 s: the system counts CPU time in ticks.
  [[nodiscard]] std::optional<double> share() const;
};
/// Of rank 0's search threads, which represent all, if this process used so much CPU time.
[[nodiscard]] CpuUse cpu_use_of(const SearchResult& result, double cpu_seconds);

/// A note for users if the share is too small to trust times; else empty.
[[nodiscard]] std::string cpu_note(std::optional<double> share);

}  // namespace tessera
