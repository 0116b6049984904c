// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "search/tree/execution.hpp"

namespace tessera {

/// A node of a recorded tree and the cost of its subtree.
struct WorkNode {
  std::uint64_t expanded = 0;     ///< in the subtree, including its root
  std::uint32_t first_child = 0;  ///< index; children are adjacent, in move order
  std::uint8_t children = 0;      ///< those within the bound; 0: the record ends here
  std::uint8_t rise = 0;          ///< by how much f exceeds the parent's, at least 0
  char move = 0;                  ///< tile letter of the move from the parent
  std::uint8_t steps = 1;         ///< number of tile steps (metric multi)
};

/// The child of `parent`, in `nodes`, with the same move as `child`, if there is one.
[[nodiscard]] inline std::optional<std::uint32_t> matching_child(const std::vector<WorkNode>& nodes,
                                                                 const WorkNode& parent,
                                                                 const WorkNode& child) {
  for (std::uint32_t at = parent.first_child; at < parent.first_child + parent.children; ++at) {
    if (nodes[at].move == child.move && nodes[at].steps == child.steps) return at;
  }
  return {};
}

/// One iteration: nodes in breadth-first order, the root first.
struct WorkTree {
  int bound = 0;
  std::vector<WorkNode> nodes;
};

/// The cost of each subtree of each iteration of one board, for the simulator.
///
/// As a file: a line of JSON ("schema":"tessera.record/1", the board, the heuristic, the rate, and
/// for each iteration bound, nodes and bytes), then the nodes of each iteration in order, each as
/// four bytes (children, rise, move, steps) and its cost as a varint (7 bits per byte, least
/// significant first), then the XXH3 hash of everything before as eight bytes, little-endian.
struct WorkRecord {
  std::string id;
  std::string size;
  std::string board;
  std::string goal;
  std::string metric;
  std::string heuristic;
  double rate = 0;          ///< nodes per second of one search thread
  std::uint64_t grain = 0;  ///< subtrees below about this many nodes are not cut
  std::vector<WorkTree> iterations;
};

/// Throws as write_atomically does.
void write_record(const std::filesystem::path& path, const WorkRecord& record);
/// Throws Error(input) if it cannot be opened or is not a record, Error(corrupt) if it is damaged
/// or truncated.
[[nodiscard]] WorkRecord read_record(const std::filesystem::path& path);

/// Repeats the iterations of these bounds (ascending), each to its end, on the executor's workers,
/// and records the costs of their subtrees. A subtree is cut if its expected cost (that in the
/// previous iteration times the growth) or its cost is much larger than the grain. Grain 0: chosen
/// for about a million subtrees, but at least 5000 nodes. False if a limit stopped it.
bool record_work(const Problem& problem, SubtreeExecutor& executor, const std::vector<int>& bounds,
                 WorkRecord& record, const Limits& limits = {}, std::uint64_t grain = 0);

}  // namespace tessera
