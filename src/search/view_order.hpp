// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera {

/// In which order to try the views of a collection, learned from a sample of the nodes that some
/// view pruned: first the view that prunes the most of them, then the one that prunes the most of
/// those left, and so on. All views cost about the same.
class ViewOrder {
 public:
  explicit ViewOrder(std::size_t views);

  /// The views, numbered as in the collection, in the order in which to try them.
  [[nodiscard]] const std::vector<std::uint8_t>& views() const { return views_; }

  /// Whether a node belongs to the sample, which only those pruned do.
  [[nodiscard]] bool wants_sample(bool is_pruned) {
    pruned_ += is_pruned ? 1 : 0;
    return is_pruned && pruned_ % sample_every == 0;
  }
  /// The views that prune such a node, as bits.
  void add_sample(std::uint64_t views);

  /// Called before the search of a bound: learns where the bound is another one than before.
  /// Whether the order changed.
  [[nodiscard]] bool learn(int bound);

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
