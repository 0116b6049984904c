// SPDX-License-Identifier: MIT
#include "search/tree/frontier.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "search/pruning/move_order.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {
Frontier::Frontier(const SubtreeSearch& search, std::function<bool()> stopped)
    : search_(search), stopped_(std::move(stopped)) {
  leaves_.push_back({"", "", search.node_at("")});
}

bool Frontier::growth_ends() const {
  constexpr std::uint64_t splits_between_checks = 1024;
  return leaves_.size() >= balance.most_leaves ||
         (stopped_ && interior_.expanded % splits_between_checks == 0 && stopped_());
}

// A node whose children are all pruned stays a leaf: `interior_until` counts only nodes above
// leaves.
bool Frontier::can_split(const Leaf& leaf, int bound) const {
  return leaf.node.f() <= bound && !leaf.done && leaf.node.board != search_.goal() &&
         search_.pruning().open(leaf.node.rule) != 0;
}

std::pair<Frontier::Position, Frontier::Position> Frontier::split(Position leaf) {
  const Position end = std::next(leaf);
  char children = 0;
  double weights = 0;
  for (const Successor& child : search_.successors(leaf->node)) {
    const double weight = expected_share(growth_, child.node.f() - leaf->node.f());
    leaves_.insert(end, {leaf->path + child.letters, leaf->trail + children, child.node, weight});
    weights += weight;
    ++children;
  }
  ++interior_.expanded;
  interior_.generated += static_cast<std::uint64_t>(children);
  const double share = leaf->cost / weights;
  const Position first = leaves_.erase(leaf);
  for (Position child = first; child != end; ++child) child->cost *= share;
  return {first, end};
}

void Frontier::grow(int bound, std::size_t least, double heaviest) {
  // At equal cost (all are unknown before the first iteration) the shallower first, otherwise the
  // tree would be cut into one long comb.
  const auto cheaper = [](Position x, Position y) {
    return x->cost != y->cost ? x->cost < y->cost : x->node.g > y->node.g;
  };
  std::priority_queue<Position, std::vector<Position>, decltype(cheaper)> by_cost(cheaper);
  std::size_t count = 0;
  const auto admit = [&](Position leaf) {
    if (leaf->node.f() > bound) return;
    ++count;
    if (can_split(*leaf, bound)) by_cost.push(leaf);
  };
  for (Position leaf = leaves_.begin(); leaf != leaves_.end(); ++leaf) admit(leaf);
  while (!by_cost.empty()) {
    const Position leaf = by_cost.top();
    if (growth_ends()) break;
    if (count >= least && (heaviest <= 0 || leaf->cost <= heaviest)) break;
    by_cost.pop();
    --count;
    const auto [first, end] = split(leaf);
    for (Position child = first; child != end; ++child) admit(child);
  }
}

void Frontier::grow_to_depth(int bound, int depth) {
  for (Position leaf = leaves_.begin(); leaf != leaves_.end();) {
    if (leaf->node.g < depth && !growth_ends() && can_split(*leaf, bound)) leaf = split(leaf).first;
    else ++leaf;
  }
}

FinishedSubtree Frontier::restore(const std::vector<FinishedSubtree>& finished, int bound,
                                  Metric metric) {
  std::unordered_map<std::string_view, const FinishedSubtree*> by_path;
  std::unordered_set<std::string_view> above;  // paths above one of them
  for (const FinishedSubtree& subtree : finished) {
    const std::string_view path = subtree.path;
    by_path[path] = &subtree;
    for (std::size_t length = 0; length < path.size(); ++length) {
      if (leads_to(path.substr(0, length), path, metric)) above.insert(path.substr(0, length));
    }
  }
  FinishedSubtree sum;
  for (Position leaf = leaves_.begin(); leaf != leaves_.end();) {
    const auto known = by_path.find(leaf->path);
    if (known != by_path.end()) {
      leaf->done = true;
      leaf->cost = static_cast<double>(known->second->counts.expanded);
      sum.add(*known->second);
    } else if (above.contains(leaf->path) && can_split(*leaf, bound)) {
      leaf = split(leaf).first;
      continue;
    }
    ++leaf;
  }
  return sum;
}

void Frontier::forget_done() {
  for (Leaf& leaf : leaves_) leaf.done = false;
}

std::vector<Frontier::Leaf*> Frontier::live(int bound) {
  std::vector<Leaf*> leaves;
  for (Leaf& leaf : leaves_) {
    if (leaf.node.f() <= bound && !leaf.done) leaves.push_back(&leaf);
  }
  return leaves;
}

int Frontier::next_bound(int bound) const {
  int next = no_bound;
  for (const Leaf& leaf : leaves_) {
    if (leaf.node.f() > bound) next = std::min(next, leaf.node.f());
  }
  return next;
}

Counts Frontier::interior_until(const Leaf& last) const {
  // A prefix that a trail does not share with the previous leaf's is a newly visited node; all
  // except the whole trail are nodes above the cut.
  Counts visited;
  std::string_view before;
  bool first = true;
  for (const Leaf& leaf : leaves_) {
    const std::string& trail = leaf.trail;
    const auto fork = std::ranges::mismatch(before, trail).in2;
    const auto shared = static_cast<std::size_t>(fork - trail.begin());
    visited.generated += trail.size() - shared;
    visited.expanded += trail.empty() ? 0 : trail.size() - shared - (first ? 0 : 1);
    first = false;
    if (&leaf == &last) break;
    before = trail;
  }
  return visited;
}

}  // namespace tessera
