// SPDX-License-Identifier: MIT
#include "tessera/search/pruning.hpp"

#include <map>
#include <mutex>
#include <unordered_set>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {
namespace {

// A string of one move duplicates none; beyond the last the tree has millions of nodes.
constexpr int least_depth = 2;
constexpr int most_depth = 16;

}  // namespace

int Pruning::count_ways(State state, int first) const {
  int count = 0;
  for (int d = first; d < 4; ++d) count += next(state, d) != none ? 1 : 0;
  return count;
}

void Pruning::list_ways() {
  ways_.clear();
  for (const Row& row : next_) {
    Ways ways;
    for (std::uint8_t d = 0; d < 4; ++d) {
      if (row[d] == none) continue;
      ways.next[ways.count] = row[d];
      ways.direction[ways.count++] = d;
    }
    ways_.push_back(ways);
  }
}

// State `cell` knows no last move; state cells x (1 + way back) + cell knows it.
Pruning Pruning::parent(Size size) {
  const RuntimeGeometry geometry(size);
  const int cells = size.cells();
  Pruning rule;
  for (int back = -1; back < 4; ++back) {
    for (int cell = 0; cell < cells; ++cell) {
      Row row{};
      for (int d = 0; d < 4; ++d) {
        row[static_cast<std::size_t>(d)] =
            geometry.allowed(cell, back, d)
                ? static_cast<State>(cells * (4 - d) + cell + geometry.offset(d))
                : none;
      }
      rule.next_.push_back(row);
    }
  }
  rule.list_ways();
  return rule;
}

namespace {

// Strings of moves as a tree for each cell that they start from. What is kept are those that are
// left out, and what leads to them.
struct StringTree {
  struct Node {
    std::array<Pruning::State, 4> child{Pruning::none, Pruning::none, Pruning::none, Pruning::none};
    std::array<std::int8_t, 4> cell_after{-1, -1, -1, -1};  // the blank's, by direction; -1: rim
    bool left_out = false;
  };
  std::vector<Node> nodes;

  Pruning::State add(int cell, const RuntimeGeometry& geometry) {
    Node node;
    for (int d = 0; d < 4; ++d) {
      if (geometry.allowed(cell, no_way, d)) {
        node.cell_after[static_cast<std::size_t>(d)] =
            static_cast<std::int8_t>(cell + geometry.offset(d));
      }
    }
    nodes.push_back(node);
    return static_cast<Pruning::State>(nodes.size() - 1);
  }
};

// All strings from one cell, breadth-first and in move order, so that the first to reach a board
// is the shortest and of those the earliest; every later one is left out and not continued.
void find_duplicates(StringTree& tree, const RuntimeGeometry& geometry, int start, int depth) {
  using Cells = std::string;
  struct Path {
    Cells cells;
    std::string moves;
    int blank;
  };
  Cells cells(static_cast<std::size_t>(geometry.size().cells()), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = static_cast<char>(static_cast<int>(i) == start ? 0 : i + 1);
  }
  std::unordered_set<Cells> reached{cells};
  std::vector<Path> level{{cells, "", start}};
  for (int length = 1; length <= depth; ++length) {
    std::vector<Path> next_level;
    for (const Path& path : level) {
      for (int d = 0; d < 4; ++d) {
        if (!geometry.allowed(path.blank, no_way, d)) continue;
        const int next = path.blank + geometry.offset(d);
        Cells moved = path.cells;
        std::swap(moved[static_cast<std::size_t>(path.blank)],
                  moved[static_cast<std::size_t>(next)]);
        std::string moves = path.moves + static_cast<char>(d);
        if (reached.insert(moved).second) {
          if (length < depth) next_level.push_back({std::move(moved), std::move(moves), next});
          continue;
        }
        auto at = static_cast<Pruning::State>(start);
        int cell = start;
        for (const char move : moves) {
          const auto m = static_cast<std::size_t>(move);
          cell = tree.nodes[at].cell_after[m];
          if (tree.nodes[at].child[m] == Pruning::none) {
            const Pruning::State child = tree.add(cell, geometry);
            tree.nodes[at].child[m] = child;
          }
          at = tree.nodes[at].child[m];
        }
        tree.nodes[at].left_out = true;
      }
    }
    level = std::move(next_level);
  }
}

}  // namespace

// The automaton of Aho and Corasick (1975) over those strings: where a string breaks off, its
// longest end that begins another one goes on, from the cell where that end starts.
Pruning Pruning::automaton(Size size, int depth) {
  const RuntimeGeometry geometry(size);
  StringTree tree;
  for (int cell = 0; cell < size.cells(); ++cell) tree.add(cell, geometry);
  for (int cell = 0; cell < size.cells(); ++cell) find_duplicates(tree, geometry, cell, depth);

  std::vector<State> shorter(tree.nodes.size());  // the longest proper end that is in the tree
  Pruning rule;
  rule.is_parent_ = false;
  rule.next_.resize(tree.nodes.size());
  std::vector<State> queue;
  for (State root = 0; root < static_cast<State>(size.cells()); ++root) queue.push_back(root);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    const bool is_root = state < static_cast<State>(size.cells());
    for (std::size_t d = 0; d < 4; ++d) {
      const int cell = tree.nodes[state].cell_after[d];
      const State child = tree.nodes[state].child[d];
      // A way that the shorter end knows to be left out is left out here too.
      const State fallback = cell < 0  ? none
                             : is_root ? static_cast<State>(cell)
                                       : rule.next_[shorter[state]][d];
      rule.next_[state][d] = fallback;
      if (child == none || fallback == none) continue;
      rule.next_[state][d] = tree.nodes[child].left_out ? none : child;
      shorter[child] = fallback;
      if (!tree.nodes[child].left_out) queue.push_back(child);
    }
  }
  rule.list_ways();
  return rule;
}

std::shared_ptr<const Pruning> Pruning::named(std::string_view name, Size size) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Pruning>> known;
  const std::string key = std::string(name) + " " + to_string(size);
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Pruning>& rule = known[key];
  if (rule) return rule;
  // No string of one move duplicates another.
  if (name == "none") return rule = std::make_shared<const Pruning>(automaton(size, 1));
  if (name == "parent") return rule = std::make_shared<const Pruning>(parent(size));
  if (name.starts_with("fsm:")) {
    const auto depth = parse_integer(name.substr(4));
    if (depth && *depth >= least_depth && *depth <= most_depth) {
      return rule = std::make_shared<const Pruning>(automaton(size, static_cast<int>(*depth)));
    }
  }
  bad_input("prune " + quote(name) + " is unknown, expected parent or fsm:DEPTH, a depth of " +
            std::to_string(least_depth) + " to " + std::to_string(most_depth));
}

}  // namespace tessera
