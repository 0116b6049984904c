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

#include "heuristic/linear_conflict.hpp"
#include "puzzle/board_hash.hpp"
#include "puzzle/geometry.hpp"
#include "search/beam/beam_board.hpp"
#include "search/beam/beam_order.hpp"
#include "search/beam/beam_shares.hpp"
#include "search/beam/beam_trail.hpp"
#include "search/problem.hpp"

namespace tessera {

/// The boards of a layer as BeamRun handles them, which is compiled once for all forms: as bytes,
/// in chunks that are large enough for a virtual call not to count.
class BeamBoards {
 public:
  /// Bytes per board.
  struct Sizes {
    std::size_t node;   ///< begins with a BeamHead
    std::size_t marks;  ///< one for each move
  };
  struct Chunk {
    std::size_t place;  ///< of its first board in the layer
    std::size_t count;
    std::byte* nodes;
    std::uint8_t* marks;  ///< which children are kept, by move: only for `make`
  };
  /// Children beyond either are not wanted.
  struct Most {
    int h;
    int estimate;
  };
  struct Counts {
    std::uint64_t evaluated = 0;
    std::uint64_t cut = 0;  ///< of these, those beyond the estimate
  };
  using ByShard = std::vector<std::vector<BeamCandidate>>;

  explicit BeamBoards(const Sizes& of) : sizes(of) {}
  BeamBoards(const BeamBoards&) = delete;
  BeamBoards& operator=(const BeamBoards&) = delete;
  virtual ~BeamBoards() = default;

  virtual void start(const Board& board, std::byte* node) const = 0;
  [[nodiscard]] virtual bool is_goal(const BeamHead& node) const = 0;
  /// Adds the wanted children of these boards to `by_shard`.
  virtual Counts expand(const Chunk& parents, const Most& most, ByShard& by_shard) const = 0;
  /// Builds the marked children of these boards in order, each where `next` points for its owner,
  /// which then points past it. Clears the marks.
  virtual void make(const Chunk& parents, std::span<std::byte*> next) const = 0;

  const Sizes sizes;
};

/// Boards of at most that many cells: generates their children as candidates, and builds the boards
/// of those that are kept. In metric multi, a child is a run of the blank across the line of the
/// last one, and h, that of linear conflict, does not bound its length.
template <int Cells, Metric metric>
class BeamExpansion final : public BeamBoards {
 public:
  using Position = BytePosition<Cells>;
  using Node = BeamNode<Position, metric>;
  /// Which children of a board are kept, by move. One byte each, so that threads can mark children
  /// of the same board concurrently.
  using Marks = std::array<std::uint8_t, BeamMove::count(metric)>;
  static_assert(std::is_trivially_copyable_v<Node>);  // ranks send them as bytes
  static_assert(alignof(Node) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  BeamExpansion(const Problem& problem, const BeamOptions& options, const BeamShares& shares)
      : BeamBoards(bytes()),
        shares_(shares),
        heuristic_(problem.instance),
        geometry_(problem.instance.size()),
        hash_(options.seed),
        goal_hash_(hash_.of(problem.instance.goal())),
        order_(problem, options.exponent) {}

  [[nodiscard]] static Sizes bytes() { return {.node = sizeof(Node), .marks = sizeof(Marks)}; }

  void start(const Board& board, std::byte* node) const override {
    new (node) Node{{.hash = hash_.of(board), .ancestor = BeamTrail::start},
                    Position(board),
                    order_.spread(board),
                    static_cast<std::int16_t>(heuristic_.evaluate(board)),
                    static_cast<std::uint8_t>(board.blank()),
                    no_way,
                    {}};
  }
  [[nodiscard]] bool is_goal(const BeamHead& node) const override {
    return node.hash == goal_hash_;
  }

  Counts expand(const Chunk& parents, const Most& most, ByShard& by_shard) const override {
    Counts counts;
    for (std::size_t i = 0; i < parents.count; ++i) {
      Node& node = reinterpret_cast<Node*>(parents.nodes)[i];
      const Found found{.parent = static_cast<std::uint32_t>(parents.place + i),
                        .most = most,
                        .counts = counts,
                        .by_shard = by_shard};
      if constexpr (metric == Metric::multi) expand_runs(node, found);
      else expand_steps(node, found);
    }
    return counts;
  }

  void make(const Chunk& parents, std::span<std::byte*> places) const override {
    const auto next = [&](std::uint64_t hash) -> Node& {
      std::byte*& place = places[shares_.owner(hash)];
      return *reinterpret_cast<Node*>(std::exchange(place, place + sizeof(Node)));
    };
    for (std::size_t i = 0; i < parents.count; ++i) {
      Marks& marks = reinterpret_cast<Marks*>(parents.marks)[i];
      if (std::ranges::none_of(marks, [](std::uint8_t mark) { return mark != 0; })) continue;
      Node& node = reinterpret_cast<Node*>(parents.nodes)[i];
      if constexpr (metric == Metric::multi) make_runs(node, marks, next);
      else make_steps(node, marks, next);
      marks = {};
    }
  }

 private:
  // What becomes of a board's children.
  struct Found {
    std::uint32_t parent;
    const Most& most;
    Counts& counts;
    ByShard& by_shard;
  };

  void add(const Found& found, std::uint64_t hash, std::uint8_t move, int estimate) const {
    found.by_shard[shares_.shard(hash)].push_back(
        {.hash = hash,
         .parent = found.parent,
         .estimate =
             hash == goal_hash_ ? BeamCandidate::of_goal : static_cast<std::int16_t>(estimate),
         .move = move});
  }

  void expand_steps(Node& node, const Found& found) const {
    const auto position = node.position.handle();
    const auto around = order_.around(position, node.blank);
    // A step changes h by one. Of the goal's estimate nothing is known.
    const int most = node.h > 1 ? found.most.estimate : no_bound;
    for_children(node, [&](const auto& step) {
      ++found.counts.evaluated;
      const int change = order_.change(position, step, around);
      node.changes[static_cast<std::size_t>(step.direction)] = static_cast<std::int16_t>(change);
      const int spread = node.spread + change;
      if (order_.estimate(node.h - 1, spread) > most) {
        ++found.counts.cut;
        return;
      }
      const unsigned label = position.tile(step.next);
      const int h = node.h - 1 + heuristic_.rise(position, label, step);
      const int estimate = order_.estimate(h, spread);
      if (h > found.most.h) return;
      if (estimate > most) {
        ++found.counts.cut;
        return;
      }
      add(found, node.hash ^ hash_.change(label, step.next, step.blank),
          BeamMove::of(step.direction, 1), estimate);
    });
  }

  template <class Next>
  void make_steps(Node& parent, const Marks& marks, const Next& next) const {
    for_children(parent, [&](const auto& step) {
      if (marks[static_cast<std::size_t>(step.direction)] == 0) return;
      const unsigned label = parent.position.tile(step.next);
      Node& child = next(parent.hash ^ hash_.change(label, step.next, step.blank));
      child = parent;
      slide(child, step, parent.changes[static_cast<std::size_t>(step.direction)]);
      child.moves = parent.moves << BeamMove::bits(metric) |
                    static_cast<std::uint64_t>(BeamMove::of(step.direction, 1));
    });
  }

  // Makes it the board after that step, but for its moves. `change` is that of the spread.
  template <class StepT>
  void slide(Node& node, const StepT& step, int change) const {
    const auto position = node.position.handle();
    const unsigned label = position.tile(step.next);
    node.hash ^= hash_.change(label, step.next, step.blank);
    node.spread += change;
    node.h = static_cast<std::int16_t>(node.h - 1 + heuristic_.rise(position, label, step));
    (void)position.slid(step.next, step.blank);
    node.blank = static_cast<std::uint8_t>(step.next);
    node.way = static_cast<std::uint8_t>(step.direction);
  }

  template <class Use>
  void for_children(const Node& node, const Use& use) const {
    const int back = node.way == no_way ? no_way : 3 - node.way;
    const auto child = [&]<int D>(Constant<D> direction) {
      if (geometry_.allowed(node.blank, back, D))
        use(Step<int, int, Constant<D>>{node.blank, node.blank + geometry_.offset(D), direction});
    };
    // Each direction has code of its own, with constants for what is around the blank.
    child(Constant<0>());
    child(Constant<1>());
    child(Constant<2>());
    child(Constant<3>());
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
        slide(run, step, order_.change(position, step, order_.around(position, run.blank)));
        use(run, BeamMove::of(d, steps));
      }
    }
  }

  void expand_runs(const Node& node, const Found& found) const {
    for_runs(node, [&](const Node& run, std::uint8_t move) {
      ++found.counts.evaluated;
      if (run.h > found.most.h) return;
      const int estimate = order_.estimate(run.h, run.spread);
      if (estimate > found.most.estimate && run.h > 0) ++found.counts.cut;
      else add(found, run.hash, move, estimate);
    });
  }

  template <class Next>
  void make_runs(const Node& parent, const Marks& marks, const Next& next) const {
    for_runs(parent, [&](const Node& run, std::uint8_t move) {
      if (marks[move] == 0) return;
      Node& child = next(run.hash);
      child = run;
      child.moves = run.moves << BeamMove::bits(metric) | move;
    });
  }

  const BeamShares& shares_;
  LinearConflict heuristic_;
  RuntimeGeometry geometry_;
  BoardHash hash_;
  std::uint64_t goal_hash_;
  BeamOrder order_;
};

}  // namespace tessera
