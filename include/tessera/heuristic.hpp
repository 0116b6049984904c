// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>

#include <tessera/error.hpp>

namespace tessera::api {

/// What your heuristic sees of a board: for each cell, not the tile's number but the cell where it
/// belongs. It need not know the goal.
struct Homes {
  int width = 0;
  int height = 0;
  /// width * height cell numbers: home[c] is the cell where the tile in cell c belongs; for the
  /// blank, where the blank belongs.
  std::span<const int> home;
  int blank = 0;  ///< the blank's cell: a lower bound does not count it
};

/// A lower bound on the moves of single tiles from a board to the goal: it must never exceed the
/// true number, or answers are not optimal. Called for every node, by several threads at a time, so
/// it must be fast, and give equal values for equal boards. Less than 0 counts as 0, more than
/// 10,000 is an Error(input). An exception ends the search and leaves solve(), on ranks
/// perhaps as an Error (tessera/mpi.hpp).
using Heuristic = std::function<int(const Homes&)>;

/// Makes a heuristic available to this process as Options::heuristic = name, also in
/// "max(name,manhattan)", for Metric::single. The plain kernel computes it for each node from
/// scratch. With ranks, call it on each rank before on_ranks(). Throws Error(input) if the name is
/// taken or holds other signs than letters, digits, - and _.
void add_heuristic(const std::string& name, Heuristic heuristic);

}  // namespace tessera::api
