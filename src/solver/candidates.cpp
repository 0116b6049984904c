// SPDX-License-Identifier: MIT
#include "solver/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "heuristic/registry.hpp"

namespace tessera {
namespace {

// Goals that all named collections support.
bool is_corner(const Board& goal) {
  const Size size = goal.size();
  const int column = size.column(goal.blank());
  const int row = size.row(goal.blank());
  return (column == 0 || column == size.width - 1) && (row == 0 || row == size.height - 1);
}

// pdb:6-6-2 on 15 cells.
std::string equal_patterns(Size size, int tiles) {
  const int all = size.cells() - 1;
  std::string name = fmt::format("pdb:{}", std::min(tiles, all));
  for (int left = all - tiles; left > 0; left -= tiles) {
    name += fmt::format("-{}", std::min(tiles, left));
  }
  return name;
}

}  // namespace

std::vector<Candidate> candidates_for(const Board& goal) {
  const Size size = goal.size();
  if (size == Size{4, 4}) return {{"pdb:7-8"}, {"pdb:6-6-3"}, {"pdb:5-5-5"}};
  // Larger collections expand fewer nodes but take longer (docs/decisions/0019).
  if (size == Size{5, 5}) {
    if (!is_corner(goal)) return {{"pdb:medium", true}, {partition_of_easy_boards}};
    return {{"pdb:medium", true}, {"pdb:small", true}, {partition_of_easy_boards}};
  }
  if (size == Size{6, 5} || size == Size{5, 6}) {
    return {{"pdb:small"}};
  }
  // Smaller boards are easy. Larger ones with tables that are built this quickly are not solved.
  const bool has_tables = size.cells() <= 24 && std::max(size.width, size.height) <= 8;
  if (size.cells() < 12 || !has_tables) return {};
  return {{equal_patterns(size, 6)}, {equal_patterns(size, 5)}};
}

std::string deep_maximum(const std::string& collection, const char* deep) {
  return fmt::format("max({},{})", collection, deep);
}

std::vector<std::string> auto_names(const Board& goal) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates_for(goal)) {
    names.push_back(candidate.name);
    if (!candidate.is_collection) continue;
    for (const char* const deep : deep_heuristics)
      names.push_back(deep_maximum(candidate.name, deep));
  }
  return names;
}

std::string heuristic_name(const HeuristicSpec& spec, const Board& goal) {
  for (const std::string& name : auto_names(goal)) {
    if (resolve_heuristic(name, goal) == spec) return name;
  }
  return to_string(spec);
}

std::vector<std::string> offered_partitions(const Board& goal) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates_for(goal)) names.push_back(candidate.name);
  const int cells = goal.size().cells();
  // Beyond 25 cells those of `auto` take long to build.
  if ((names.empty() || cells > 25) && cells >= 9 && cells <= 36) {
    names.push_back(equal_patterns(goal.size(), cells < 12 ? cells / 2 : 5));
  }
  return names;
}

}  // namespace tessera
