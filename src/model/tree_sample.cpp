// SPDX-License-Identifier: MIT
#include "model/tree_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tessera {
namespace {

struct Sampled {
  Node node;
  double weight = 1;
  int f = 0;              // the largest on the path
  double chance = 0;      // proportional; negative: it is always kept
  std::string path = {};  // if requested
};

class Sampler {
 public:
  Sampler(const SubtreeSearch& search, const TreePassOptions& options, bool keep_paths,
          Random& random)
      : search_(search),
        options_(options),
        keep_paths_(keep_paths),
        tilt_(-std::log(options.growth) / 2),
        random_(random) {
    Sampled root;
    root.node = search_.node_at("");
    root.f = pass_.least_f = root.node.f();
    const auto bounds = static_cast<std::size_t>(std::max(0, options_.bound - root.f + 1));
    pass_.expanded.resize(bounds);
    pass_.generated.resize(bounds);
    if (bounds > 0) level_.push_back(std::move(root));
  }

  /// Replaces this level by the next one; false if there is none.
  bool descend() {
    children_.clear();
    for (std::size_t i = 0; i < level_.size(); ++i) {
      if (is_stopped()) keep_few(level_, i);
      if (i < level_.size()) expand(level_[i]);
    }
    thin();
    std::swap(level_, children_);
    return !level_.empty();
  }

  [[nodiscard]] const std::vector<Sampled>& level() const { return level_; }
  [[nodiscard]] TreePass& pass() { return pass_; }

 private:
  static constexpr double most_weight = 1e290;  // sums over all levels stay finite

  void expand(const Sampled& sampled) {
    if (sampled.node.board == search_.goal()) return;
    const auto at = static_cast<std::size_t>(sampled.f - pass_.least_f);
    const std::vector<Successor> successors = search_.successors(sampled.node);
    ++pass_.cost;
    pass_.expanded[at] += sampled.weight;
    pass_.generated[at] += sampled.weight * static_cast<double>(successors.size());
    for (const Successor& child : successors) {
      const int f = std::max(sampled.f, child.node.f());
      if (f > options_.bound) continue;
      children_.push_back({child.node, sampled.weight, f});
      if (keep_paths_) children_.back().path = sampled.path + child.letters;
    }
  }

  // Once true, it remains so.
  bool is_stopped() {
    constexpr std::uint64_t poll_nodes = 1024;
    if (!pass_.stopped && options_.stopped && pass_.cost % poll_nodes == 0) {
      pass_.stopped = options_.stopped();
    }
    return pass_.stopped;
  }

  // Few enough to be sorted soon, of the nodes from `first` on. Each stands for equally many.
  void keep_few(std::vector<Sampled>& nodes, std::size_t first) {
    constexpr std::size_t few = 4096;
    const std::size_t rest = nodes.size() - first;
    if (rest <= few) return;
    pass_.exact_below = pass_.least_f;
    const double step = static_cast<double>(rest) / few;
    const double offset = random_.unit() * step;
    for (std::size_t i = 0; i < few; ++i) {
      const auto chosen = static_cast<std::size_t>(offset + static_cast<double>(i) * step);
      Sampled& kept = nodes[first + i];
      if (chosen != i) kept = std::move(nodes[first + std::min(chosen, rest - 1)]);
      kept.weight = std::min(kept.weight * step, most_weight);
    }
    nodes.resize(first + few);
  }

  void thin() {
    if (pass_.stopped) keep_few(children_, 0);
    // The remaining nodes must last for some more levels.
    constexpr std::uint64_t levels_to_come = 4;
    const std::uint64_t left = options_.nodes - std::min(options_.nodes, pass_.cost);
    const std::size_t most = pass_.stopped
                                 ? std::min(options_.population, TreePass::kept_if_stopped)
                                 : options_.population;
    const std::uint64_t population = std::clamp<std::uint64_t>(left / levels_to_come, 1, most);
    if (children_.size() <= population) return;
    std::ranges::sort(children_, {}, [this](const Sampled& child) { return type(child); });
    const int least_f = children_.front().f;
    double sum = 0;
    for (Sampled& child : children_) {
      sum += child.chance = child.weight * std::exp(tilt_ * (child.f - least_f));
    }
    // Nodes whose chance would exceed 1 are always kept; the others share the remaining places.
    auto places = static_cast<double>(population);
    for (bool changed = true; changed && places > 0;) {
      changed = false;
      const double whole = sum / places;
      for (Sampled& child : children_) {
        if (child.chance < whole || child.chance < 0) continue;
        sum -= child.chance;
        places -= 1;
        child.chance = -1;
        changed = true;
      }
    }
    double reached = random_.unit();
    std::size_t kept = 0;
    for (Sampled& child : children_) {
      if (child.chance >= 0) {
        pass_.exact_below = std::min(pass_.exact_below, child.f);
        const double chance = sum > 0 ? child.chance * places / sum : 0;
        reached += chance;
        if (reached < 1) continue;
        reached -= 1;
        child.weight = std::min(child.weight / chance, most_weight);
      }
      if (&children_[kept] != &child) children_[kept] = std::move(child);
      ++kept;
    }
    children_.resize(kept);
  }

  using Type = std::tuple<int, int, int, int>;
  [[nodiscard]] Type type(const Sampled& sampled) const {
    const Node& node = sampled.node;
    return {sampled.f, search_.pruning().count_open(node.rule), node.board.blank(),
            node.last ? static_cast<int>(*node.last) : -1};
  }

  const SubtreeSearch& search_;
  const TreePassOptions& options_;
  bool keep_paths_;
  double tilt_;
  Random& random_;
  std::vector<Sampled> level_;
  std::vector<Sampled> children_;
  TreePass pass_;
};

}  // namespace

double TreePass::within(int bound, const std::vector<double>& nodes) const {
  const auto count = std::clamp<std::ptrdiff_t>(bound - least_f + 1, 0, std::ssize(nodes));
  return std::accumulate(nodes.begin(), nodes.begin() + count, 0.0);
}

TreePass sample_tree(const SubtreeSearch& search, const TreePassOptions& options, Random& random) {
  Sampler sampler(search, options, false, random);
  while (sampler.descend()) {
  }
  return std::move(sampler.pass());
}

std::vector<std::string> sample_subtrees(const SubtreeSearch& search,
                                         const TreePassOptions& options, int depth,
                                         Random& random) {
  Sampler sampler(search, options, true, random);
  for (int level = 0; level < depth && sampler.descend(); ++level) {
  }
  std::vector<std::string> paths;
  for (const Sampled& sampled : sampler.level()) paths.push_back(sampled.path);
  return paths;
}

}  // namespace tessera
