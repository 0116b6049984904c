// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstring>
#include <utility>

#include "search/beam_board.hpp"
#include "search/beam_shares.hpp"
#include "search/beam_threshold.hpp"
#include "search/beam_trail.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/heuristic/make_heuristic.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {

/// Heuristics that say in advance which table entries a step will read.
template <class H>
concept Prefetches = requires(const H& heuristic, NibblePosition position, Step<int, int, int> step,
                              const typename H::State& state) {
  heuristic.prefetch(position, 1U, step, state);
};

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
  using State = typename H::State;
  using Node = BeamNode<Position, State>;
  static_assert(std::is_trivially_copyable_v<Node>);

 public:
  BeamRun(const Problem& problem, const BeamOptions& options, ThreadTeam& team,
          BeamExchange& exchange, const Limits& limits)
      : options_(options),
        team_(team),
        exchange_(exchange),
        limits_(limits),
        instance_(problem.instance),
        heuristic_(make_heuristic<H>(problem)),
        geometry_(problem.instance.size()),
        hash_(options.seed),
        goal_hash_(hash_.of(problem.instance.goal())),
        shares_(options.width, exchange.ranks()),
        seen_(shares_, exchange.rank()),
        out_(static_cast<std::size_t>(team.threads())),
        inbox_(shares_.shards()),
        kept_(shares_.shards(), std::vector<std::vector<BeamCandidate>>(ranks())) {
    const std::size_t all = shares_.shards() * ranks();
    for (auto& by_shard : out_) by_shard.resize(all);
  }

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

  BeamResult run() {
    const Stopwatch watch;
    BeamResult result;
    place_start();
    int layer = 0;  // of the boards in nodes_
    bool found = hash_.of(instance_.start) == goal_hash_;
    if (found) result.moves.emplace();
    while (!found) {
      expand(layer);
      swap_candidates();
      BeamHistogram histogram = sift();
      const Sums sums = summed(histogram);
      result.evaluated += sums.evaluated;
      result.layers = ++layer;
      if (sums.stops > 0) result.stop = stop_.value_or(Stop::interrupted);
      if (result.stop || sums.candidates == 0) break;
      found = sums.goals > 0;
      if (found) result.moves = way_to_goal(layer);
      else next_layer(histogram, layer);
    }
    result.seconds = watch.seconds();
    return result;
  }

 private:
  static constexpr std::size_t block_nodes = 16;  // between asking for table entries and their use
  static constexpr std::size_t chunk_nodes = 512;
  using Visit = std::function<void(const BeamCandidate&)>;
  using Span = std::span<BeamCandidate>;

  void place_start() {
    const Board& start = instance_.start;
    Node node;
    node.position = Position(start);
    node.state = heuristic_.start(start);
    node.hash = hash_.of(start);
    node.ancestor = BeamTrail::start;
    node.h = static_cast<std::int16_t>(heuristic_.evaluate(start));
    node.blank = static_cast<std::uint8_t>(start.blank());
    node.way = no_way;
    if (shares_.owner(node.hash) != static_cast<std::size_t>(exchange_.rank())) return;
    nodes_.push_back(node);
    count_ = 1;
    seen_.insert(node.hash, 0);
  }

  // ---- expand

  void expand(int layer) {
    evaluated_ = 0;
    longest_h_ = options_.shorter_than - 1 - (layer + 1);
    team_.share((count_ + chunk_nodes - 1) / chunk_nodes, [&](std::size_t chunk, int thread) {
      if (is_stopped(thread)) return;
      const std::size_t end = std::min(count_, (chunk + 1) * chunk_nodes);
      std::uint64_t evaluated = 0;
      for (std::size_t i = chunk * chunk_nodes; i < end; i += block_nodes) {
        evaluated +=
            expand_block(i, std::min(end, i + block_nodes), out_[static_cast<std::size_t>(thread)]);
      }
      evaluated_ += evaluated;
    });
  }

  std::uint64_t expand_block(std::size_t begin, std::size_t end,
                             std::vector<std::vector<BeamCandidate>>& out) {
    for (std::size_t i = begin; i < end; ++i) {
      Node& node = nodes_[i];
      for_children(node, [&](const Step<int, int, int>& step) { ask(node, step); });
    }
    std::uint64_t evaluated = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Node& node = nodes_[i];
      for_children(node, [&](const Step<int, int, int>& step) {
        ++evaluated;
        const auto position = node.position.handle();
        const unsigned label = position.tile(step.next);
        State state = node.state;
        BeamCandidate child;
        const int h = node.h + heuristic_.rise(position, label, step, state) - 1;
        if (h > longest_h_) return;
        child.hash = node.hash ^ hash_.change(label, step.next, step.blank);
        child.parent = static_cast<std::uint32_t>(i);
        child.h = child.hash == goal_hash_ ? BeamCandidate::goal_h : static_cast<std::int16_t>(h);
        child.direction = static_cast<std::uint8_t>(step.direction);
        out[shares_.shard(child.hash)].push_back(child);
      });
    }
    return evaluated;
  }

  template <class Use>
  void for_children(const Node& node, const Use& use) const {
    const int back = node.way == no_way ? no_way : 3 - node.way;
    for (int d = 0; d < 4; ++d) {
      if (!geometry_.allowed(node.blank, back, d)) continue;
      use(Step<int, int, int>{node.blank, node.blank + geometry_.offset(d), d});
    }
  }

  // Has the memory fetch what the heuristic will read on that step.
  void ask(Node& node, const Step<int, int, int>& step) const {
    if constexpr (Prefetches<H>) {
      const auto position = node.position.handle();
      heuristic_.prefetch(position, position.tile(step.next), step, node.state);
    }
  }

  // Only the first thread of rank 0 looks at the clock; the others learn of it within the layer.
  bool is_stopped(int thread) {
    if (thread == 0 && exchange_.rank() == 0 && !stop_) {
      stop_ = limits_.reached(0);
      if (stop_) stopped_ = true;
    }
    return stopped_.load(std::memory_order_relaxed);
  }

  // ---- swap, sift

  void swap_candidates() {
    for (auto& spans : inbox_) spans.clear();
    if (ranks() > 1) return swap_over_ranks();
    for (auto& by_shard : out_) {
      for (std::size_t shard = 0; shard < inbox_.size(); ++shard) {
        inbox_[shard].push_back(by_shard[shard]);
      }
    }
  }

  // To each rank: how many candidates are for each of its shards, then all of them. Of each shard
  // there is one span by rank in the end, empty where it has nothing.
  void swap_over_ranks() {
    const std::size_t shards = inbox_.size();
    BeamExchange::Parts parts(ranks());
    team_.share(ranks(), [&](std::size_t to, int) {
      std::vector<std::uint64_t> counts(shards);
      for (std::size_t shard = 0; shard < shards; ++shard) {
        for (const auto& by_shard : out_) counts[shard] += by_shard[to * shards + shard].size();
      }
      append(parts[to], std::span<const std::uint64_t>(counts));
      for (std::size_t shard = to * shards; shard < (to + 1) * shards; ++shard) {
        for (auto& by_shard : out_) {
          append(parts[to], std::span<const BeamCandidate>(by_shard[shard]));
          by_shard[shard].clear();
        }
      }
    });
    received_ = exchange_.all_to_all(std::move(parts));
    for (std::vector<std::byte>& part : received_) {
      const auto* const counts = reinterpret_cast<const std::uint64_t*>(part.data());
      auto* candidates =
          reinterpret_cast<BeamCandidate*>(part.data() + shards * sizeof(std::uint64_t));
      for (std::size_t shard = 0; shard < shards; ++shard) {
        inbox_[shard].push_back({candidates, counts[shard]});
        candidates += counts[shard];
      }
    }
  }

  template <class T>
  static void append(std::vector<std::byte>& bytes, std::span<const T> values) {
    const auto* const begin = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), begin, begin + values.size_bytes());
  }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(exchange_.ranks()); }

  BeamHistogram sift() {
    std::vector<BeamHistogram> by_thread(static_cast<std::size_t>(team_.threads()));
    std::vector<std::vector<BeamCandidate*>> slots(by_thread.size());
    team_.share(inbox_.size(), [&](std::size_t shard, int thread) {
      const auto t = static_cast<std::size_t>(thread);
      drop_duplicates(inbox_[shard], slots[t]);
      visit(shard, [&](const BeamCandidate& candidate) { by_thread[t].add(candidate.h); });
    });
    for (std::size_t thread = 1; thread < by_thread.size(); ++thread) {
      for (std::size_t i = 0; i < BeamHistogram::bins; ++i) {
        by_thread[0].counts()[i] += by_thread[thread].counts()[i];
      }
    }
    return by_thread[0];
  }

  void drop_duplicates(const std::vector<Span>& spans, std::vector<BeamCandidate*>& slots) const {
    std::size_t count = 0;
    for (const Span span : spans) count += span.size();
    slots.assign(std::bit_ceil(2 * count + 1), nullptr);
    const std::size_t mask = slots.size() - 1;
    for (const Span span : spans) {
      for (BeamCandidate& candidate : span) {
        if (seen_.holds(candidate.hash)) {
          candidate.alive = false;
          continue;
        }
        std::size_t place = candidate.hash & mask;
        while (slots[place] != nullptr && slots[place]->hash != candidate.hash) {
          place = (place + 1) & mask;
        }
        BeamCandidate*& first = slots[place];
        // The blank came from the lowest cell where it went farthest down or right.
        const bool wins = first == nullptr || candidate.direction > first->direction;
        if (first != nullptr) (wins ? first : &candidate)->alive = false;
        if (wins) first = &candidate;
      }
    }
  }

  template <class Use>
  void visit(std::size_t shard, const Use& use) const {
    for (const Span span : inbox_[shard]) {
      for (const BeamCandidate& candidate : span) {
        if (candidate.alive) use(candidate);
      }
    }
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
    values[BeamHistogram::bins + 1] = stop_ ? 1 : 0;
    exchange_.sum(values);
    std::copy_n(values.begin(), BeamHistogram::bins, histogram.counts().begin());
    Sums sums;
    for (const std::uint64_t count : histogram.counts()) sums.candidates += count;
    sums.goals = histogram.counts()[BeamHistogram::bin(BeamCandidate::goal_h)];
    sums.evaluated = values[BeamHistogram::bins];
    sums.stops = values[BeamHistogram::bins + 1];
    return sums;
  }

  // ---- keep

  void next_layer(BeamHistogram& histogram, int layer) {
    const BeamThreshold threshold = beam_threshold(
        histogram.counts(), options_.width, inbox_.size(),
        [this](std::size_t shard, const Visit& use) { visit(shard, use); }, team_, exchange_);
    team_.share(inbox_.size(), [&](std::size_t shard, int) {
      for (auto& kept : kept_[shard]) kept.clear();
      for (std::size_t i = 0; i < inbox_[shard].size(); ++i) {
        for (const BeamCandidate& candidate : inbox_[shard][i]) {
          if (!threshold.admits(candidate)) continue;
          kept_[shard][ranks() > 1 ? i : 0].push_back(candidate);
          seen_.insert(candidate.hash, layer);
        }
      }
    });
    if (ranks() > 1) make_over_ranks();
    else make_here();
    std::swap(nodes_, next_);
    for (auto& by_shard : out_) {
      for (auto& candidates : by_shard) candidates.clear();
    }
    trail_.note(layer, exchange_.rank(), nodes_, count_, team_);
  }

  void make_here() {
    std::vector<std::size_t> first(kept_.size() + 1);
    for (std::size_t shard = 0; shard < kept_.size(); ++shard) {
      first[shard + 1] = first[shard] + kept_[shard][0].size();
    }
    count_ = first.back();
    if (next_.size() < count_) next_.resize(count_);
    team_.share(kept_.size(), [&](std::size_t shard, int) {
      make_nodes(kept_[shard][0], next_.data() + first[shard]);
    });
  }

  // Each rank learns which of its candidates are kept, makes these boards and sends them to their
  // owners.
  void make_over_ranks() {
    BeamExchange::Parts parts(ranks());
    team_.share(ranks(), [&](std::size_t to, int) {
      for (const auto& kept : kept_) append(parts[to], std::span<const BeamCandidate>(kept[to]));
    });
    received_.clear();
    parts = exchange_.all_to_all(std::move(parts));
    team_.share(ranks(), [&](std::size_t to, int) {
      const std::span<const BeamCandidate> kept(
          reinterpret_cast<const BeamCandidate*>(parts[to].data()),
          parts[to].size() / sizeof(BeamCandidate));
      std::vector<std::byte> nodes(kept.size() * sizeof(Node));
      make_nodes(kept, reinterpret_cast<Node*>(nodes.data()));
      parts[to] = std::move(nodes);
    });
    parts = exchange_.all_to_all(std::move(parts));
    count_ = 0;
    for (const std::vector<std::byte>& part : parts) count_ += part.size() / sizeof(Node);
    if (next_.size() < count_) next_.resize(count_);
    Node* to = next_.data();
    for (const std::vector<std::byte>& part : parts) {
      if (!part.empty()) std::memcpy(static_cast<void*>(to), part.data(), part.size());
      to += part.size() / sizeof(Node);
    }
  }

  // In a pipeline: a parent is fetched, then what the heuristic reads for the child.
  void make_nodes(std::span<const BeamCandidate> kept, Node* nodes) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < kept.size() + 2 * ahead; ++i) {
      if (i < kept.size()) {
        const auto* const parent = reinterpret_cast<const char*>(&nodes_[kept[i].parent]);
        for (std::size_t byte = 0; byte < sizeof(Node); byte += 64) {
          __builtin_prefetch(parent + byte);
        }
      }
      if (i >= ahead && i - ahead < kept.size()) {
        const BeamCandidate& candidate = kept[i - ahead];
        Node& parent = nodes_[candidate.parent];
        ask(parent, step_of(parent, candidate));
      }
      if (i >= 2 * ahead) make_node(kept[i - 2 * ahead], nodes[i - 2 * ahead]);
    }
  }

  [[nodiscard]] Step<int, int, int> step_of(const Node& parent, const BeamCandidate& child) const {
    return {parent.blank, parent.blank + geometry_.offset(child.direction), child.direction};
  }

  void make_node(const BeamCandidate& candidate, Node& node) {
    Node& parent = nodes_[candidate.parent];
    const Step<int, int, int> step = step_of(parent, candidate);
    node.state = parent.state;
    const auto position = parent.position.handle();
    (void)heuristic_.rise(position, position.tile(step.next), step, node.state);
    node.position = slid_position(parent.position, step.next, step.blank);
    node.hash = candidate.hash;
    node.moves = parent.moves << 2 | candidate.direction;
    node.ancestor = parent.ancestor;
    node.h = candidate.h;
    node.blank = static_cast<std::uint8_t>(step.next);
    node.way = candidate.direction;
  }

  // ---- the way to the goal

  std::string way_to_goal(int layer) {
    std::array<std::uint64_t, 3> goal{};  // from its owner: who has the parent, where, the move
    for (const std::vector<Span>& spans : inbox_) {
      for (std::size_t i = 0; i < spans.size(); ++i) {
        for (const BeamCandidate& candidate : spans[i]) {
          if (!candidate.alive || candidate.h != BeamCandidate::goal_h) continue;
          goal = {ranks() > 1 ? i : 0, candidate.parent, candidate.direction};
        }
      }
    }
    exchange_.sum(goal);
    const bool here = goal[0] == static_cast<std::uint64_t>(exchange_.rank());
    const Node parent = here ? nodes_[goal[1]] : Node();
    const std::string letters =
        trail_.way(layer - 1, here ? parent.moves : 0, here ? parent.ancestor : 0, exchange_);
    return letters + letter(static_cast<Direction>(goal[2]));
  }

  const BeamOptions options_;
  ThreadTeam& team_;
  BeamExchange& exchange_;
  const Limits& limits_;
  Instance instance_;
  H heuristic_;
  RuntimeGeometry geometry_;
  BoardHash hash_;
  std::uint64_t goal_hash_;
  BeamShares shares_;
  BeamSeen seen_;
  BeamTrail trail_;

  std::vector<Node> nodes_;  // the layer: the first count_
  std::vector<Node> next_;
  std::size_t count_ = 0;
  int longest_h_ = 0;  // of boards that may still lead to a solution short enough
  std::atomic<std::uint64_t> evaluated_{0};
  std::vector<std::vector<std::vector<BeamCandidate>>> out_;   // by thread and shard
  std::vector<std::vector<Span>> inbox_;                       // by shard of this rank
  std::vector<std::vector<std::vector<BeamCandidate>>> kept_;  // by such shard and rank of origin
  BeamExchange::Parts received_;                               // what inbox_ points into
  std::optional<Stop> stop_;                                   // rank 0's
  std::atomic<bool> stopped_{false};
};

}  // namespace tessera
