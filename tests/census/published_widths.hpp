// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/places.hpp"
#include "census/census.hpp"
#include "census/levels/level_engine.hpp"

namespace tessera {

struct PublishedWidths {
  CensusTask task;
  std::vector<std::uint64_t> widths;

  [[nodiscard]] std::string name() const {
    return to_string(task.size) + " goal " + std::to_string(task.goal_blank) + " " +
           std::string(to_string(task.metric));
  }
};

/// The tables of tests/data/census_widths.txt, of sizes with more than 14 cells those of
/// census_large.txt, of sizes with that many cells.
inline std::vector<PublishedWidths> published_widths(int least_cells, int most_cells) {
  std::ifstream file(least_cells > 14 ? test_data("census_large.txt")
                                      : test_data("census_widths.txt"));
  std::vector<PublishedWidths> tables;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    PublishedWidths table;
    std::string metric;
    words >> table.task.size.width >> table.task.size.height >> table.task.goal_blank >> metric;
    table.task.metric = parse_metric(metric);
    for (std::uint64_t width = 0; words >> width;) table.widths.push_back(width);
    const int cells = table.task.size.cells();
    if (cells >= least_cells && cells <= most_cells) tables.push_back(table);
  }
  if (tables.empty()) throw std::runtime_error("tests/data holds no such tables");
  return tables;
}

/// The engine of a table's metric.
inline std::unique_ptr<LevelEngine> engine_of(const PublishedWidths& table,
                                              const RankContext& context) {
  return table.task.metric == Metric::single ? make_single_engine(context)
                                             : make_multi_engine(context);
}

/// The widths that an engine finds, one more than the table has at most.
inline std::vector<std::uint64_t> widths_of(LevelEngine& engine, const PublishedWidths& table) {
  std::vector<std::uint64_t> widths{1};
  const auto always = [](std::uint64_t, std::uint64_t) { return true; };
  while (const auto level = engine.advance(always, {})) {
    if (level->states == 0 || widths.size() > table.widths.size()) break;
    widths.push_back(level->states);
  }
  return widths;
}

}  // namespace tessera
