// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "tessera/compare/output.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}
std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100 * *value) : "-";
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

}  // namespace tessera
