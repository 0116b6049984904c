// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "search/beam_board.hpp"
#include "search/beam_shares.hpp"
#include "search/beam_trail.hpp"
#include "tessera/heuristic/make_heuristic.hpp"
#include "tessera/puzzle/geometry.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Heuristics that say in advance which table entries a step will read.
template <class H>
concept Prefetches = requires(const H& heuristic, NibblePosition position, Step<int, int, int> step,
                              const typename H::State& state) {
  heuristic.prefetch(position, 1U, step, state);
};

/// Boards of one form with one heuristic: their children as candidates, and the boards of those
/// that are kept.
template <class Position, class H>
class BeamExpansion {
  using State = typename H::State;

 public:
  using Node = BeamNode<Position, State>;
  static_assert(std::is_trivially_copyable_v<Node>);  // ranks send them as they are

  BeamExpansion(const Problem& problem, std::uint64_t seed, const BeamShares& shares)
      : shares_(shares),
        heuristic_(make_heuristic<H>(problem)),
        geometry_(problem.instance.size()),
        hash_(seed),
        goal_hash_(hash_.of(problem.instance.goal())) {}

  [[nodiscard]] Node start(const Board& board) const {
    Node node;
    node.position = Position(board);
    node.state = heuristic_.start(board);
    node.hash = hash_.of(board);
    node.ancestor = BeamTrail::start;
    node.h = static_cast<std::int16_t>(heuristic_.evaluate(board));
    node.blank = static_cast<std::uint8_t>(board.blank());
    node.way = no_way;
    return node;
  }
  [[nodiscard]] bool is_goal(const Node& node) const { return node.hash == goal_hash_; }

  /// Adds the children of these boards, the first of which has that place in the layer, to
  /// `by_shard`; those of an h beyond `longest_h` are left out. Returns how many were evaluated.
  std::uint64_t expand(std::span<Node> nodes, std::size_t place, int longest_h,
                       std::vector<std::vector<BeamCandidate>>& by_shard) const {
    std::uint64_t evaluated = 0;
    for (std::size_t i = 0; i < nodes.size(); i += block_nodes) {
      const std::size_t count = std::min(block_nodes, nodes.size() - i);
      evaluated += expand_block(nodes.subspan(i, count), place + i, longest_h, by_shard);
    }
    return evaluated;
  }

  /// Makes the boards of what is kept of these parents' children. In a pipeline: a parent is
  /// fetched, then what the heuristic reads for the child.
  void make(std::span<const BeamCandidate> kept, std::vector<Node>& parents, Node* nodes) const {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < kept.size() + 2 * ahead; ++i) {
      if (i < kept.size()) {
        const auto* const parent = reinterpret_cast<const char*>(&parents[kept[i].parent]);
        for (std::size_t byte = 0; byte < sizeof(Node); byte += 64) {
          __builtin_prefetch(parent + byte);
        }
      }
      if (i >= ahead && i - ahead < kept.size()) {
        const BeamCandidate& candidate = kept[i - ahead];
        Node& parent = parents[candidate.parent];
        ask(parent, step_of(parent, candidate));
      }
      if (i < 2 * ahead) continue;
      const BeamCandidate& candidate = kept[i - 2 * ahead];
      nodes[i - 2 * ahead] = made(candidate, parents[candidate.parent]);
    }
  }

 private:
  static constexpr std::size_t block_nodes = 16;  // between asking for table entries and their use

  std::uint64_t expand_block(std::span<Node> nodes, std::size_t place, int longest_h,
                             std::vector<std::vector<BeamCandidate>>& by_shard) const {
    for (Node& node : nodes) {
      for_children(node, [&](const Step<int, int, int>& step) { ask(node, step); });
    }
    std::uint64_t evaluated = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      for_children(node, [&](const Step<int, int, int>& step) {
        ++evaluated;
        const auto position = node.position.handle();
        const unsigned label = position.tile(step.next);
        State state = node.state;
        BeamCandidate child;
        const int h = node.h + heuristic_.rise(position, label, step, state) - 1;
        if (h > longest_h) return;
        child.hash = node.hash ^ hash_.change(label, step.next, step.blank);
        child.parent = static_cast<std::uint32_t>(place + i);
        child.h = child.hash == goal_hash_ ? BeamCandidate::goal_h : static_cast<std::int16_t>(h);
        child.direction = static_cast<std::uint8_t>(step.direction);
        by_shard[shares_.shard(child.hash)].push_back(child);
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

  [[nodiscard]] Step<int, int, int> step_of(const Node& parent, const BeamCandidate& child) const {
    return {parent.blank, parent.blank + geometry_.offset(child.direction), child.direction};
  }

  [[nodiscard]] Node made(const BeamCandidate& candidate, Node& parent) const {
    const Step<int, int, int> step = step_of(parent, candidate);
    Node node;
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
    return node;
  }

  const BeamShares& shares_;
  H heuristic_;
  RuntimeGeometry geometry_;
  BoardHash hash_;
  std::uint64_t goal_hash_;
};

}  // namespace tessera
