// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "heuristic/heuristic_spec.hpp"
#include "puzzle/board.hpp"

namespace tessera {

/// A partition that `auto` may choose for a size.
struct Candidate {
  std::string name;
  bool is_collection = false;  ///< used if its tables exist, but not advised
};

/// Faster than a collection on easy boards of 5x5.
inline constexpr const char* partition_of_easy_boards = "pdb:6-6-6-6";
/// What `auto` may add to a collection on deep boards, the stronger one first.
inline constexpr std::array deep_heuristics{"escapes", "walking"};

/// The partitions that `auto` may choose for this goal, the fastest first.
[[nodiscard]] std::vector<Candidate> candidates_for(const Board& goal);

/// The heuristics with tables that `auto` may choose for this goal in metric single.
[[nodiscard]] std::vector<std::string> auto_names(const Board& goal);

/// The maximum of a collection and one of `deep_heuristics`.
[[nodiscard]] std::string deep_maximum(const std::string& collection, const char* deep);

/// The name under which `auto` chooses a heuristic; its text if `auto` does not.
[[nodiscard]] std::string heuristic_name(const HeuristicSpec& spec, const Board& goal);

/// The partitions that suit boards of that goal, the fastest first: those that `auto` may choose,
/// or one of equal patterns where it has none.
[[nodiscard]] std::vector<std::string> offered_partitions(const Board& goal);

}  // namespace tessera
