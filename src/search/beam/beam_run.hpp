// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "search/beam/beam_candidates.hpp"
#include "search/beam/beam_expansion.hpp"
#include "search/beam/beam_trail.hpp"

namespace tessera {

/// A beam search on one rank with a team of threads, whatever the form of its boards.
/// Each layer takes these steps, which the threads share:
///
/// - expand: children of all boards, as hash and estimate; no board is built yet. Those far beyond
///   the threshold that the last two layers predict are cut; if too many were, it is done again
/// - swap: send each candidate to the owner of its hash
/// - sift: remove duplicates and boards of earlier layers; count boards per estimate
/// - threshold: which estimate, and which hash among equal ones, still belongs to the best `width`
/// - mark: mark the kept candidates at their parents
/// - make: build the marked boards, parent by parent, and send them to their owners
///
/// The result does not depend on the order of boards within a layer. In that of their parents, they
/// are read and written one after another.
class BeamRun {
 public:
  BeamRun(const Problem& problem, const BeamOptions& options, const BeamBoards& boards,
          const BeamShares& shares, ThreadTeam& team, Ranks& ranks, const Limits& limits)
      : options_(options),
        ranks_(ranks),
        problem_(problem),
        boards_(boards),
        node_bytes_(boards.sizes.node),
        mark_bytes_(boards.sizes.marks),
        crew_(team, ranks, limits),
        shares_(shares),
        seen_(shares, ranks.rank()),
        candidates_(shares, crew_, ranks) {}

  /// Bytes per rank: two layers, marks, candidates (twice if they are sent), vectors with
  /// room to grow, the trail, of `trail` bytes per board, and the table.
  static std::uint64_t bytes(const BeamBoards::Sizes& sizes, std::uint64_t trail,
                             std::uint64_t width, int ranks) {
    const std::uint64_t share = width / static_cast<std::uint64_t>(ranks) + 1;
    const std::uint64_t candidates = (ranks > 1 ? 6 : 4) * sizeof(BeamCandidate);
    const std::uint64_t sent = ranks > 1 ? 2 * sizes.node : 0;
    const std::uint64_t table =
        (std::uint64_t{4} << BeamShares::slot_bits(width)) / static_cast<std::uint64_t>(ranks);
    return share * (2 * sizes.node + sent + sizes.marks + candidates + trail) + table;
  }

  BeamResult run(Observer& observer) {
    const Stopwatch watch;
    BeamResult result;
    int layer = 0;  // of the boards in nodes_
    bool found = place_start();
    if (found) result.moves.emplace();
    while (!found) {
      expand(layer);
      BeamHistogram histogram = candidates_.sift(seen_);
      Sums sums = summed(histogram);
      // Too many were cut.
      if (sums.candidates < options_.width && sums.cut > 0 && sums.stops == 0) {
        candidates_.clear();
        most_bin_ = no_bound;
        expand(layer);
        histogram = candidates_.sift(seen_);
        sums = summed(histogram);
      }
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
      if (found) result.moves = path_to_goal(layer);
      else next_layer(histogram, layer);
    }
    result.seconds = watch.seconds();
    return result;
  }

 private:
  static constexpr std::size_t chunk_nodes = 512;
  static constexpr int margin = 5;  // bins, usually quarters of a move

  // On its owner; true, on all ranks, if it is the goal.
  bool place_start() {
    nodes_.resize(node_bytes_);
    boards_.start(problem_.instance.start, nodes_.data());
    const std::uint64_t hash = node(0).hash;
    if (shares_.owner(hash) == static_cast<std::size_t>(ranks_.rank())) {
      count_ = 1;
      seen_.insert(hash, 0);
    }
    return boards_.is_goal(node(0));
  }

  void expand(int layer) {
    evaluated_ = 0;
    cut_ = 0;
    // For boards that may still lead to a short enough solution; in metric multi h is no bound.
    const int most_moves = options_.shorter_than - 1 - (layer + 1);
    const bool multi = problem_.metric == Metric::multi;
    const int longest_h = multi && most_moves >= 0 ? no_bound : most_moves;
    const BeamBoards::Most most{.h = longest_h, .estimate = most_bin_ - 1};
    crew_.share_until_stopped(chunks(), [&](std::size_t chunk, int thread) {
      const auto [evaluated, cut] =
          boards_.expand(boards_of(chunk, nullptr), most, candidates_.found_by(thread));
      evaluated_ += evaluated;
      cut_ += cut;
    });
    candidates_.swap();
  }

  struct Sums {
    std::uint64_t candidates = 0;
    std::uint64_t goals = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t cut = 0;
    std::uint64_t stops = 0;
  };
  // Over all ranks, including the histogram.
  Sums summed(BeamHistogram& histogram) {
    std::vector<std::uint64_t> values(histogram.begin(), histogram.end());
    values.push_back(evaluated_);
    values.push_back(cut_);
    values.push_back(crew_.stop() ? 1 : 0);
    ranks_.sum(values);
    std::copy_n(values.begin(), histogram.size(), histogram.begin());
    return {.candidates = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0}),
            .goals = histogram[beam_bin(BeamCandidate::of_goal)],
            .evaluated = values[histogram.size()],
            .cut = values[histogram.size() + 1],
            .stops = values.back()};
  }

  void next_layer(const BeamHistogram& histogram, int layer) {
    const BeamThreshold threshold = candidates_.threshold(histogram, options_.width);
    const bool is_full = threshold.bin < histogram.size();
    const int last = std::exchange(last_bin_, is_full ? static_cast<int>(threshold.bin) : no_bound);
    const bool is_known = is_full && last < no_bound;
    most_bin_ = is_known ? 2 * last_bin_ - last + margin : no_bound;
    marks_.resize(std::max(marks_.size(), count_ * mark_bytes_));
    if (ranks_.size() > 1) {
      make_over_ranks(mark_over_ranks(threshold, layer));
    } else {
      make_here(mark_here(threshold, layer));
    }
    std::swap(nodes_, next_);
    trail_.note(
        layer, ranks_.rank(), [&](std::size_t i) -> BeamHead& { return node(i); }, count_,
        crew_.team());
  }

  // The number of a chunk's children that are kept, by owner.
  using Counts = std::vector<std::size_t>;

  Counts mark_here(const BeamThreshold& threshold, int layer) {
    candidates_.keep(threshold, seen_, layer, [&](const BeamCandidate& kept, std::size_t, int) {
      mark(kept.parent, kept.move);
    });
    Counts counts(chunks());
    crew_.share(counts.size(), [&](std::size_t chunk, int) {
      const std::span marks(marks_of(chunk), boards_in(chunk) * mark_bytes_);
      counts[chunk] = std::accumulate(marks.begin(), marks.end(), std::size_t{0});
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
        mark(child.parent, child.move);
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
    std::vector<std::byte*> first(kept.size());  // by chunk, then by rank
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::span of_rank = std::span(kept).subspan(rank * chunks(), chunks());
      std::byte* next = room(rank, std::accumulate(of_rank.begin(), of_rank.end(), std::size_t{0}));
      for (std::size_t chunk = 0; chunk < of_rank.size(); ++chunk) {
        first[chunk * ranks + rank] = next;
        next += of_rank[chunk] * node_bytes_;
      }
    }
    return crew_.share_until_stopped(chunks(), [&](std::size_t chunk, int) {
      boards_.make(boards_of(chunk, marks_of(chunk)),
                   std::span(first).subspan(chunk * ranks, ranks));
    });
  }

  void make_here(const Counts& kept) {
    std::size_t made = 0;
    const bool complete = make(kept, [&](std::size_t, std::size_t count) {
      made = count;
      next_.resize(std::max(next_.size(), count * node_bytes_));
      return next_.data();
    });
    count_ = complete ? made : 0;
  }

  // Sends the boards to their owners; none after a stop, of which others may not know yet.
  void make_over_ranks(const Counts& kept) {
    Ranks::Parts parts(static_cast<std::size_t>(ranks_.size()));
    const bool complete = make(kept, [&](std::size_t rank, std::size_t count) {
      parts[rank].resize(count * node_bytes_);
      return parts[rank].data();
    });
    if (!complete) parts.assign(parts.size(), {});
    parts = all_to_all(ranks_, std::move(parts));
    std::size_t bytes = 0;
    for (const std::vector<std::byte>& part : parts) bytes += part.size();
    count_ = bytes / node_bytes_;
    next_.resize(std::max(next_.size(), bytes));
    auto to = next_.begin();
    for (const std::vector<std::byte>& part : parts) to = std::ranges::copy(part, to).out;
  }

  [[nodiscard]] std::size_t chunks() const { return (count_ + chunk_nodes - 1) / chunk_nodes; }
  [[nodiscard]] std::size_t boards_in(std::size_t chunk) const {
    return std::min(chunk_nodes, count_ - chunk * chunk_nodes);
  }
  [[nodiscard]] BeamBoards::Chunk boards_of(std::size_t chunk, std::uint8_t* marks) {
    const std::size_t begin = chunk * chunk_nodes;
    return {.place = begin,
            .count = boards_in(chunk),
            .nodes = nodes_.data() + begin * node_bytes_,
            .marks = marks};
  }
  [[nodiscard]] std::uint8_t* marks_of(std::size_t chunk) {
    return marks_.data() + chunk * chunk_nodes * mark_bytes_;
  }
  // Threads may mark children of the same board at the same time.
  void mark(std::size_t parent, std::size_t move) { marks_[parent * mark_bytes_ + move] = 1; }
  [[nodiscard]] BeamHead& node(std::size_t place) {
    return *reinterpret_cast<BeamHead*>(nodes_.data() + place * node_bytes_);
  }

  std::string path_to_goal(int layer) {
    std::array<std::uint64_t, 3> goal{};  // from its owner: parent's rank, parent's index, move
    if (const auto owned = candidates_.goal()) {
      goal = {owned->rank, owned->candidate.parent, owned->candidate.move};
    }
    ranks_.sum(goal);
    const bool here = goal[0] == static_cast<std::uint64_t>(ranks_.rank());
    const BeamHead parent = here ? node(goal[1]) : BeamHead();
    const std::string letters =
        trail_.path(layer - 1, here ? parent.moves : 0, here ? parent.ancestor : 0, ranks_);
    return letters + BeamMove::letters(goal[2]);
  }

  const BeamOptions options_;
  Ranks& ranks_;
  const Problem& problem_;
  const BeamBoards& boards_;
  const std::size_t node_bytes_;
  const std::size_t mark_bytes_;
  BeamCrew crew_;
  const BeamShares& shares_;
  BeamSeen seen_;
  BeamTrail trail_{problem_.metric};
  BeamCandidates candidates_;

  std::vector<std::byte> nodes_;  // the layer: the first count_
  std::vector<std::byte> next_;
  std::size_t count_ = 0;
  std::vector<std::uint8_t> marks_;  // of the layer's boards
  // The threshold's bin in the last layer, and the last bin of children that are not cut; no_bound
  // if unknown.
  int last_bin_ = no_bound;
  int most_bin_ = no_bound;
  std::atomic<std::uint64_t> evaluated_{0};
  std::atomic<std::uint64_t> cut_{0};
};

}  // namespace tessera
