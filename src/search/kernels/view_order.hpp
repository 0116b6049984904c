// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera {

/// The order in which to try the views of a collection, learned from a sample of the nodes that
/// some view pruned: first the view that prunes most of them, then the one that prunes most of the
/// rest, and so on. All views cost about the same.
class ViewOrder {
 public:
  explicit ViewOrder(std::size_t views) : views_(views) {
    std::iota(views_.begin(), views_.end(), std::uint8_t{0});
  }

  /// The views, numbered as in the collection, in the order of use.
  [[nodiscard]] const std::vector<std::uint8_t>& views() const { return views_; }

  /// Whether to sample a node; only pruned nodes are sampled.
  [[nodiscard]] bool wants_sample(bool is_pruned) {
    pruned_ += is_pruned ? 1 : 0;
    return is_pruned && pruned_ % sample_every == 0;
  }
  /// The views that prune such a node, as bits.
  void add_sample(std::uint64_t views) {
    if (samples_.size() < most_samples) samples_.push_back(views);
    else samples_[next_sample_++ % most_samples] = views;
  }

  /// Called before the search of a bound: updates the order if the bound has changed. Returns
  /// whether the order changed.
  [[nodiscard]] bool learn(int bound) {
    if (bound == bound_) return false;
    bound_ = bound;
    std::vector<std::uint64_t> left = samples_;
    std::vector<std::uint8_t> order;
    std::vector<std::uint8_t> others = views_;
    while (!others.empty() && !left.empty()) {
      const auto prunes = [&](std::uint8_t view) {
        return std::ranges::count_if(left,
                                     [&](std::uint64_t views) { return (views >> view & 1) != 0; });
      };
      const auto best = std::ranges::max_element(others, {}, prunes);
      order.push_back(*best);
      others.erase(best);
      std::erase_if(left, [&](std::uint64_t views) { return (views >> order.back() & 1) != 0; });
    }
    order.insert(order.end(), others.begin(), others.end());
    const bool changed = order != views_;
    views_ = std::move(order);
    return changed;
  }

 private:
  static constexpr std::uint64_t sample_every = 1 << 10;
  static constexpr std::size_t most_samples = 4096;

  std::vector<std::uint8_t> views_;
  std::vector<std::uint64_t> samples_;  // the latest ones
  std::size_t next_sample_ = 0;
  std::uint64_t pruned_ = 0;
  int bound_ = -1;
};

}  // namespace tessera
