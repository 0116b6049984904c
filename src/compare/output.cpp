// SPDX-License-Identifier: MIT
#include "tessera/compare/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}
std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100 * *value) : "-";
}

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

std::string comparison_table(const Comparison& comparison) {
  std::size_t width = 13;
  for (const Measured& measured : comparison.configurations) {
    width = std::max(width, name_of(measured.configuration).size());
  }
  std::string text =
      fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>8} {:>10} {:>9} {:>14}\n", "configuration", width,
                  "median s", "min", "max", "speedup", "efficiency", "overhead", "expanded");
  const std::string shares_heading =
      fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>11} {:>8} {:>10}\n", "of wall x workers", width,
                  "search", "split", "wait", "communicate", "other", "imbalance");
  std::string shares;
  for (const Measured& measured : comparison.configurations) {
    const std::string name = name_of(measured.configuration);
    if (!measured.timed()) {
      text += fmt::format("{:<{}} {:>10}  {}\n", name, width, "-",
                          measured.cut.empty() ? "not run" : measured.cut);
      continue;
    }
    const Figures figures = figures_of(comparison, measured);
    if (measured.too_short()) {
      text +=
          fmt::format("{:<{}} {:>10}  too short to compare: runs of less than {:.0f} ms\n", name,
                      width, seconds_text(figures.seconds.median), 1000 * least_run_seconds);
      continue;
    }
    const TimedRun& run = measured.runs[figures.median_run];
    text += fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>8} {:>10} {:>9} {:>14}\n", name, width,
                        seconds_text(figures.seconds.median), seconds_text(figures.seconds.min),
                        seconds_text(figures.seconds.max), ratio(figures.speedup),
                        percent(figures.efficiency), percent(figures.search_overhead),
                        with_commas(run.counts.expanded));
    const double all = run.seconds * measured.configuration.workers();
    const auto share = [&](double seconds) { return percent(all > 0 ? seconds / all : 0); };
    const WorkerTimes& sums = figures.sections;
    shares += fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>11} {:>8} {:>10}\n", name, width,
                          share(sums.search), share(sums.split), share(sums.wait),
                          share(sums.communicate), share(sums.other), percent(figures.imbalance));
  }
  return shares.empty() ? text : text + "\n" + shares_heading + shares;
}

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
