// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera {

/// In which order to try the views of a collection, learned from a sample of the nodes that some
/// view pruned: first the view that prunes the most of them, then the one that prunes the most of
/// those left, and so on. All views cost about the same.
class ViewOrder {
 public:
  explicit ViewOrder(std::size_t views) : views_(views) {
    std::iota(views_.begin(), views_.end(), std::uint8_t{0});
  }

  /// The views, numbered as in the collection, in the order in which to try them.
  [[nodiscard]] const std::vector<std::uint8_t>& views() const { return views_; }

  /// Whether a node belongs to the sample, which only those pruned do.
  [[nodiscard]] bool wants_sample(bool is_pruned) {
    pruned_ += is_pruned ? 1 : 0;
    return is_pruned && pruned_ % sample_every == 0;
  }
  /// The views that prune such a node, as bits.
  void add_sample(std::uint64_t views) {
    if (samples_.size() < most_samples) samples_.push_back(views);
    else samples_[next_sample_++ % most_samples] = views;
  }

  /// Called before the search of a bound: learns where the bound is another one than before.
  /// Whether the order changed.
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
  std::vector<std::uint64_t> samples_;  // the last ones
  std::size_t next_sample_ = 0;
  std::uint64_t pruned_ = 0;
  int bound_ = -1;
};

}  // namespace tessera
