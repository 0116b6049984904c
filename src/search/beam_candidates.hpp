// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "search/beam_board.hpp"
#include "search/beam_shares.hpp"
#include "search/beam_threshold.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {

/// The threads of a rank at work on the layers of a beam search. Between their items the main
/// thread looks whether the search is to stop: rank 0 asks the limits, the others learn it from
/// there.
class BeamCrew {
 public:
  using Work = std::function<void(std::size_t item, int thread)>;

  BeamCrew(ThreadTeam& team, BeamExchange& exchange, const Limits& limits)
      : team_(team), exchange_(exchange), limits_(limits) {}

  [[nodiscard]] ThreadTeam& team() { return team_; }
  [[nodiscard]] std::size_t threads() const { return static_cast<std::size_t>(team_.threads()); }
  /// Why the limits stop the search, on rank 0.
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

  /// Shares the items out among the threads.
  void share(std::size_t items, const Work& work) {
    look();
    team_.share(items, work, [this] { look(); });
  }
  /// The same for work that nobody needs once the search stops: then items are left out. No layer
  /// after it is used, so that what they would have written may be anything.
  void share_until_stopped(std::size_t items, const Work& work) {
    share(items, [&](std::size_t item, int thread) {
      if (!stopped_.load(std::memory_order_relaxed)) work(item, thread);
    });
  }

 private:
  void look() {
    if (stopped_.load(std::memory_order_relaxed)) return;
    if (exchange_.rank() == 0 && (stop_ = limits_.reached(0))) exchange_.stop();
    if (stop_ || !exchange_.goes_on()) stopped_ = true;
  }

  ThreadTeam& team_;
  BeamExchange& exchange_;
  const Limits& limits_;
  std::optional<Stop> stop_;
  std::atomic<bool> stopped_{false};
};

/// A layer's candidates on a rank: at first those that its threads have found, then those that it
/// owns. They are spread by shard, each the work of one thread at a time.
class BeamCandidates {
 public:
  using ByShard = std::vector<std::vector<BeamCandidate>>;

  BeamCandidates(const BeamShares& shares, BeamCrew& crew, BeamExchange& exchange);

  /// What a thread has found, by shard of all ranks: it is added there.
  [[nodiscard]] ByShard& found_by(int thread) { return found_[static_cast<std::size_t>(thread)]; }
  /// To the owners.
  void swap();
  /// Leaves duplicates and boards of earlier layers out; how many of the others have each h.
  [[nodiscard]] BeamHistogram sift(const BeamSeen& seen);
  /// The threshold that the `width` best of all ranks pass; `counts` as `sift` has them, of all
  /// ranks.
  [[nodiscard]] BeamThreshold threshold(std::span<const std::uint64_t> counts, std::uint64_t width);
  /// Keeps what passes, notes it as seen in that layer, and forgets the others.
  void keep(const BeamThreshold& threshold, BeamSeen& seen, int layer);
  /// What is kept of a shard of this rank, by the rank that found it.
  [[nodiscard]] const ByShard& kept(std::size_t shard) const { return kept_[shard]; }
  [[nodiscard]] std::size_t shards() const { return kept_.size(); }

  struct Goal {
    BeamCandidate candidate;
    std::size_t rank = 0;  ///< that found it
  };
  /// After `sift`, on its owner: the goal, where it is among the candidates.
  [[nodiscard]] std::optional<Goal> goal() const;

 private:
  using Span = std::span<BeamCandidate>;

  void swap_over_ranks();
  void drop_duplicates(std::size_t shard, const BeamSeen& seen,
                       std::vector<BeamCandidate*>& slots) const;
  template <class Use>
  void visit(std::size_t shard, const Use& use) const {
    for (const Span span : owned_[shard]) {
      for (const BeamCandidate& candidate : span) {
        if (candidate.alive) use(candidate);
      }
    }
  }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(exchange_.ranks()); }

  BeamCrew& crew_;
  BeamExchange& exchange_;
  std::vector<ByShard> found_;            // by thread
  BeamExchange::Parts received_;          // what owned_ points into, with more ranks than one
  std::vector<std::vector<Span>> owned_;  // by shard of this rank, then by finder
  std::vector<ByShard> kept_;             // by shard of this rank
};

}  // namespace tessera
