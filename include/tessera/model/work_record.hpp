// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tessera/search/execution.hpp"

namespace tessera {

/// A node of a recorded tree and what its subtree costs.
struct WorkNode {
  std::uint64_t expanded = 0;     ///< of the subtree, its root among them
  std::uint32_t first_child = 0;  ///< index; children stand side by side, in move order
  std::uint8_t children = 0;      ///< those within the bound; 0: the record ends here
  std::uint8_t rise = 0;          ///< by how much f exceeds the parent's; a fall counts as 0
  char move = 0;                  ///< tile letter that leads here from the parent
  std::uint8_t steps = 1;         ///< so many of them (metric multi)
};

/// The child of `parent`, one of these nodes, that the same move leads to as to `child`, or -1.
[[nodiscard]] inline std::int64_t matching_child(const std::vector<WorkNode>& nodes,
                                                 const WorkNode& parent, const WorkNode& child) {
  for (std::uint32_t at = parent.first_child; at < parent.first_child + parent.children; ++at) {
    if (nodes[at].move == child.move && nodes[at].steps == child.steps) return at;
  }
  return -1;
}

/// One iteration: nodes in breadth-first order, the root first.
struct WorkTree {
  int bound = 0;
  std::vector<WorkNode> nodes;
};

/// The cost of each subtree of each iteration of one board, for the simulator.
///
/// As a file: a line of JSON ("schema":"tessera.record/1", the board, the heuristic, the rate, and
/// of each iteration bound, nodes and bytes), then for each iteration its nodes in order, a node
/// being four bytes (children, rise, move, steps) and its cost as a varint (7 bits a byte, least
/// first), then the XXH3 hash of all before as eight bytes, least first.
struct WorkRecord {
  std::string id;
  std::string size;
  std::string board;
  std::string goal;
  std::string metric;
  std::string heuristic;
  double rate = 0;          ///< nodes per second of one search thread
  std::uint64_t grain = 0;  ///< subtrees of about so many nodes are not cut any further
  std::vector<WorkTree> iterations;
};

/// Throws as write_atomically does.
void write_record(const std::filesystem::path& path, const WorkRecord& record);
/// Throws Error(input) where it cannot be opened or is not a record, Error(corrupt) where it is
/// damaged or cut off.
[[nodiscard]] WorkRecord read_record(const std::filesystem::path& path);

struct RecordOptions {
  std::vector<int> bounds;  ///< of the iterations, ascending
  std::uint64_t grain = 0;  ///< 0: what gives about a million subtrees, at least 5000
  std::function<bool(int bound, double done)> progress = {};  ///< false ends it
};

/// Searches the iterations again, each to its end, with the executor's workers, and records what
/// their subtrees cost. A subtree is cut where it is expected to cost much more than the grain,
/// which is what it cost in the iteration before times the growth; one that then takes six times as
/// long is cut after all. False where `progress` ended it.
[[nodiscard]] bool record_work(const Problem& problem, SubtreeExecutor& executor,
                               const RecordOptions& options, WorkRecord& record);

}  // namespace tessera
