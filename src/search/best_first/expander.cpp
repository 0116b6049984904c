// SPDX-License-Identifier: MIT
#include "search/best_first/expander.hpp"

#include "heuristic/collection_steps.hpp"
#include "heuristic/manhattan.hpp"
#include "heuristic/table_steps.hpp"
#include "heuristic/zero.hpp"

namespace tessera {
namespace {

// For a heuristic whose change on a step is a table lookup.
template <class State, class H>
class SteppedExpander final : public Expander<State> {
 public:
  explicit SteppedExpander(const Problem& problem)
      : Expander<State>(problem.instance), heuristic_(problem.instance) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  void expand(std::span<const State> states, std::span<const int> hs,
              Children<State>& children) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto position = states[i].position(this->cells());
      this->for_steps(states[i], State::blank(position), [&](const auto& step) {
        const int rise = heuristic_.rise(position, position.tile(step.next), step, {});
        children.push_back(
            {State(position.slid(step.next, step.blank), step.direction), hs[i] + rise - 1, 1, i});
      });
    }
  }

 private:
  H heuristic_;
};

// For pattern databases, which are larger than the caches: all entries of a block of nodes are
// prefetched before the first one is read. A node's own entries are looked up from scratch, those
// of its children only as far as the moved tile changes them.
template <class State, class H>
class TableExpander final : public Expander<State> {
  using States = std::span<typename H::State>;

 public:
  explicit TableExpander(const Problem& problem)
      : Expander<State>(problem.instance),
        heuristic_(problem.instance, parse_heuristic(problem.heuristic), problem.table_directory) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  void expand(std::span<const State> states, std::span<const int> hs,
              Children<State>& children) override {
    std::array<Cells, Expander<State>::most_nodes> boards;
    std::array<typename H::State, Expander<State>::most_nodes> own;
    for (std::size_t i = 0; i < states.size(); ++i) {
      boards[i].fill(states[i], this->cells());
      own[i] = heuristic_.placed(boards[i].cell_of);
    }
    const auto for_children = [&](const auto& use) {
      for (std::size_t i = 0; i < states.size(); ++i) {
        this->for_steps(states[i], boards[i].cell_of[0],
                        [&](const auto& step) { use(i, boards[i].tile(step.next), step); });
      }
    };
    const auto add_child = [&](std::size_t i, const auto& step, int h) {
      const auto position = states[i].position(this->cells()).slid(step.next, step.blank);
      children.push_back({State(position, step.direction), h, 1, i});
    };
    const States parents = std::span(own).first(states.size());
    if constexpr (requires { typename H::Slide; }) {
      heuristic_.look_up(parents, hs);
      std::array<typename H::State, H::most_boards> moved;
      std::array<typename H::Slide, H::most_boards> slides;
      std::size_t count = 0;
      for_children([&](std::size_t i, unsigned label, const auto& step) {
        moved[count] = own[i];
        slides[count++] = heuristic_.slide_of(label, step);
      });
      heuristic_.slide(std::span(moved).first(count), std::span(slides).first(count));
      std::size_t c = 0;
      for_children(
          [&](std::size_t i, unsigned, const auto& step) { add_child(i, step, moved[c++].h); });
    } else {
      for_children([&](std::size_t i, unsigned label, const auto& step) {
        heuristic_.prefetch(boards[i], label, step, own[i]);
      });
      heuristic_.look_up(parents, hs);
      for_children([&](std::size_t i, unsigned label, const auto& step) {
        typename H::State state = own[i];
        (void)heuristic_.rise(boards[i], label, step, state);
        add_child(i, step, state.h);
      });
    }
  }

 private:
  // A board, one byte per cell and per label.
  struct Cells {
    static constexpr std::size_t size = State::max_cells <= 32 ? 32 : Size::max_cells;
    std::array<std::uint8_t, size> label_in;
    std::array<std::uint8_t, size> cell_of;

    void fill(const State& state, int cells) {
      state.for_each_label(cells, [&](int cell, unsigned label) {
        label_in[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(label);
        cell_of[label] = static_cast<std::uint8_t>(cell);
      });
    }
    [[nodiscard]] unsigned tile(int cell) const { return label_in[static_cast<std::size_t>(cell)]; }
  };

  H heuristic_;
};

// Null if it evaluates each child from scratch.
template <class State>
std::unique_ptr<Expander<State>> make_table_expander(const Problem& problem) {
  const HeuristicSpec spec = parse_heuristic(problem.heuristic);
  if (!is_table_heuristic(spec)) return nullptr;
  const TableHeuristic tables(problem.instance, spec, problem.table_directory);
  if (tables.walks()) return nullptr;
  if (const Collection* const collection = tables.collection()) {
    constexpr std::size_t cells = State::max_cells <= 32 ? 32 : Size::max_cells;
    constexpr std::size_t few = 32;
    if (collection->slots().size() > few) {
      return std::make_unique<TableExpander<State, CollectionSteps<cells, Collection::most_slots>>>(
          problem);
    }
    return std::make_unique<TableExpander<State, CollectionSteps<cells, few>>>(problem);
  }
  using Few = TableSteps<8, PatternSlot::most_passed, false>;
  using Many = TableSteps<Additive::max_slots, PatternSlot::most_passed, false>;
  if (Few::holds(tables)) return std::make_unique<TableExpander<State, Few>>(problem);
  return std::make_unique<TableExpander<State, Many>>(problem);
}

}  // namespace

template <class State>
std::unique_ptr<Expander<State>> make_expander(const Problem& problem) {
  if (problem.metric == Metric::single) {
    if (problem.heuristic == Manhattan::info.name) {
      return std::make_unique<SteppedExpander<State, Manhattan>>(problem);
    }
    if (problem.heuristic == Zero::info.name) {
      return std::make_unique<SteppedExpander<State, Zero>>(problem);
    }
    if (auto expander = make_table_expander<State>(problem)) return expander;
  }
  return std::make_unique<EvaluatingExpander<State>>(problem);
}

template std::unique_ptr<Expander<NibbleState>> make_expander(const Problem&);
template std::unique_ptr<Expander<WideState<3>>> make_expander(const Problem&);
template std::unique_ptr<Expander<WideState<7>>> make_expander(const Problem&);

}  // namespace tessera
