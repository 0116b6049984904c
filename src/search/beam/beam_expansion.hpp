// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "heuristic/heuristic_spec.hpp"
#include "puzzle/geometry.hpp"
#include "search/beam/beam_board.hpp"
#include "search/beam/beam_order.hpp"
#include "search/beam/beam_shares.hpp"
#include "search/beam/beam_trail.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Heuristics that move tiles on a whole block of boards together. Their state has the tiles'
/// cells, so a board needs no position. They note what a move changes; repeating it needs no
/// lookup.
template <class H>
concept SlidesBlocks = requires {
  typename H::Slide;
};

/// Which children of a board are kept, by move. One byte each, so that threads can mark children of
/// the same board concurrently.
template <Metric metric>
using BeamMarks = std::array<std::uint8_t, BeamMove::count(metric)>;

/// The boards of a layer as BeamRun handles them, which is compiled once for all forms and
/// heuristics: as bytes, in chunks that are large enough for a virtual call not to count.
class BeamBoards {
 public:
  /// Bytes per board.
  struct Sizes {
    std::size_t node;         ///< begins with a BeamHead
    std::size_t marks;        ///< one for each move
    std::size_t usual_notes;  ///< on its children, before the heuristic's tables are known
  };
  struct Chunk {
    std::size_t place;  ///< of its first board in the layer
    std::size_t count;
    std::byte* nodes;
    std::uint8_t* marks;  ///< which children are kept, by move: only for `make`
    std::uint8_t* notes;  ///< what `expand` writes on children for `make`
  };
  using ByShard = std::vector<std::vector<BeamCandidate>>;

  explicit BeamBoards(const Sizes& of) : sizes(of) {}
  BeamBoards(const BeamBoards&) = delete;
  BeamBoards& operator=(const BeamBoards&) = delete;
  virtual ~BeamBoards() = default;

  /// Bytes for notes on a board's children. The start has one child more than other boards.
  [[nodiscard]] virtual std::size_t note_bytes() const = 0;
  virtual void start(const Board& board, std::byte* node) const = 0;
  [[nodiscard]] virtual bool is_goal(const BeamHead& node) const = 0;
  /// Adds the children of these boards to `by_shard`, except those with h beyond `longest_h`.
  /// Returns the number of evaluated children.
  virtual std::uint64_t expand(const Chunk& parents, int longest_h, ByShard& by_shard) const = 0;
  /// Builds the marked children of these boards in order, each where `next` points for its owner,
  /// which then points past it. Clears the marks.
  virtual void make(const Chunk& parents, std::span<std::byte*> next) const = 0;

  const Sizes sizes;
};

/// Boards of one form with one heuristic: generates their children as candidates, and builds the
/// boards of those that are kept. In metric multi, a child is a run of the blank across the line of
/// the last one, and h is any heuristic of single moves, which does not bound their lengths.
template <class Position, class H, Metric metric = Metric::single>
class BeamExpansion final : public BeamBoards {
  using State = typename H::State;

 public:
  using Node = BeamNode<Position, State>;
  using Marks = BeamMarks<metric>;
  static_assert(std::is_trivially_copyable_v<Node>);  // ranks send them as bytes
  static_assert(alignof(Node) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  BeamExpansion(const Problem& problem, const BeamOptions& options, const BeamShares& shares)
      : BeamBoards(bytes()),
        shares_(shares),
        heuristic_(make_heuristic<H>(problem.instance, parse_heuristic(problem.heuristic),
                                     problem.table_directory)),
        geometry_(problem.instance.size()),
        hash_(options.seed),
        goal_hash_(hash_.of(problem.instance.goal())),
        order_(problem, options.exponent) {}

  /// Before the heuristic's tables are known.
  [[nodiscard]] static Sizes bytes() {
    std::size_t usual_notes = 0;
    if constexpr (SlidesBlocks<H>) usual_notes = most_children * H::usual_note_bytes;
    return {.node = sizeof(Node), .marks = sizeof(Marks), .usual_notes = usual_notes};
  }

  void start(const Board& board, std::byte* node) const override {
    new (node) Node{{.hash = hash_.of(board), .ancestor = BeamTrail::start},
                    Position(board),
                    heuristic_.start(board),
                    order_.spread(board),
                    static_cast<std::int16_t>(heuristic_.evaluate(board)),
                    static_cast<std::uint8_t>(board.blank()),
                    no_way};
  }
  [[nodiscard]] bool is_goal(const BeamHead& node) const override {
    return node.hash == goal_hash_;
  }
  [[nodiscard]] std::size_t note_bytes() const override {
    if constexpr (SlidesBlocks<H>) return most_children * heuristic_.note_bytes();
    else return 0;
  }

  std::uint64_t expand(const Chunk& parents, int longest_h, ByShard& by_shard) const override {
    const std::span nodes(reinterpret_cast<Node*>(parents.nodes), parents.count);
    const std::size_t place = parents.place;
    std::uint64_t evaluated = 0;
    for (std::size_t i = 0; i < nodes.size(); i += block_nodes) {
      const std::size_t count = std::min(block_nodes, nodes.size() - i);
      const std::span<Node> block = nodes.subspan(i, count);
      if constexpr (SlidesBlocks<H>) {
        evaluated +=
            slide_block(block, place + i, longest_h, parents.notes + i * note_bytes(), by_shard);
      } else if constexpr (metric == Metric::multi) {
        evaluated += expand_runs(block, place + i, longest_h, by_shard);
      } else {
        evaluated += expand_block(block, place + i, longest_h, by_shard);
      }
    }
    return evaluated;
  }

  void make(const Chunk& parents, std::span<std::byte*> places) const override {
    const auto next = [&](std::uint64_t hash) -> Node& {
      std::byte*& place = places[shares_.owner(hash)];
      return *reinterpret_cast<Node*>(std::exchange(place, place + sizeof(Node)));
    };
    for (std::size_t i = 0; i < parents.count; i += block_nodes) {
      const std::size_t count = std::min(block_nodes, parents.count - i);
      const std::span block(reinterpret_cast<Node*>(parents.nodes) + i, count);
      const std::span some(reinterpret_cast<Marks*>(parents.marks) + i, count);
      if constexpr (SlidesBlocks<H>) {
        make_from_notes(block, some, parents.notes + i * note_bytes(), next);
      } else if constexpr (metric == Metric::multi) {
        make_runs(block, some, next);
      } else {
        make_block(block, some, next);
      }
      std::ranges::fill(some, Marks{});
    }
  }

 private:
  static constexpr std::size_t block_nodes = 16;   // between prefetching entries and use
  static constexpr std::size_t most_children = 3;  // except the start

  // The label in each cell, from the cell of each label.
  class LabelsByCell {
   public:
    template <class Cells>
    LabelsByCell(const Cells& cell_of, int count) {
      for (int label = 0; label < count; ++label) {
        labels_[cell_of[static_cast<std::size_t>(label)]] = static_cast<std::uint8_t>(label);
      }
    }
    [[nodiscard]] unsigned tile(int cell) const { return labels_[static_cast<std::size_t>(cell)]; }

   private:
    std::array<std::uint8_t, Size::max_cells> labels_;
  };

  std::uint64_t expand_block(std::span<Node> nodes, std::size_t place, int longest_h,
                             ByShard& by_shard) const {
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
        add_child(node, place + i, position, step, h, by_shard);
      });
    }
    return evaluated;
  }

  template <class Tiles>
  void add_child(const Node& node, std::size_t place, const Tiles& tiles,
                 const Step<int, int, int>& step, int h, ByShard& by_shard) const {
    const unsigned label = tiles.tile(step.next);
    const int spread = node.spread + order_.change(tiles, step.next, step.blank);
    add(node.hash ^ hash_.change(label, step.next, step.blank), place,
        BeamMove::of(step.direction, 1), order_.estimate(h, spread), by_shard);
  }
  void add(std::uint64_t hash, std::size_t place, std::uint8_t move, int estimate,
           ByShard& by_shard) const {
    by_shard[shares_.shard(hash)].push_back({.hash = hash,
                                             .parent = static_cast<std::uint32_t>(place),
                                             .estimate = hash == goal_hash_
                                                             ? BeamCandidate::of_goal
                                                             : static_cast<std::int16_t>(estimate),
                                             .move = move});
  }

  // ---- metric multi

  // Calls use(run, move) for the boards after each run across the line of the last one.
  template <class Use>
  void for_runs(const Node& node, const Use& use) const {
    for (int d = 0; d < 4; ++d) {
      const bool along = node.way != no_way && (node.way == d || node.way == 3 - d);
      if (along) continue;
      Node run = node;
      for (int steps = 1; geometry_.allowed(run.blank, no_way, d); ++steps) {
        const Step<int, int, int> step{run.blank, run.blank + geometry_.offset(d), d};
        const auto position = run.position.handle();
        const unsigned label = position.tile(step.next);
        run.h = static_cast<std::int16_t>(run.h - 1 +
                                          heuristic_.rise(position, label, step, run.state));
        run.spread += order_.change(position, step.next, step.blank);
        run.hash ^= hash_.change(label, step.next, step.blank);
        run.position = run.position.slid(step.next, step.blank);
        run.blank = static_cast<std::uint8_t>(step.next);
        run.way = static_cast<std::uint8_t>(d);
        use(run, BeamMove::of(d, steps));
      }
    }
  }

  std::uint64_t expand_runs(std::span<Node> nodes, std::size_t place, int longest_h,
                            ByShard& by_shard) const {
    std::uint64_t evaluated = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for_runs(nodes[i], [&](const Node& run, std::uint8_t move) {
        ++evaluated;
        if (run.h <= longest_h)
          add(run.hash, place + i, move, order_.estimate(run.h, run.spread), by_shard);
      });
    }
    return evaluated;
  }

  template <class Next>
  void make_runs(std::span<Node> parents, std::span<const Marks> marks, const Next& next) const {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (marks[i] == Marks{}) continue;
      for_runs(parents[i], [&](const Node& run, std::uint8_t move) {
        if (marks[i][move] == 0) return;
        Node& child = next(run.hash);
        child = run;
        child.moves = run.moves << BeamMove::bits(metric) | move;
      });
    }
  }

  std::uint64_t slide_block(std::span<Node> nodes, std::size_t place, int longest_h,
                            std::uint8_t* notes, ByShard& by_shard) const {
    static_assert(4 * block_nodes <= H::most_boards);
    std::array<State, H::most_boards> states;
    std::array<typename H::Slide, H::most_boards> slides;
    std::size_t count = 0;
    for (Node& node : nodes) {
      for_children(node, [&](const auto& step) {
        states[count] = node.state;
        slides[count++] = heuristic_.slide_of(node.state, step);
      });
    }
    heuristic_.slide(std::span(states).first(count), std::span(slides).first(count));
    std::size_t c = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::uint8_t* note = notes + i * note_bytes();
      const LabelsByCell tiles(nodes[i].state.cell, geometry_.size().cells());
      for_children(nodes[i], [&](const Step<int, int, int>& step) {
        heuristic_.write_note(states[c], slides[c].label, note);
        note += heuristic_.note_bytes();
        const int h = states[c].h;
        ++c;
        if (h <= longest_h) add_child(nodes[i], place + i, tiles, step, h, by_shard);
      });
    }
    return count;
  }

  template <class Next>
  void make_from_notes(std::span<Node> parents, std::span<const Marks> marks,
                       const std::uint8_t* notes, const Next& next) const {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (marks[i] == Marks{}) continue;
      const Node& parent = parents[i];
      const std::uint8_t* note = notes + i * note_bytes();
      const LabelsByCell tiles(parent.state.cell, geometry_.size().cells());
      for_children(parent, [&](const Step<int, int, int>& step) {
        if (marks[i][static_cast<std::size_t>(step.direction)] != 0) {
          const auto slide = heuristic_.slide_of(parent.state, step);
          Node& child = descend(parent, tiles, step, next);
          child.state = parent.state;
          heuristic_.slide_by_note(child.state, slide, note);
          child.h = child.state.h;
        }
        note += heuristic_.note_bytes();
      });
    }
  }

  template <class Next>
  void make_block(std::span<Node> parents, std::span<const Marks> marks, const Next& next) const {
    const auto for_kept = [&](const auto& use) {
      for (std::size_t i = 0; i < parents.size(); ++i) {
        if (marks[i] == Marks{}) continue;
        for_children(parents[i], [&](const Step<int, int, int>& step) {
          if (marks[i][static_cast<std::size_t>(step.direction)] != 0) use(parents[i], step);
        });
      }
    };
    for_kept([&](Node& parent, const Step<int, int, int>& step) { ask(parent, step); });
    for_kept([&](Node& parent, const Step<int, int, int>& step) {
      const auto position = parent.position.handle();
      const unsigned label = position.tile(step.next);
      Node& child = descend(parent, position, step, next);
      child.position = parent.position.slid(step.next, step.blank);
      child.state = parent.state;
      const int rise = heuristic_.rise(position, label, step, child.state);
      child.h = static_cast<std::int16_t>(parent.h + rise - 1);
    });
  }

  // The child without its position, state and h.
  template <class Tiles, class Next>
  [[nodiscard]] Node& descend(const Node& parent, const Tiles& tiles,
                              const Step<int, int, int>& step, const Next& next) const {
    const unsigned label = tiles.tile(step.next);
    const std::uint64_t hash = parent.hash ^ hash_.change(label, step.next, step.blank);
    Node& child = next(hash);
    child.hash = hash;
    child.moves = parent.moves << 2 | static_cast<std::uint64_t>(step.direction);
    child.ancestor = parent.ancestor;
    child.spread = parent.spread + order_.change(tiles, step.next, step.blank);
    child.blank = static_cast<std::uint8_t>(step.next);
    child.way = static_cast<std::uint8_t>(step.direction);
    return child;
  }

  template <class Use>
  void for_children(const Node& node, const Use& use) const {
    const int back = node.way == no_way ? no_way : 3 - node.way;
    for (int d = 0; d < 4; ++d) {
      if (!geometry_.allowed(node.blank, back, d)) continue;
      use(Step<int, int, int>{node.blank, node.blank + geometry_.offset(d), d});
    }
  }

  // Prefetches what the heuristic reads on that step.
  void ask(Node& node, const Step<int, int, int>& step) const {
    [[maybe_unused]] const auto position = node.position.handle();
    if constexpr (requires { heuristic_.prefetch(position, 1U, step, node.state); }) {
      heuristic_.prefetch(position, position.tile(step.next), step, node.state);
    }
  }

  const BeamShares& shares_;
  H heuristic_;
  RuntimeGeometry geometry_;
  BoardHash hash_;
  std::uint64_t goal_hash_;
  BeamOrder order_;
};

}  // namespace tessera
