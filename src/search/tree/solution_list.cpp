// SPDX-License-Identifier: MIT
#include "search/tree/solution_list.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/clock.hpp"
#include "heuristic/manhattan.hpp"
#include "heuristic/zero.hpp"
#include "puzzle/board_hash.hpp"
#include "puzzle/metric.hpp"
#include "search/pruning/move_order.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {
namespace {

// More nodes than this are left to the executor, which exhausts many subtrees at once; with fewer,
// asking one by one takes milliseconds.
constexpr double few_nodes = 4e6;

struct TilesHash {
  std::size_t operator()(const Board& board) const {
    static const BoardHash hash(1);
    return hash.of(board);
  }
};

// The problem as single subtrees are searched. Without h only a search of all depths makes sense.
Problem with_h(Problem problem) {
  problem.prune = PruneRule::parent;
  if (problem.metric == Metric::single && problem.heuristic == Zero::info.name) {
    problem.heuristic = Manhattan::info.name;
  }
  return problem;
}

// The boards on optimal solutions, by their distance from the start. In an optimal solution the
// rest of the way from a board is as short as any, however the board was reached; so each has one
// layer, and every path through the layers is a solution. In metric multi the same holds: a rest
// that began along the line of the last move could be merged with it, and the whole be shorter.
class SolutionGraph final : public SearchControl {
 public:
  SolutionGraph(const Problem& problem, const std::string& solution, SubtreeExecutor& executor,
                const Limits& limits)
      : search_(make_subtree_search(with_h(problem))),
        metric_(problem.metric),
        is_same_problem_(with_h(problem).heuristic == problem.heuristic),
        length_(solution_length(solution, metric_)),
        executor_(executor),
        limits_(limits),
        layers_(static_cast<std::size_t>(length_) + 1) {
    add("");
  }

  // False if the limits stopped it.
  bool build(const std::string& solution, const std::vector<FinishedSubtree>& solved) {
    const Board start = layers_.front().front().node.board;
    std::size_t depth = layers_.size() - 1;  // down to which all boards are known
    double nodes = 0;                        // below them
    for (const FinishedSubtree& subtree : solved) {
      add_all(subtree.path, start, 0);
      depth = std::min(depth, static_cast<std::size_t>(solution_length(subtree.path, metric_)));
      if (is_same_problem_) nodes += static_cast<double>(subtree.counts.expanded);
    }
    while (nodes > few_nodes) {
      if (!narrow(depth, nodes)) return false;
    }
    const Stopwatch watch;
    add_all(solution, start, 0);
    for (; depth < layers_.size(); ++depth) {
      for (const Entry& entry : layers_[depth]) {
        if (!explore(entry)) return false;
      }
    }
    connect();
    serial_seconds_ = watch.seconds();
    return true;
  }

  [[nodiscard]] SolutionList list(std::size_t most) const {
    SolutionList list;
    const Entry& start = layers_.front().front();
    list.count = start.solutions;
    for (const auto& [letters, index] : start.next) {
      list.first_moves.push_back({letters, layers_[1][index].solutions});
    }
    std::string path;
    write(0, start, most, path, list.solutions);
    list.serial_seconds = serial_seconds_;
    return list;
  }

  bool keep_going(const Counts& /*since_last*/) override {
    stopped_ = stopped_ || limits_.reached(0).has_value();
    return !stopped_;
  }

 private:
  using Moves = std::vector<std::pair<std::string, std::size_t>>;  // and what they lead to
  struct Entry {
    std::string path;  // to it
    Node node;
    Moves next = {};              // to the next layer
    std::uint64_t solutions = 0;  // from here
  };
  using Layer = std::vector<Entry>;
  struct Place {
    int layer = -1;  // none: no solution leads through the board
    std::size_t index = 0;
  };

  // ---- many subtrees at once

  // Goes down to a layer with many candidates and keeps those with solutions. Updates the layer,
  // and the nodes below what is kept.
  bool narrow(std::size_t& depth, double& nodes) {
    const std::size_t wanted =
        balance.subtrees(static_cast<std::size_t>(executor_.workers()), true);
    std::vector<Layer> candidates;  // for the layers below
    const auto last = [&]() -> const Layer& {
      return candidates.empty() ? layers_[depth] : candidates.back();
    };
    while (candidates.empty() ||
           (last().size() < wanted && depth + candidates.size() + 1 < layers_.size())) {
      candidates.push_back(children_of(last()));
    }
    std::vector<WorkItem> items;
    for (const Entry& entry : last()) {
      items.push_back({entry.path, nodes / static_cast<double>(last().size()), entry.node.h});
    }
    Observer nobody;
    Monitor monitor(limits_, nobody, {.bound = length_, .items = items.size()});
    // Subtrees report whether they hold solutions, once, at the end.
    const Task task{.bound = length_,
                    .mode = Mode::exhaust,
                    .report_seconds = std::numeric_limits<double>::infinity()};
    const Execution execution = executor_.execute(items, task, monitor);
    if (execution.stop) return false;
    const std::vector<bool> kept = with_solutions(items, execution.finished);
    nodes = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!kept[i]) continue;
      nodes += static_cast<double>(execution.expanded[i]);
      add(items[i].path);
    }
    depth += candidates.size();
    // Of the layers above, those that lead to what is kept.
    for (candidates.pop_back(); !candidates.empty(); candidates.pop_back()) {
      for (const Entry& entry : candidates.back()) {
        if (!next_of(entry).empty()) add(entry.path);
      }
    }
    return true;
  }

  [[nodiscard]] Layer children_of(const Layer& layer) const {
    Layer children;
    std::unordered_set<Board, TilesHash> known;
    for (const Entry& entry : layer) {
      for (const Successor& child : search_->successors(entry.node)) {
        if (child.node.f() > length_ || !known.insert(child.node.board).second) continue;
        children.push_back({entry.path + child.letters, child.node});
      }
    }
    return children;
  }

  // Which items hold solutions: subtrees that were searched in pieces are reported in pieces.
  [[nodiscard]] std::vector<bool> with_solutions(
      const std::vector<WorkItem>& items, const std::vector<FinishedSubtree>& finished) const {
    std::unordered_map<std::string_view, std::size_t> by_path;
    for (std::size_t i = 0; i < items.size(); ++i) by_path[items[i].path] = i;
    std::vector<bool> solved(items.size());
    for (const FinishedSubtree& piece : finished) {
      if (piece.counts.solutions == 0) continue;
      const std::string_view path = piece.path;
      for (std::size_t end = 0; end <= path.size(); ++end) {
        if (!leads_to(path.substr(0, end), path, metric_)) continue;
        if (const auto item = by_path.find(path.substr(0, end)); item != by_path.end()) {
          solved[item->second] = true;
        }
      }
    }
    return solved;
  }

  // ---- one by one

  // Finds out which children are on solutions, and adds what is found on the way. False if stopped.
  bool explore(const Entry& entry) {
    for (const Successor& child : search_->successors(entry.node)) {
      if (child.node.f() > length_ || places_.contains(child.node.board)) continue;
      const SubtreeResult found = search_->search(child.node, length_, Mode::any, *this);
      if (stopped_) return false;
      if (found.found) {
        add_all(entry.path + child.letters + found.solution, entry.node.board, entry.path.size());
      } else {
        places_.emplace(child.node.board, Place());
      }
    }
    return true;
  }

  // The boards of a solution, from the one after so many steps.
  void add_all(const std::string& solution, Board board, std::size_t steps) {
    for (; steps < solution.size(); ++steps) {
      board.move(*direction_of(solution[steps]));
      const std::string path = solution.substr(0, steps + 1);
      if (leads_to(path, solution, metric_) && !places_.contains(board)) add(path);
    }
  }

  void add(const std::string& path) {
    const Node node = search_->node_at(path);
    Layer& layer = layers_[static_cast<std::size_t>(node.g)];
    if (!places_.try_emplace(node.board, Place{node.g, layer.size()}).second) return;
    layer.push_back({path, node});
  }

  // Finds the moves between layers, and counts the solutions from each board.
  void connect() {
    layers_.back().front().solutions = 1;
    for (std::size_t depth = layers_.size() - 1; depth-- > 0;) {
      for (Entry& entry : layers_[depth]) {
        entry.next = next_of(entry);
        for (const auto& [letters, index] : entry.next) {
          entry.solutions += layers_[depth + 1][index].solutions;
        }
      }
    }
  }

  // The moves to what is known of the next layer.
  [[nodiscard]] Moves next_of(const Entry& entry) const {
    Moves moves;
    for (Successor& child : search_->successors(entry.node)) {
      const auto place = places_.find(child.node.board);
      if (place == places_.end() || place->second.layer != entry.node.g + 1) continue;
      moves.emplace_back(std::move(child.letters), place->second.index);
    }
    return moves;
  }

  void write(std::size_t depth, const Entry& entry, std::size_t most, std::string& path,
             std::vector<std::string>& solutions) const {
    if (solutions.size() >= most) return;
    if (depth + 1 == layers_.size()) solutions.push_back(path);
    for (const auto& [letters, index] : entry.next) {
      path += letters;
      write(depth + 1, layers_[depth + 1][index], most, path, solutions);
      path.resize(path.size() - letters.size());
    }
  }

  std::unique_ptr<SubtreeSearch> search_;
  Metric metric_;
  bool is_same_problem_;  // as the executor's
  int length_;
  SubtreeExecutor& executor_;
  const Limits& limits_;
  std::vector<Layer> layers_;
  std::unordered_map<Board, Place, TilesHash> places_;
  bool stopped_ = false;
  double serial_seconds_ = 0;
};

}  // namespace

std::optional<SolutionList> list_solutions(const Problem& problem, const std::string& solution,
                                           const std::vector<FinishedSubtree>& solved,
                                           std::size_t most, SubtreeExecutor& executor,
                                           Limits limits) {
  limits.nodes = 0;
  SolutionGraph graph(problem, solution, executor, limits);
  if (!graph.build(solution, solved)) return {};
  return graph.list(most);
}

}  // namespace tessera
