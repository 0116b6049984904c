// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "tessera/compare/output.hpp"

namespace tessera {
namespace {

// As RFC 4180 has it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string inner;
  for (const char c : text) inner.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", inner);
}

template <class T>
std::string field(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string to_csv(const Comparison& comparison) {
  std::string text =
      "name,engine,heuristic,backend,ranks,threads,workers,schedule,split_depth,runs,"
      "median_seconds,min_seconds,max_seconds,expanded,generated,speedup,efficiency,"
      "search_overhead,idle,imbalance,search,split,wait,communicate,other,cut\n";
  for (const Measured& measured : comparison.configurations) {
    const Configuration& c = measured.configuration;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},", field(name_of(c)), field(c.engine),
                        field(c.heuristic), c.backend, c.ranks, c.threads, c.workers(), c.schedule,
                        field(c.split_depth), measured.runs.size());
    if (measured.timed()) {
      const Figures figures = figures_of(comparison, measured);
      const TimedRun& run = measured.runs[figures.median_run];
      const WorkerTimes& sums = figures.sections;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", figures.seconds.median,
                          figures.seconds.min, figures.seconds.max, run.counts.expanded,
                          run.counts.generated, field(figures.speedup), field(figures.efficiency),
                          field(figures.search_overhead), figures.idle, figures.imbalance,
                          sums.search, sums.split, sums.wait, sums.communicate, sums.other);
    } else {
      text += ",,,,,,,,,,,,,,";
    }
    text += fmt::format(",{}\n", field(measured.cut));
  }
  return text;
}

}  // namespace tessera
