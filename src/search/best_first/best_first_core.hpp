// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "search/best_first/best_first.hpp"
#include "search/best_first/expander.hpp"
#include "search/best_first/open_list.hpp"
#include "search/best_first/state_table.hpp"

namespace tessera {

/// A node on its way to the open list of the owner of its board.
template <class State>
struct Reached {
  State state;
  std::uint16_t g = 0;
  std::uint16_t h = 0;
  std::uint16_t steps = 1;
};

/// The open list and the table of a search, or of one part of a distributed search: what A* and
/// others of their kind do with a node, without the loop around it.
///
/// A* looks a board up once, when it is about to be expanded: the open list may contain a board
/// several times, which costs less than a cache miss for each child. The table keeps expanded
/// boards with their smallest g (tag g + 1) and last move; an entry that is no better is skipped,
/// one with a smaller g expands the board again, so h need not be consistent.
///
/// Greedy accepts a board once and looks it up when it is reached, because only then is the number
/// of steps to it known, which is its tag. So does breadth-first search, which is A* with h = 0
/// otherwise: it reaches each board by a shortest path first.
template <class State>
class BestFirstCore {
  static constexpr std::size_t batch = Expander<State>::most_nodes;

 public:
  BestFirstCore(Expander<State>& expander, const BestFirstOptions& options, MemoryBudget& budget,
                Metric metric)
      : expander_(expander),
        by_h_(options.order == BestFirstOrder::greedy),
        once_(options.order != BestFirstOrder::astar),
        metric_(metric),
        table_(budget),
        open_(budget),
        start_key_(expander.start().key()),
        goal_key_(goal().key()) {}

  [[nodiscard]] Reached<State> start() const {
    return {expander_.start(), 0,
            static_cast<std::uint16_t>(expander_.evaluate(expander_.instance().start)), 1};
  }

  /// Adds a node to the open list; except for A*, only if its board is new. Throws MemoryFull.
  void push(const Reached<State>& node) {
    if (once_ && !mark(node.state, node.steps)) return;
    open_.push(by_h_ ? node.h : node.g + node.h, node.h, node.state);
  }

  /// Whether a board is new or, for A*, has a better tag than the known one; if so, it is recorded.
  /// Throws MemoryFull.
  bool mark(const State& state, unsigned tag) {
    auto& slot = table_.reach(mixed(state.key()), state.key());
    const unsigned known = slot.mark().tag;
    if (known != 0 && (once_ || known <= tag)) return false;
    if (tag > StateTable<State>::Slot::most_tag) {
      internal_failure("a path is longer than the table can say");
    }
    slot.set_mark({tag, state.way() & 3});  // the start's is never read
    return true;
  }

  [[nodiscard]] bool empty() const { return open_.empty(); }
  /// f (greedy: h) of the next open node; no_bound if there is none.
  [[nodiscard]] int priority() { return open_.priority(); }

  /// Expands some of the best open nodes and passes their children to `take`, which may push them
  /// here. If one of the nodes is the goal, expands nothing and returns its priority. Throws
  /// MemoryFull; some nodes of the current priority are then lost.
  template <class Take>
  std::optional<int> expand(Take&& take) {
    const int priority = open_.priority();
    std::array<State, batch> states;
    std::array<int, batch> hs;
    std::size_t count = 0;
    // The deepest buckets hold only a few nodes, too few to hide the memory latency.
    while (count < batch && open_.priority() == priority) {
      const int h = open_.h();
      for (std::size_t end = count + open_.pop(std::span(states).subspan(count)); count < end;) {
        hs[count++] = h;
      }
    }
    // Prefetches all slots before the first one is read.
    if (!once_) {
      for (std::size_t i = 0; i < count; ++i) table_.prefetch(mixed(states[i].key()));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_goal(states[i])) continue;
      if (!once_) (void)mark(states[i], static_cast<unsigned>(priority) + 1);
      return priority;
    }
    // A* stores no children, so all nodes can be marked before the first one is expanded.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!once_ && !mark(states[i], static_cast<unsigned>(priority - hs[i]) + 1)) continue;
      states[kept] = states[i];
      hs[kept++] = hs[i];
    }
    if (kept == 0) return {};
    scratch_.clear();
    expander_.expand(std::span(states).first(kept), std::span(hs).first(kept), scratch_);
    counts_.expanded += kept;
    counts_.generated += scratch_.size();
    for (const Child<State>& child : scratch_) {
      take(Reached<State>{
          child.state, static_cast<std::uint16_t>(by_h_ ? 0 : priority - hs[child.parent] + 1),
          static_cast<std::uint16_t>(child.h), static_cast<std::uint16_t>(child.steps)});
    }
    return {};
  }
  /// The same for a search that keeps all boards itself.
  std::optional<int> expand() {
    return expand([this](const Reached<State>& node) { push(node); });
  }

  /// Of the open nodes in order of expansion, keeps every count-th, starting with the index-th.
  void keep_share(int index, int count) {
    struct Open {
      int priority;
      int h;
      State state;
    };
    std::vector<Open> kept;
    for (int i = 0; !open_.empty(); ++i) {
      Open node{open_.priority(), open_.h(), {}};
      (void)open_.pop({&node.state, 1});
      if (i % count == index) kept.push_back(node);
    }
    for (const Open& node : kept) open_.push(node.priority, node.h, node.state);
  }
  [[nodiscard]] std::uint64_t open_count() const { return open_.count(); }

  /// The letters of the move that led to a board, and the board before it. Empty if the board is
  /// not stored here. The start has no letters.
  struct Origin {
    State before;
    std::string letters;
  };
  [[nodiscard]] std::optional<Origin> origin(const State& state) const {
    const auto* slot = table_.find(state.key());
    if (slot == nullptr) return {};
    if (state.key() == start_key_) return Origin{state, ""};
    const StateMark mark = slot->mark();
    Origin origin{state, ""};
    auto position = state.position(expander_.cells());
    const int back = 3 - mark.way;
    const int offset = expander_.instance().size().offset(back);
    while (true) {
      const int blank = State::blank(position);
      position = position.slid(blank + offset, blank);
      origin.before = State(position, no_way);
      origin.letters += letter(static_cast<Direction>(mark.way));
      if (once_ ? origin.letters.size() == mark.tag : is_before(origin.before, mark.tag)) {
        return origin;
      }
    }
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t states() const { return table_.count(); }
  [[nodiscard]] bool is_goal(const State& state) const { return state.key() == goal_key_; }
  /// Whether the goal is stored here.
  [[nodiscard]] bool has_goal() const { return table_.find(goal_key_) != nullptr; }
  [[nodiscard]] State goal() const {
    return State(typename State::Position(expander_.instance().goal()), no_way);
  }

 private:
  // In metric multi a move may be several steps long: it begins at the board along the line that is
  // one move closer to the start, whichever that is.
  [[nodiscard]] bool is_before(const State& state, unsigned tag) const {
    if (metric_ == Metric::single) return true;
    const auto* slot = table_.find(state.key());
    return slot != nullptr && slot->mark().tag < tag;
  }

  Expander<State>& expander_;
  bool by_h_;  // greedy
  bool once_;  // accepts each board once
  Metric metric_;
  StateTable<State> table_;
  OpenList<State> open_;
  typename State::Key start_key_;
  typename State::Key goal_key_;
  Counts counts_;
  Children<State> scratch_;
};

/// The letters from the start to the goal, for one search that keeps all boards.
template <class State>
[[nodiscard]] std::string path_to_goal(const BestFirstCore<State>& core) {
  std::string reversed;
  for (State state = core.goal();;) {
    const auto origin = core.origin(state);
    if (!origin) internal_failure("the path to the goal is broken");
    if (origin->letters.empty()) return {reversed.rbegin(), reversed.rend()};
    reversed += origin->letters;  // equal letters
    state = origin->before;
  }
}

}  // namespace tessera
