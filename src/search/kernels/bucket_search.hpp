// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "heuristic/manhattan.hpp"
#include "search/kernels/bucket_expand.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// Manhattan search of boards of at most 16 cells, many nodes at a time.
///
/// A node is one word, its board. Everything else that the search needs to know about it is implied
/// by its bucket:
///
///     level   slack / 2                      ... 2   1   0 (only steps towards home are left)
///     bucket  blank's cell, last move        at most 48 on 4x4
///
/// Expanding takes up to 512 nodes from the end of one bucket. All have the same blank cell and
/// possible moves, so each step is a branch-free loop over the chunk: extract the tile, look up one
/// bit of a mask (does it move away from home?), put it into the blank, and append the child to the
/// bucket of its cell, on this level or the next lower one. The order of nodes is lost, but not
/// their number: within a bound the same nodes are expanded as by depth-first search, so the counts
/// of Mode::exhaust are exact.
///
/// Full chunks of the lowest level go first, since those subtrees are the smallest; if no bucket is
/// full, the highest level is expanded and fills others. So only some thousand nodes wait at a
/// time, in the second-level cache. If a bucket is full, the plain kernel searches the node
/// instead: memory is bounded for any tree.
///
/// Except in Mode::exhaust, the plain kernel, its twin, searches the subtree with the solution
/// again: the path and the counts are those of plain depth-first search.
class BucketSearch final : public SubtreeSearch {
 public:
  BucketSearch(const Problem& problem, std::unique_ptr<SubtreeSearch> plain);

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return manhattan_.evaluate(labels);
  }
  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override;

  /// Nodes that the plain kernel searched because a bucket was full, since construction.
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }

  /// Makes buckets smaller, to test full ones. At most `capacity`.
  void limit_capacity(std::size_t nodes) { room_ = nodes; }
  /// Replaces the expander chosen for this CPU, for tests. The CPU must support it.
  void use_expander(BucketExpander expander) { expand_ = expander; }

  static constexpr std::size_t chunk = 512;
  static constexpr std::size_t capacity = 4096;  ///< nodes per bucket

 private:
  static constexpr int ways = 4;
  static constexpr int most_buckets = NibblePosition::max_cells * ways;

  struct Way {
    BucketStep step;
    int target;  // the bucket of the children
  };
  // The waiting nodes with one slack. full: buckets that hold half a chunk or more.
  struct Level {
    std::uint64_t* words = nullptr;
    std::array<std::uint32_t, most_buckets> counts{};
    std::uint64_t waiting = 0;
    std::uint64_t full = 0;

    [[nodiscard]] std::size_t count(int bucket) const {
      return counts[static_cast<std::size_t>(bucket)];
    }
    [[nodiscard]] std::uint64_t* words_of(int bucket) const {
      return words + static_cast<std::size_t>(bucket) * (capacity + bucket_padding);
    }
    void set_count(int bucket, std::size_t count);
  };
  struct Place {
    std::size_t level;
    int bucket;
  };

  [[nodiscard]] static int bucket_of(int cell, int back) { return cell * ways + back; }
  [[nodiscard]] static int cell_of(int bucket) { return bucket / ways; }
  [[nodiscard]] const std::vector<Way>& ways_from(Place place) const {
    return ways_[static_cast<std::size_t>(place.bucket)];
  }
  void begin(const Node& root, std::size_t slack_levels);
  void push(const Board& board, Direction last, std::size_t level);
  [[nodiscard]] std::optional<Place> choose() const;
  [[nodiscard]] std::uint64_t unreported() const { return counts_.expanded - reported_.expanded; }
  // Each is called once per chunk; as real calls they would cost 4 % of a search.
  [[gnu::always_inline]] [[nodiscard]] inline std::size_t room_for_children(Place place) const;
  [[gnu::always_inline]] inline void expand(Place place, const std::uint64_t* words,
                                            std::size_t count);
  std::size_t without_goals(std::uint64_t* words, std::size_t count);
  bool search_plainly(Place place, std::uint64_t word, int bound, SearchControl& control);

  Manhattan manhattan_;
  std::unique_ptr<SubtreeSearch> plain_;
  BucketExpander expand_;
  std::uint64_t goal_word_;
  std::array<std::vector<Way>, most_buckets> ways_;  // by bucket
  std::vector<Level> levels_;
  Counts counts_;
  Counts reported_;
  std::uint64_t overflows_ = 0;
  std::size_t room_ = capacity;
};

}  // namespace tessera
