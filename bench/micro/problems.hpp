// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/random_board.hpp"
#include "search/problem.hpp"

namespace tessera::bench {

/// A heuristic on boards of a size. Tables lie in the folder that `tessera` uses; what is missing
/// is built before anything is timed.
struct Case {
  const char* name;
  Size size;
  const char* heuristic;
};

inline constexpr std::array<Case, 8> cases{{{"4x4/manhattan", {4, 4}, "manhattan"},
                                            {"4x4/linear-conflict", {4, 4}, "linear-conflict"},
                                            {"4x4/walking", {4, 4}, "walking"},
                                            {"4x4/pdb:5-5-5", {4, 4}, "pdb:5-5-5"},
                                            {"4x4/pdb:6-6-3", {4, 4}, "pdb:6-6-3"},
                                            {"4x4/pdb:7-8", {4, 4}, "pdb:7-8"},
                                            {"5x5/pdb:6-6-6-6", {5, 5}, "pdb:6-6-6-6"},
                                            {"5x5/pdb:small", {5, 5}, "pdb:small"}}};

/// Random boards of a case, drawn with one seed.
inline std::vector<Problem> problems(const Case& c, int count) {
  const Board goal = Goal(Goal::Kind::first).board(c.size);
  const std::string spec = to_string(resolve_heuristic(c.heuristic, goal));
  Random random(1);
  std::vector<Problem> made;
  for (int i = 0; i < count; ++i) {
    made.push_back(
        {.instance = make_instance(random_board(goal, random), goal), .heuristic = spec});
  }
  return made;
}

}  // namespace tessera::bench
