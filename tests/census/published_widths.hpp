// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/places.hpp"
#include "census/census.hpp"

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

}  // namespace tessera
