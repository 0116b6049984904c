// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstring>
#include <utility>

#include "search/beam_candidates.hpp"
#include "search/beam_expansion.hpp"
#include "search/beam_trail.hpp"
#include "tessera/base/clock.hpp"

namespace tessera {

/// A beam search over boards of one form, with one heuristic, on one rank with a team of threads.
/// A layer goes through these steps, each shared by the threads:
///
///     expand     children of all boards: hash, h; no board is made yet
///     swap       each candidate to the owner of its hash
///     sift       duplicates and boards of earlier layers out; how many have each h
///     threshold  which h, and which hash among equal h, still belongs to the width best
///     keep       the boards of what is left are made by their parents' rank, and go to their owner
///
/// Nothing in it depends on the order of boards within a layer.
template <class Position, class H>
class BeamRun {
  using Expansion = BeamExpansion<Position, H>;
  using Node = typename Expansion::Node;

 public:
  BeamRun(const Problem& problem, const BeamOptions& options, ThreadTeam& team,
          BeamExchange& exchange, const Limits& limits)
      : options_(options),
        exchange_(exchange),
        start_(problem.instance.start),
        crew_(team, exchange, limits),
        shares_(options.width, exchange.ranks()),
        expansion_(problem, options.seed, shares_),
        seen_(shares_, exchange.rank()),
        candidates_(shares_, crew_, exchange) {}

  /// Bytes on a rank: two layers, candidates (twice, where they travel) and what is kept of them,
  /// vectors with room to grow, the trail of 256 layers, and the table.
  static std::uint64_t bytes(std::uint64_t width, int ranks) {
    const std::uint64_t share = width / static_cast<std::uint64_t>(ranks) + 1;
    const std::uint64_t candidates = (ranks > 1 ? 6 : 4) * sizeof(BeamCandidate);
    const std::uint64_t sent = ranks > 1 ? 2 * sizeof(Node) : 0;
    const std::uint64_t table =
        (std::uint64_t{4} << BeamShares::slot_bits(width)) / static_cast<std::uint64_t>(ranks);
    return share * (2 * sizeof(Node) + sent + candidates + 8 * 16) + table;
  }

  BeamResult run(Observer& observer) {
    const Stopwatch watch;
    BeamResult result;
    int layer = 0;  // of the boards in nodes_
    bool found = place_start();
    if (found) result.moves.emplace();
    while (!found) {
      expand(layer);
      candidates_.swap();
      BeamHistogram histogram = candidates_.sift(seen_);
      const Sums sums = summed(histogram);
      result.evaluated += sums.evaluated;
      result.layers = ++layer;
      observer.beam_progress({.width = options_.width,
                              .layer = layer,
                              .evaluated = result.evaluated,
                              .seconds = watch.seconds()});
      if (sums.stops > 0) result.stop = crew_.stop().value_or(Stop::interrupted);
      if (result.stop || sums.candidates == 0) break;
      found = sums.goals > 0;
      if (found) result.moves = way_to_goal(layer);
      else next_layer(histogram, layer);
    }
    result.seconds = watch.seconds();
    return result;
  }

 private:
  static constexpr std::size_t chunk_nodes = 512;

  // On its owner; true, on all ranks, where it is the goal.
  bool place_start() {
    const Node node = expansion_.start(start_);
    if (shares_.owner(node.hash) == static_cast<std::size_t>(exchange_.rank())) {
      nodes_.push_back(node);
      count_ = 1;
      seen_.insert(node.hash, 0);
    }
    return expansion_.is_goal(node);
  }

  void expand(int layer) {
    evaluated_ = 0;
    // Of boards that may still lead to a solution that is short enough.
    const int longest_h = options_.shorter_than - 1 - (layer + 1);
    const std::size_t chunks = (count_ + chunk_nodes - 1) / chunk_nodes;
    crew_.share_until_stopped(chunks, [&](std::size_t chunk, int thread) {
      const std::size_t begin = chunk * chunk_nodes;
      const std::span<Node> nodes(nodes_.data() + begin, std::min(chunk_nodes, count_ - begin));
      evaluated_ += expansion_.expand(nodes, begin, longest_h, candidates_.found_by(thread));
    });
  }

  struct Sums {
    std::uint64_t candidates = 0;
    std::uint64_t goals = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t stops = 0;
  };
  // Over all ranks; the histogram too.
  Sums summed(BeamHistogram& histogram) {
    std::array<std::uint64_t, BeamHistogram::bins + 2> values{};
    std::copy(histogram.counts().begin(), histogram.counts().end(), values.begin());
    values[BeamHistogram::bins] = evaluated_;
    values[BeamHistogram::bins + 1] = crew_.stop() ? 1 : 0;
    exchange_.sum(values);
    std::copy_n(values.begin(), BeamHistogram::bins, histogram.counts().begin());
    Sums sums;
    for (const std::uint64_t count : histogram.counts()) sums.candidates += count;
    sums.goals = histogram.counts()[BeamHistogram::bin(BeamCandidate::goal_h)];
    sums.evaluated = values[BeamHistogram::bins];
    sums.stops = values[BeamHistogram::bins + 1];
    return sums;
  }

  void next_layer(BeamHistogram& histogram, int layer) {
    const BeamThreshold threshold = candidates_.threshold(histogram.counts(), options_.width);
    candidates_.keep(threshold, seen_, layer);
    if (exchange_.ranks() > 1) make_over_ranks();
    else make_here();
    std::swap(nodes_, next_);
    trail_.note(layer, exchange_.rank(), nodes_, count_, crew_.team());
  }

  void make_here() {
    const std::size_t shards = candidates_.shards();
    std::vector<std::size_t> first(shards + 1);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      first[shard + 1] = first[shard] + candidates_.kept(shard)[0].size();
    }
    count_ = first.back();
    if (next_.size() < count_) next_.resize(count_);
    crew_.share_until_stopped(shards, [&](std::size_t shard, int) {
      expansion_.make(candidates_.kept(shard)[0], nodes_, next_.data() + first[shard]);
    });
  }

  // Each rank learns which of its candidates are kept, makes these boards and sends them to their
  // owners.
  void make_over_ranks() {
    const auto ranks = static_cast<std::size_t>(exchange_.ranks());
    BeamExchange::Parts parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to) {
      for (std::size_t shard = 0; shard < candidates_.shards(); ++shard) {
        const auto kept = std::as_bytes(std::span(candidates_.kept(shard)[to]));
        parts[to].insert(parts[to].end(), kept.begin(), kept.end());
      }
    }
    const BeamExchange::Parts kept = exchange_.all_to_all(std::move(parts));
    parts = exchange_.all_to_all(made_for_ranks(kept));
    count_ = 0;
    for (const std::vector<std::byte>& part : parts) count_ += part.size() / sizeof(Node);
    if (next_.size() < count_) next_.resize(count_);
    Node* to = next_.data();
    for (const std::vector<std::byte>& part : parts) {
      if (!part.empty()) std::memcpy(static_cast<void*>(to), part.data(), part.size());
      to += part.size() / sizeof(Node);
    }
  }

  // The boards of what each rank keeps.
  BeamExchange::Parts made_for_ranks(const BeamExchange::Parts& kept) {
    struct Piece {
      std::span<const BeamCandidate> kept;
      Node* nodes;
    };
    constexpr std::size_t most = 8 * chunk_nodes;
    BeamExchange::Parts made(kept.size());
    std::vector<Piece> pieces;
    for (std::size_t to = 0; to < kept.size(); ++to) {
      const std::size_t count = kept[to].size() / sizeof(BeamCandidate);
      const std::span all(reinterpret_cast<const BeamCandidate*>(kept[to].data()), count);
      made[to].resize(count * sizeof(Node));
      auto* const nodes = reinterpret_cast<Node*>(made[to].data());
      for (std::size_t i = 0; i < count; i += most) {
        pieces.push_back({all.subspan(i, std::min(most, count - i)), nodes + i});
      }
    }
    crew_.share_until_stopped(pieces.size(), [&](std::size_t piece, int) {
      expansion_.make(pieces[piece].kept, nodes_, pieces[piece].nodes);
    });
    return made;
  }

  std::string way_to_goal(int layer) {
    std::array<std::uint64_t, 3> goal{};  // from its owner: who has the parent, where, the move
    if (const auto owned = candidates_.goal()) {
      goal = {owned->rank, owned->candidate.parent, owned->candidate.direction};
    }
    exchange_.sum(goal);
    const bool here = goal[0] == static_cast<std::uint64_t>(exchange_.rank());
    const Node parent = here ? nodes_[goal[1]] : Node();
    const std::string letters =
        trail_.way(layer - 1, here ? parent.moves : 0, here ? parent.ancestor : 0, exchange_);
    return letters + letter(static_cast<Direction>(goal[2]));
  }

  const BeamOptions options_;
  BeamExchange& exchange_;
  const Board start_;
  BeamCrew crew_;
  BeamShares shares_;
  Expansion expansion_;
  BeamSeen seen_;
  BeamTrail trail_;
  BeamCandidates candidates_;

  std::vector<Node> nodes_;  // the layer: the first count_
  std::vector<Node> next_;
  std::size_t count_ = 0;
  std::atomic<std::uint64_t> evaluated_{0};
};

}  // namespace tessera
