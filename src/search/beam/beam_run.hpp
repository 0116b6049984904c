// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/clock.hpp"
#include "search/beam/beam_candidates.hpp"
#include "search/beam/beam_expansion.hpp"
#include "search/beam/beam_trail.hpp"

namespace tessera {

/// A beam search over boards of one form, with one heuristic, on one rank with a team of threads.
/// Each layer takes these steps, which the threads share:
///
///     expand     children of all boards: hash, estimate; no board is built yet
///     swap       send each candidate to the owner of its hash
///     sift       remove duplicates and boards of earlier layers; count boards per estimate
///     threshold  which estimate, and which hash among equal ones, still belongs to the best
///     `width` mark       mark the kept candidates at their parents make       build the marked
///     boards, parent by parent, and send them to their owners
///
/// The result does not depend on the order of boards within a layer. Ordering them by parent keeps
/// boards that share most tiles together: they read the same table entries, which stay in the
/// cache.
template <class Position, class H, Metric metric = Metric::single>
class BeamRun {
  using Expansion = BeamExpansion<Position, H, metric>;
  using Marks = typename Expansion::Marks;
  using Node = typename Expansion::Node;

 public:
  BeamRun(const Problem& problem, const BeamOptions& options, ThreadTeam& team, Ranks& ranks,
          const Limits& limits)
      : options_(options),
        ranks_(ranks),
        start_(problem.instance.start),
        crew_(team, ranks, limits),
        shares_(options.width, ranks.size()),
        expansion_(problem, options, shares_),
        seen_(shares_, ranks.rank()),
        candidates_(shares_, crew_, ranks) {}

  /// Bytes per rank: two layers, marks and notes, candidates (twice if they are sent), vectors with
  /// room to grow, the trail of 256 layers, and the table.
  static std::uint64_t bytes(std::uint64_t width, int ranks) {
    const std::uint64_t share = width / static_cast<std::uint64_t>(ranks) + 1;
    const std::uint64_t candidates = (ranks > 1 ? 6 : 4) * sizeof(BeamCandidate);
    const std::uint64_t sent = ranks > 1 ? 2 * sizeof(Node) : 0;
    const std::uint64_t children = sizeof(Marks) + Expansion::usual_note_bytes();
    const std::uint64_t table =
        (std::uint64_t{4} << BeamShares::slot_bits(width)) / static_cast<std::uint64_t>(ranks);
    return share * (2 * sizeof(Node) + sent + children + candidates + 8 * 16) + table;
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
      crew_.note_evaluated(result.evaluated);
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

  // On its owner; true, on all ranks, if it is the goal.
  bool place_start() {
    const Node node = expansion_.start(start_);
    if (shares_.owner(node.hash) == static_cast<std::size_t>(ranks_.rank())) {
      nodes_.push_back(node);
      count_ = 1;
      seen_.insert(node.hash, 0);
    }
    return expansion_.is_goal(node);
  }

  void expand(int layer) {
    evaluated_ = 0;
    // For boards that may still lead to a short enough solution; in metric multi h is no bound.
    const int most_moves = options_.shorter_than - 1 - (layer + 1);
    const int longest_h = metric == Metric::multi && most_moves >= 0 ? no_bound : most_moves;
    notes_.resize(std::max(notes_.size(), (count_ + 1) * expansion_.note_bytes()));
    crew_.share_until_stopped(chunks(), [&](std::size_t chunk, int thread) {
      const std::size_t begin = chunk * chunk_nodes;
      evaluated_ += expansion_.expand(nodes_of(chunk), begin, longest_h, notes_of(chunk),
                                      candidates_.found_by(thread));
    });
  }

  struct Sums {
    std::uint64_t candidates = 0;
    std::uint64_t goals = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t stops = 0;
  };
  // Over all ranks, including the histogram.
  Sums summed(BeamHistogram& histogram) {
    std::vector<std::uint64_t> values(histogram.begin(), histogram.end());
    values.push_back(evaluated_);
    values.push_back(crew_.stop() ? 1 : 0);
    ranks_.sum(values);
    std::copy_n(values.begin(), histogram.size(), histogram.begin());
    return {.candidates = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0}),
            .goals = histogram[beam_bin(BeamCandidate::of_goal)],
            .evaluated = values[histogram.size()],
            .stops = values.back()};
  }

  void next_layer(const BeamHistogram& histogram, int layer) {
    const BeamThreshold threshold = candidates_.threshold(histogram, options_.width);
    marks_.resize(std::max(marks_.size(), count_));
    if (ranks_.size() > 1) {
      make_over_ranks(mark_over_ranks(threshold, layer));
    } else {
      make_here(mark_here(threshold, layer));
    }
    std::swap(nodes_, next_);
    trail_.note(layer, ranks_.rank(), nodes_, count_, crew_.team());
  }

  // The number of a chunk's children that are kept, by owner.
  using Counts = std::vector<std::size_t>;

  Counts mark_here(const BeamThreshold& threshold, int layer) {
    candidates_.keep(threshold, seen_, layer, [&](const BeamCandidate& kept, std::size_t, int) {
      marks_[kept.parent][kept.move] = 1;
    });
    Counts counts(chunks());
    crew_.share(counts.size(), [&](std::size_t chunk, int) {
      std::size_t count = 0;
      for (const Marks& marks : marks_of(chunk)) {
        for (const std::uint8_t mark : marks) count += mark;
      }
      counts[chunk] = count;
    });
    return counts;
  }

  // Tells each rank which children of its boards are kept.
  Counts mark_over_ranks(const BeamThreshold& threshold, int layer) {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    using ByRank = std::vector<std::vector<BeamChild>>;
    std::vector<ByRank> kept(crew_.threads(), ByRank(ranks));
    candidates_.keep(threshold, seen_, layer,
                     [&](const BeamCandidate& candidate, std::size_t finder, int thread) {
                       kept[static_cast<std::size_t>(thread)][finder].push_back(
                           {candidate.parent, candidate.move});
                     });
    Ranks::Parts parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to) {
      for (ByRank& of_thread : kept) {
        const auto bytes = std::as_bytes(std::span(of_thread[to]));
        parts[to].insert(parts[to].end(), bytes.begin(), bytes.end());
        of_thread[to] = {};
      }
    }
    parts = all_to_all(ranks_, std::move(parts));
    Counts counts(ranks * chunks());
    crew_.share(ranks, [&](std::size_t owner, int) {
      const std::size_t size = parts[owner].size() / sizeof(BeamChild);
      for (const BeamChild& child :
           std::span(reinterpret_cast<const BeamChild*>(parts[owner].data()), size)) {
        marks_[child.parent][child.move] = 1;
        ++counts[owner * chunks() + child.parent / chunk_nodes];
      }
    });
    return counts;
  }

  // Builds the marked boards; those of a rank start where `room(rank, count)` returns. False if the
  // search was stopped: some are then missing.
  template <class Room>
  [[nodiscard]] bool make(const Counts& kept, const Room& room) {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    std::vector<Node*> first(kept.size());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::span of_rank = std::span(kept).subspan(rank * chunks(), chunks());
      Node* next = room(rank, std::accumulate(of_rank.begin(), of_rank.end(), std::size_t{0}));
      for (std::size_t chunk = 0; chunk < of_rank.size(); ++chunk) {
        first[rank * chunks() + chunk] = next;
        next += of_rank[chunk];
      }
    }
    return crew_.share_until_stopped(chunks(), [&](std::size_t chunk, int) {
      expansion_.make(nodes_of(chunk), marks_of(chunk), notes_of(chunk),
                      [&](std::uint64_t hash) -> Node& {
                        return *first[shares_.owner(hash) * chunks() + chunk]++;
                      });
    });
  }

  void make_here(const Counts& kept) {
    std::size_t made = 0;
    const bool complete = make(kept, [&](std::size_t, std::size_t count) {
      made = count;
      if (next_.size() < count) next_.resize(count);
      return next_.data();
    });
    count_ = complete ? made : 0;
  }

  // Sends the boards to their owners; none after a stop, of which others may not know yet.
  void make_over_ranks(const Counts& kept) {
    Ranks::Parts parts(static_cast<std::size_t>(ranks_.size()));
    const bool complete = make(kept, [&](std::size_t rank, std::size_t count) {
      parts[rank].resize(count * sizeof(Node));
      return reinterpret_cast<Node*>(parts[rank].data());
    });
    if (!complete) parts.assign(parts.size(), {});
    parts = all_to_all(ranks_, std::move(parts));
    count_ = 0;
    for (const std::vector<std::byte>& part : parts) count_ += part.size() / sizeof(Node);
    if (next_.size() < count_) next_.resize(count_);
    Node* to = next_.data();
    for (const std::vector<std::byte>& part : parts) {
      if (!part.empty()) std::memcpy(static_cast<void*>(to), part.data(), part.size());
      to += part.size() / sizeof(Node);
    }
  }

  [[nodiscard]] std::size_t chunks() const { return (count_ + chunk_nodes - 1) / chunk_nodes; }
  [[nodiscard]] std::span<Node> nodes_of(std::size_t chunk) { return part_of(nodes_, chunk); }
  [[nodiscard]] std::span<Marks> marks_of(std::size_t chunk) { return part_of(marks_, chunk); }
  [[nodiscard]] std::uint8_t* notes_of(std::size_t chunk) {
    return notes_.data() + chunk * chunk_nodes * expansion_.note_bytes();
  }
  template <class Entry>
  [[nodiscard]] std::span<Entry> part_of(std::vector<Entry>& layer, std::size_t chunk) const {
    const std::size_t begin = chunk * chunk_nodes;
    return {layer.data() + begin, std::min(chunk_nodes, count_ - begin)};
  }

  std::string way_to_goal(int layer) {
    std::array<std::uint64_t, 3> goal{};  // from its owner: parent's rank, parent's index, move
    if (const auto owned = candidates_.goal()) {
      goal = {owned->rank, owned->candidate.parent, owned->candidate.move};
    }
    ranks_.sum(goal);
    const bool here = goal[0] == static_cast<std::uint64_t>(ranks_.rank());
    const Node parent = here ? nodes_[goal[1]] : Node();
    const std::string letters =
        trail_.way(layer - 1, here ? parent.moves : 0, here ? parent.ancestor : 0, ranks_);
    return letters + BeamMove::letters(goal[2]);
  }

  const BeamOptions options_;
  Ranks& ranks_;
  const Board start_;
  BeamCrew crew_;
  BeamShares shares_;
  Expansion expansion_;
  BeamSeen seen_;
  BeamTrail trail_{metric};
  BeamCandidates candidates_;

  std::vector<Node> nodes_;  // the layer: the first count_
  std::vector<Node> next_;
  std::size_t count_ = 0;
  std::vector<Marks> marks_;         // of the layer's boards
  std::vector<std::uint8_t> notes_;  // on their children
  std::atomic<std::uint64_t> evaluated_{0};
};

}  // namespace tessera
