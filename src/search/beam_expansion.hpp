// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "search/beam_board.hpp"
#include "search/beam_shares.hpp"
#include "search/beam_trail.hpp"
#include "tessera/heuristic/heuristic.hpp"
#include "tessera/puzzle/geometry.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Heuristics that say in advance which table entries a step will read.
template <class H>
concept Prefetches = requires(const H& heuristic, NibblePosition position, Step<int, int, int> step,
                              const typename H::State& state) {
  heuristic.prefetch(position, 1U, step, state);
};

/// Heuristics that slide tiles on a whole block of boards at once.
template <class H>
concept SlidesBlocks = requires {
  typename H::Slide;
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
        heuristic_(made_heuristic(problem)),
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
      const std::span<Node> block = nodes.subspan(i, count);
      if constexpr (SlidesBlocks<H>) {
        evaluated += slide_block(block, place + i, longest_h, by_shard);
      } else {
        evaluated += expand_block(block, place + i, longest_h, by_shard);
      }
    }
    return evaluated;
  }

  /// Makes the boards of what is kept of these parents' children.
  void make(std::span<const BeamCandidate> kept, std::vector<Node>& parents, Node* nodes) const {
    if constexpr (SlidesBlocks<H>) make_by_blocks(kept, parents, nodes);
    else make_in_pipeline(kept, parents, nodes);
  }

 private:
  static constexpr std::size_t block_nodes = 16;  // between asking for table entries and their use

  static H made_heuristic(const Problem& problem) {
    if constexpr (SlidesBlocks<H>) return H(problem);
    else return make_heuristic<H>(problem);
  }

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
        const int h = node.h + heuristic_.rise(position, label, step, state) - 1;
        if (h > longest_h) return;
        add_child(node, place + i, label, step, h, by_shard);
      });
    }
    return evaluated;
  }

  void add_child(const Node& node, std::size_t place, unsigned label,
                 const Step<int, int, int>& step, int h,
                 std::vector<std::vector<BeamCandidate>>& by_shard) const {
    BeamCandidate child;
    child.hash = node.hash ^ hash_.change(label, step.next, step.blank);
    child.parent = static_cast<std::uint32_t>(place);
    child.h = child.hash == goal_hash_ ? BeamCandidate::goal_h : static_cast<std::int16_t>(h);
    child.direction = static_cast<std::uint8_t>(step.direction);
    by_shard[shares_.shard(child.hash)].push_back(child);
  }

  // Boards on their way to their children.
  struct Block {
    std::array<State, H::most_boards> states;
    std::array<typename H::Slide, H::most_boards> slides;
    std::size_t count = 0;

    void add(const H& heuristic, Node& node, const Step<int, int, int>& step) {
      states[count] = node.state;
      slides[count++] = heuristic.slide_of(node.position.handle(), step);
    }
    void slide(const H& heuristic) {
      heuristic.slide(std::span(states).first(count), std::span(slides).first(count));
    }
  };

  std::uint64_t slide_block(std::span<Node> nodes, std::size_t place, int longest_h,
                            std::vector<std::vector<BeamCandidate>>& by_shard) const {
    static_assert(4 * block_nodes <= H::most_boards);
    Block block;
    for (Node& node : nodes) {
      for_children(node, [&](const auto& step) { block.add(heuristic_, node, step); });
    }
    if (block.count == 0) return 0;
    block.slide(heuristic_);
    std::size_t c = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for_children(nodes[i], [&](const Step<int, int, int>& step) {
        const int h = block.states[c].h;
        const unsigned label = block.slides[c++].label;
        if (h <= longest_h) add_child(nodes[i], place + i, label, step, h, by_shard);
      });
    }
    return block.count;
  }

  // A parent is fetched, then what the heuristic reads for the child.
  void make_in_pipeline(std::span<const BeamCandidate> kept, std::vector<Node>& parents,
                        Node* nodes) const {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < kept.size() + 2 * ahead; ++i) {
      if (i < kept.size()) prefetch_node(parents[kept[i].parent]);
      if (i >= ahead && i - ahead < kept.size()) {
        const BeamCandidate& candidate = kept[i - ahead];
        Node& parent = parents[candidate.parent];
        ask(parent, step_of(parent, candidate));
      }
      if (i < 2 * ahead) continue;
      const BeamCandidate& candidate = kept[i - 2 * ahead];
      Node& parent = parents[candidate.parent];
      nodes[i - 2 * ahead] = made(candidate, parent, risen(parent, step_of(parent, candidate)));
    }
  }

  void make_by_blocks(std::span<const BeamCandidate> kept, std::vector<Node>& parents,
                      Node* nodes) const {
    constexpr std::size_t most = 2 * block_nodes;
    for (std::size_t begin = 0; begin < kept.size(); begin += most) {
      const auto some = kept.subspan(begin, std::min(most, kept.size() - begin));
      const auto later = kept.subspan(begin + some.size());
      for (const BeamCandidate& candidate : later.first(std::min(most, later.size()))) {
        prefetch_node(parents[candidate.parent]);
      }
      Block block;
      for (const BeamCandidate& candidate : some) {
        Node& parent = parents[candidate.parent];
        block.add(heuristic_, parent, step_of(parent, candidate));
      }
      block.slide(heuristic_);
      for (std::size_t i = 0; i < some.size(); ++i) {
        nodes[begin + i] = made(some[i], parents[some[i].parent], block.states[i]);
      }
    }
  }

  static void prefetch_node(const Node& node) {
    const auto* const first = reinterpret_cast<const char*>(&node);
    for (std::size_t byte = 0; byte < sizeof(Node); byte += 64) __builtin_prefetch(first + byte);
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

  [[nodiscard]] State risen(Node& parent, const Step<int, int, int>& step) const {
    State state = parent.state;
    const auto position = parent.position.handle();
    (void)heuristic_.rise(position, position.tile(step.next), step, state);
    return state;
  }

  [[nodiscard]] Node made(const BeamCandidate& candidate, const Node& parent,
                          const State& state) const {
    const Step<int, int, int> step = step_of(parent, candidate);
    Node node;
    node.state = state;
    node.position = parent.position.slid(step.next, step.blank);
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
