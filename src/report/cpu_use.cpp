// SPDX-License-Identifier: MIT
#include "report/cpu_use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {

CpuUse cpu_use_of(const SearchResult& result, double cpu_seconds) {
  CpuUse use{.cpu_seconds = cpu_seconds};
  for (const WorkerTimes& times : result.times) {
    if (times.rank == 0) use.search_seconds += times.search;
  }
  return use;
}

std::optional<double> CpuUse::share() const {
  if (search_seconds < 1) return {};
  return std::min(1.0, cpu_seconds / search_seconds);
}

std::string cpu_note(std::optional<double> share) {
  if (share.value_or(1) > 0.9) return "";
  return fmt::format(
      "note: search threads had a CPU for only {:.0f} % of their time; repeat this on an idle "
      "machine, with no more workers than CPUs\n",
      100 * *share);
}

}  // namespace tessera
