// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "search/beam/beam.hpp"
#include "search/beam/beam_board.hpp"
#include "search/beam/beam_shares.hpp"

namespace tessera {

/// The number of boards of a layer for each estimate, the goal first; the last bin also counts
/// everything beyond it.
using BeamHistogram = std::array<std::uint64_t, 8192>;

/// The bin for boards of that estimate.
[[nodiscard]] inline std::size_t beam_bin(int estimate) {
  return std::min(static_cast<std::size_t>(estimate - BeamCandidate::of_goal),
                  std::tuple_size_v<BeamHistogram> - 1);
}

/// Selects the candidates to keep: all with a smaller estimate, and of that one those up to that
/// tie.
struct BeamThreshold {
  std::size_t bin = std::tuple_size_v<BeamHistogram>;
  std::uint64_t tie = ~std::uint64_t{0};

  [[nodiscard]] bool admits(const BeamCandidate& candidate) const {
    const std::size_t own = beam_bin(candidate.estimate);
    return candidate.alive && (own < bin || (own == bin && candidate.tie() <= tie));
  }
};

/// The threads of a rank that process the layers of a beam search. Between items, the main thread
/// checks whether the search is to stop: rank 0 checks the limits, and the others learn it from
/// rank 0.
class BeamCrew {
 public:
  using Work = std::function<void(std::size_t item, int thread)>;

  BeamCrew(ThreadTeam& team, Ranks& ranks, const Limits& limits)
      : team_(team), ranks_(ranks), limits_(limits) {}

  [[nodiscard]] ThreadTeam& team() { return team_; }
  [[nodiscard]] std::size_t threads() const { return static_cast<std::size_t>(team_.threads()); }
  /// All ranks together, for the node limit.
  void note_evaluated(std::uint64_t count) { evaluated_ = count; }
  /// On rank 0, the limit that stopped the search.
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

  /// Distributes the items over the threads.
  void share(std::size_t items, const Work& work) {
    look();
    team_.share(items, work, [this] { look(); });
  }
  /// The same for work that is not needed once the search stops: items are then skipped. False if
  /// some may have been: what they would have written must not be used, nor sent to other ranks,
  /// which may not know of the stop yet.
  bool share_until_stopped(std::size_t items, const Work& work) {
    share(items, [&](std::size_t item, int thread) {
      if (!stopped_.load(std::memory_order_relaxed)) work(item, thread);
    });
    return !stopped_.load(std::memory_order_relaxed);
  }

 private:
  void look() {
    if (stopped_.load(std::memory_order_relaxed)) return;
    if (ranks_.rank() == 0 && (stop_ = limits_.reached(evaluated_))) ranks_.stop();
    if (stop_ || !ranks_.may_continue()) stopped_ = true;
  }

  ThreadTeam& team_;
  Ranks& ranks_;
  const Limits& limits_;
  std::uint64_t evaluated_ = 0;
  std::optional<Stop> stop_;
  std::atomic<bool> stopped_{false};
};

/// A layer's candidates on a rank: first those that its threads have found, then those that it
/// owns. They are divided into shards, each processed by one thread at a time.
class BeamCandidates {
 public:
  using ByShard = std::vector<std::vector<BeamCandidate>>;

  BeamCandidates(const BeamShares& shares, BeamCrew& crew, Ranks& ranks)
      : crew_(crew), ranks_(ranks), found_(crew.threads()), owned_(shares.shards()) {
    for (ByShard& found : found_) found.resize(shares.shards() * this->ranks());
  }

  /// The candidates found by a thread, by shard of all ranks; add new ones there.
  [[nodiscard]] ByShard& found_by(int thread) { return found_[static_cast<std::size_t>(thread)]; }
  /// Sends candidates to their owners.
  void swap() {
    if (ranks() > 1) return swap_over_ranks();
    for (ByShard& found : found_) {
      for (std::size_t shard = 0; shard < owned_.size(); ++shard) {
        owned_[shard].push_back(found[shard]);
      }
    }
  }

  /// Removes duplicates and boards of earlier layers; returns how many of the rest have each
  /// estimate.
  [[nodiscard]] BeamHistogram sift(const BeamSeen& seen) {
    std::vector<BeamHistogram> by_thread(crew_.threads(), BeamHistogram{});
    std::vector<std::vector<BeamCandidate*>> slots(by_thread.size());
    crew_.share_until_stopped(owned_.size(), [&](std::size_t shard, int thread) {
      const auto t = static_cast<std::size_t>(thread);
      drop_duplicates(shard, seen, slots[t]);
      visit(shard, [&](const BeamCandidate& candidate, std::size_t) {
        ++by_thread[t][beam_bin(candidate.estimate)];
      });
    });
    return sum_of(std::move(by_thread));
  }

  /// The threshold that exactly `width` candidates of all ranks pass, or all if there are fewer;
  /// `counts` is the sum of `sift` over all ranks. Ties are broken by counting their bits from the
  /// top, which costs a sum of 32 KiB over ranks for every 12 bits, usually two or three sums.
  [[nodiscard]] BeamThreshold threshold(std::span<const std::uint64_t> counts,
                                        std::uint64_t width) {
    BeamThreshold threshold;
    std::uint64_t wanted = width;  // in the bin that is split
    std::size_t bin = 0;
    while (bin < counts.size() && counts[bin] < wanted) wanted -= counts[bin++];
    if (bin == counts.size()) return threshold;
    threshold.bin = bin;
    if (counts[bin] == wanted) return threshold;
    std::uint64_t prefix = 0;
    for (int shift = 64; shift > 0;) {
      const int bits = std::min(digit_bits, shift);
      shift -= bits;
      std::vector<std::uint64_t> next = count_digits(bin, prefix, shift, bits);
      ranks_.sum(next);
      std::size_t digit = 0;
      while (next[digit] < wanted) wanted -= next[digit++];
      prefix = prefix << bits | digit;
      threshold.tie = (prefix << shift) | ((std::uint64_t{1} << shift) - 1);
      if (next[digit] == wanted) break;
    }
    return threshold;
  }

  /// Marks candidates that pass as seen in that layer, calls `keep(candidate, finder, thread)` for
  /// each, where the finder is the rank that has its parent, and discards all candidates.
  template <class Keep>
  void keep(const BeamThreshold& threshold, BeamSeen& seen, int layer, const Keep& keep) {
    crew_.share(owned_.size(), [&](std::size_t shard, int thread) {
      visit(shard, [&](const BeamCandidate& candidate, std::size_t finder) {
        if (!threshold.admits(candidate)) return;
        seen.insert(candidate.hash, layer);
        keep(candidate, finder, thread);
      });
    });
    clear();
  }
  /// Discards all candidates.
  void clear() {
    for (std::vector<Span>& owned : owned_) owned.clear();
    received_.clear();
    for (ByShard& found : found_) {
      for (auto& candidates : found) candidates.clear();
    }
  }

  struct Goal {
    BeamCandidate candidate;
    std::size_t rank = 0;  ///< that found it
  };
  /// After `sift`, on its owner: the goal, if it is among the candidates.
  [[nodiscard]] std::optional<Goal> goal() const {
    std::optional<Goal> goal;
    for (std::size_t shard = 0; shard < owned_.size(); ++shard) {
      visit(shard, [&](const BeamCandidate& candidate, std::size_t finder) {
        if (candidate.estimate == BeamCandidate::of_goal) goal = {candidate, finder};
      });
    }
    return goal;
  }

 private:
  using Span = std::span<BeamCandidate>;
  static constexpr int digit_bits = 12;  // of a tie

  // The sum of the threads' counts.
  template <class Counts>
  static Counts sum_of(std::vector<Counts> by_thread) {
    for (std::size_t thread = 1; thread < by_thread.size(); ++thread) {
      std::ranges::transform(by_thread[0], by_thread[thread], by_thread[0].begin(), std::plus());
    }
    return std::move(by_thread[0]);
  }

  // To each rank: the number of candidates for each of its shards, then all of them. Afterwards
  // each shard has one span per rank, empty if that rank found none.
  void swap_over_ranks() {
    const std::size_t shards = owned_.size();
    Ranks::Parts parts(ranks());
    std::vector<std::size_t> first(ranks() * shards);  // byte offset in the part, by shard
    for (std::size_t to = 0; to < ranks(); ++to) {
      std::vector<std::uint64_t> counts(shards);
      std::size_t bytes = shards * sizeof(std::uint64_t);
      for (std::size_t shard = 0; shard < shards; ++shard) {
        for (const ByShard& found : found_) counts[shard] += found[to * shards + shard].size();
        first[to * shards + shard] = bytes;
        bytes += counts[shard] * sizeof(BeamCandidate);
      }
      parts[to].resize(bytes);
      std::memcpy(parts[to].data(), counts.data(), shards * sizeof(std::uint64_t));
    }
    crew_.share(ranks() * shards, [&](std::size_t shard, int) {
      std::byte* to = parts[shard / shards].data() + first[shard];
      for (ByShard& found : found_) {
        const std::size_t bytes = found[shard].size() * sizeof(BeamCandidate);
        if (bytes > 0) std::memcpy(to, found[shard].data(), bytes);
        to += bytes;
        found[shard].clear();
      }
    });
    received_ = all_to_all(ranks_, std::move(parts));
    for (std::vector<std::byte>& part : received_) {
      const auto* const counts = reinterpret_cast<const std::uint64_t*>(part.data());
      auto* candidates =
          reinterpret_cast<BeamCandidate*>(part.data() + shards * sizeof(std::uint64_t));
      for (std::size_t shard = 0; shard < shards; ++shard) {
        owned_[shard].push_back({candidates, counts[shard]});
        candidates += counts[shard];
      }
    }
  }

  void drop_duplicates(std::size_t shard, const BeamSeen& seen,
                       std::vector<BeamCandidate*>& slots) const {
    std::size_t count = 0;
    for (const Span span : owned_[shard]) count += span.size();
    slots.assign(std::bit_ceil(2 * count + 1), nullptr);
    const std::size_t mask = slots.size() - 1;
    for (const Span span : owned_[shard]) {
      for (BeamCandidate& candidate : span) {
        // Not the goal, whose fingerprint may be another board's.
        if (candidate.estimate != BeamCandidate::of_goal && seen.holds(candidate.hash)) {
          candidate.alive = false;
          continue;
        }
        std::size_t place = candidate.hash & mask;
        while (slots[place] != nullptr && slots[place]->hash != candidate.hash) {
          place = (place + 1) & mask;
        }
        BeamCandidate*& first = slots[place];
        const bool wins = first == nullptr || candidate.move > first->move;
        if (first != nullptr) (wins ? first : &candidate)->alive = false;
        if (wins) first = &candidate;
      }
    }
  }

  // For candidates of that bin whose tie starts with `prefix`, the number with each value of the
  // next digit, which ends at bit `shift`.
  [[nodiscard]] std::vector<std::uint64_t> count_digits(std::size_t bin, std::uint64_t prefix,
                                                        int shift, int bits) {
    std::vector by_thread(crew_.threads(),
                          std::vector<std::uint64_t>(std::size_t{1} << digit_bits));
    const int above = shift + bits;
    crew_.team().share(owned_.size(), [&](std::size_t shard, int thread) {
      auto& counts = by_thread[static_cast<std::size_t>(thread)];
      visit(shard, [&](const BeamCandidate& candidate, std::size_t) {
        if (beam_bin(candidate.estimate) != bin) return;
        const std::uint64_t tie = candidate.tie();
        if (above < 64 && tie >> above != prefix) return;
        ++counts[tie >> shift & ((std::uint64_t{1} << bits) - 1)];
      });
    });
    return sum_of(std::move(by_thread));
  }

  // Calls `use(candidate, finder)` for the remaining candidates of a shard.
  template <class Use>
  void visit(std::size_t shard, const Use& use) const {
    const bool alone = ranks() == 1;
    for (std::size_t i = 0; i < owned_[shard].size(); ++i) {
      for (const BeamCandidate& candidate : owned_[shard][i]) {
        if (candidate.alive) use(candidate, alone ? 0 : i);
      }
    }
  }

  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(ranks_.size()); }

  BeamCrew& crew_;
  Ranks& ranks_;
  std::vector<ByShard> found_;            // by thread
  Ranks::Parts received_;                 // owned_ points into it if there are several ranks
  std::vector<std::vector<Span>> owned_;  // by shard of this rank, then by finder
};

}  // namespace tessera
