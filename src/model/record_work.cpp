// SPDX-License-Identifier: MIT
#include <algorithm>

#include "model/work_record.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t least_grain = 5000;
constexpr double target_subtrees = 1e6;
// More at a time would only take memory for their paths.
constexpr std::size_t batch = 50'000;
// A subtree is cut if it is expected to take, or takes, more than this many grains.
constexpr double most_expected = 2;
constexpr double most_taken = 6;

// One iteration's tree while it is recorded. Nodes are in order of arrival; `in_order` sorts them.
class Growing {
 public:
  Growing(const SubtreeSearch& search, int bound, const WorkTree* before, double growth,
          double grain)
      : search_(search), bound_(bound), before_(before), growth_(growth), grain_(grain) {
    nodes_.emplace_back();
    extra_.emplace_back();
    if (before_ != nullptr) extra_[0] = {0, growth_ * known(0), 0};
    admit(0, search_.node_at(""));
  }

  /// The next subtrees to search; empty once all are known.
  std::vector<WorkItem> next_items() {
    asked_.clear();
    std::vector<WorkItem> items;
    while (!ready_.empty() && items.size() < batch) {
      asked_.push_back(ready_.back());
      items.push_back({path(ready_.back()), extra_[ready_.back()].expected});
      ready_.pop_back();
    }
    return items;
  }

  void learn(const std::vector<std::uint64_t>& expanded) {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::uint32_t node = asked_[i];
      nodes_[node].expanded = expanded[i];
      const auto cost = static_cast<double>(expanded[i]);
      if (cost <= most_taken * grain_) continue;
      extra_[node].expected = cost;
      extra_[node].before.reset();  // now its cost is known, and a better guide
      split(node, search_.node_at(path(node)));
    }
  }

  WorkTree in_order() {
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
      WorkNode& parent = nodes_[node];
      if (parent.children == 0) continue;
      parent.expanded = 1;
      for (std::uint32_t c = 0; c < parent.children; ++c) {
        parent.expanded += nodes_[parent.first_child + c].expanded;
      }
    }
    WorkTree tree{bound_, {nodes_[0]}};
    tree.nodes.reserve(nodes_.size());
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      const std::uint32_t first = tree.nodes[node].first_child;
      tree.nodes[node].first_child = static_cast<std::uint32_t>(tree.nodes.size());
      for (std::uint32_t c = 0; c < tree.nodes[node].children; ++c) {
        tree.nodes.push_back(nodes_[first + c]);
      }
    }
    return tree;
  }

 private:
  struct Extra {
    std::uint32_t parent = 0;
    double expected = 0;                       // nodes; 0: unknown
    std::optional<std::uint32_t> before = {};  // the node in the previous iteration, if recorded
  };

  [[nodiscard]] double known(std::size_t node) const {
    return static_cast<double>(before_->nodes[node].expanded);
  }

  [[nodiscard]] std::string path(std::uint32_t node) const {
    std::string letters;
    for (; node != 0; node = extra_[node].parent) {
      letters.append(nodes_[node].steps, nodes_[node].move);
    }
    std::ranges::reverse(letters);
    return letters;
  }

  // Splits a node that is expected to be expensive, and its children likewise.
  void admit(std::uint32_t index, const Node& node) {
    if (node.board == search_.goal()) return;  // a goal costs nothing
    if (extra_[index].expected <= most_expected * grain_) ready_.push_back(index);
    else split(index, node);
  }

  void split(std::uint32_t index, const Node& node) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    std::vector<Node> children;
    double weights = 0;
    for (const Successor& child : search_.successors(node)) {
      if (child.node.f() > bound_) continue;
      const int rise = std::max(0, child.node.f() - node.f());
      const WorkNode recorded{.rise = static_cast<std::uint8_t>(rise),
                              .move = child.letters.front(),
                              .steps = static_cast<std::uint8_t>(child.letters.size())};
      const double weight = expected_share(growth_, rise);
      weights += weight;
      std::optional<std::uint32_t> match;
      if (const auto before = extra_[index].before) {
        match = matching_child(before_->nodes, before_->nodes[*before], recorded);
      }
      nodes_.push_back(recorded);
      extra_.push_back({index, match ? growth_ * known(*match) : weight, match});
      children.push_back(child.node);
    }
    nodes_[index].first_child = first;
    nodes_[index].children = static_cast<std::uint8_t>(children.size());
    if (children.empty()) nodes_[index].expanded = 1;
    for (std::uint32_t c = 0; c < children.size(); ++c) {
      Extra& extra = extra_[first + c];
      if (!extra.before) extra.expected *= extra_[index].expected / weights;
      admit(first + c, children[c]);
    }
  }

  const SubtreeSearch& search_;
  int bound_;
  const WorkTree* before_;
  double growth_;
  double grain_;
  std::vector<WorkNode> nodes_;
  std::vector<Extra> extra_;
  std::vector<std::uint32_t> ready_;
  std::vector<std::uint32_t> asked_;
};

}  // namespace

bool record_work(const Problem& problem, SubtreeExecutor& executor, const std::vector<int>& bounds,
                 WorkRecord& record, const Limits& limits, std::uint64_t grain) {
  const auto search = make_subtree_search(problem);
  executor.begin(problem);
  record.iterations.clear();
  Observer nobody;
  double before_last = 0;
  double searched = 0;
  double seconds = 0;
  for (const int bound : bounds) {
    const WorkTree* before = record.iterations.empty() ? nullptr : &record.iterations.back();
    const double last = before == nullptr ? 0 : static_cast<double>(before->nodes[0].expanded);
    const double growth =
        before_last > 0 ? std::max(1.5, last / before_last) : Task::default_growth;
    record.grain =
        grain > 0
            ? grain
            : std::max(least_grain, static_cast<std::uint64_t>(last * growth / target_subtrees));
    Growing tree(*search, bound, before, growth, static_cast<double>(record.grain));
    while (true) {
      const std::vector<WorkItem> items = tree.next_items();
      if (items.empty()) break;
      Monitor monitor(limits, nobody, {});
      const Execution execution = executor.execute(items, {bound, Mode::exhaust}, monitor);
      if (execution.stop) return false;
      tree.learn(execution.expanded);
      searched += static_cast<double>(execution.counts.expanded);
      seconds += execution.search_seconds;
    }
    record.iterations.push_back(tree.in_order());
    before_last = last;
  }
  record.rate = seconds > 0 ? searched / seconds : 0;
  return true;
}

}  // namespace tessera
