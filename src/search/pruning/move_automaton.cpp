// SPDX-License-Identifier: MIT
#include "search/pruning/move_automaton.hpp"

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory_limit.hpp"
#include "search/pruning/automaton_cost.hpp"

namespace tessera {

MoveAutomaton::MoveAutomaton(Size size) : geometry_(size) {
  for (int cell = 0; cell < size.cells(); ++cell) add({static_cast<std::uint8_t>(cell), 0});
  link();
}

MoveAutomaton::State MoveAutomaton::add(Place place) {
  rows_.push_back({unlinked, unlinked, unlinked, unlinked});
  places_.push_back(place);
  return static_cast<State>(rows_.size() - 1);
}

bool MoveAutomaton::is_child(State child, State parent) const {
  return child < places_.size() && places_[child].depth == places_[parent].depth + 1;
}

void MoveAutomaton::exclude(const std::vector<std::vector<MoveString>>& strings) {
  for (std::size_t cell = 0; cell < strings.size(); ++cell) {
    for (const MoveString moves : strings[cell]) exclude(static_cast<State>(cell), moves);
  }
  link();
}

void MoveAutomaton::exclude(State node, MoveString moves) {
  for (int i = static_cast<int>(std::bit_width(moves)) - 3; i >= 0; i -= 2) {
    const std::size_t d = moves >> i & 3;
    if (i == 0) {
      rows_[node][d] = Pruning::none;
      return;
    }
    if (!is_child(rows_[node][d], node)) {
      const auto [cell, depth] = places_[node];
      const int next = cell + geometry_.offset(static_cast<int>(d));
      const State child =
          add({static_cast<std::uint8_t>(next), static_cast<std::uint8_t>(depth + 1)});
      rows_[node][d] = child;
    }
    node = rows_[node][d];
  }
}

// Rebuilds the rows for all excluded strings.
void MoveAutomaton::link() {
  std::vector<State> shorter(rows_.size());  // the longest proper suffix that is in the tree
  std::vector<State> queue;
  queue.reserve(rows_.size());
  const auto roots = static_cast<State>(geometry_.size().cells());
  for (State root = 0; root < roots; ++root) queue.push_back(root);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    const int cell = places_[state].cell;
    for (std::size_t d = 0; d < 4; ++d) {
      State& next = rows_[state][d];
      if (next == Pruning::none) continue;  // excluded, and that stays
      const int direction = static_cast<int>(d);
      const State fallback = !geometry_.allowed(cell, no_way, direction) ? Pruning::none
                             : state < roots
                                 ? static_cast<State>(cell + geometry_.offset(direction))
                                 : rows_[shorter[state]][d];
      // Moves that the shorter suffix excludes are excluded here too.
      if (fallback == Pruning::none || !is_child(next, state)) {
        next = fallback;
        continue;
      }
      shorter[next] = fallback;
      queue.push_back(next);
    }
  }
}

namespace {

using Row = Pruning::Row;
using State = Pruning::State;

constexpr Row dead_end{Pruning::none, Pruning::none, Pruning::none, Pruning::none};

// Finds states by their rows.
class StatesByRow {
 public:
  explicit StatesByRow(const GrowingArray<Row>& rows)
      : rows_(rows), slots_(rows.size() + rows.size() / 2, Pruning::none) {}
  /// The first state entered with its row, or `state` itself if it is the first.
  State enter(State state) {
    const std::uint64_t hash = XXH3_64bits(rows_[state].data(), sizeof(Row)) >> 32;
    std::size_t slot = hash * slots_.size() >> 32;
    for (; slots_[slot] != Pruning::none; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
      if (rows_[slots_[slot]] == rows_[state]) return slots_[slot];
    }
    return slots_[slot] = state;
  }

 private:
  const GrowingArray<Row>& rows_;
  std::vector<State> slots_;
};

std::vector<State> breadth_first(const GrowingArray<Row>& rows, int starts) {
  std::vector<bool> seen(rows.size());
  std::vector<State> order;
  order.reserve(rows.size());
  const auto visit = [&](State state) {
    if (state == Pruning::none || seen[state]) return;
    seen[state] = true;
    order.push_back(state);
  };
  for (int start = 0; start < starts; ++start) visit(static_cast<State>(start));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Row row = rows[order[i]];
    for (const State next : row) visit(next);
  }
  return order;
}

void redirect(Row& row, const std::vector<State>& to) {
  for (State& next : row) {
    if (next != Pruning::none) next = to[next];
  }
}

// Redirects moves to merged states, so that these are no longer reached.
void merge_states(GrowingArray<Row>& rows, int starts) {
  const std::vector<State> order = breadth_first(rows, starts);
  std::vector<State> same(rows.size());
  std::iota(same.begin(), same.end(), State{0});
  StatesByRow by_row(rows);
  for (std::size_t i = order.size(); i-- > 0;) {
    const State state = order[i];
    redirect(rows[state], same);
    // Dead ends are not merged, so that a state still determines the blank's cell.
    const bool merges = state >= static_cast<State>(starts) && rows[state] != dead_end;
    if (merges) same[state] = by_row.enter(state);
  }
  // The moves to states that were merged after this one was processed.
  for (const State state : order) redirect(rows[state], same);
}

// Moves each row to the place of its number; those with none are overwritten.
void permute(GrowingArray<Row>& rows, std::vector<State> number) {
  for (std::size_t first = 0; first < rows.size(); ++first) {
    Row row = rows[first];
    for (State to = std::exchange(number[first], Pruning::none); to != Pruning::none;) {
      std::swap(row, rows[to]);
      to = std::exchange(number[to], Pruning::none);
    }
  }
}

}  // namespace

void merge(GrowingArray<Row>& rows, int starts) {
  merge_states(rows, starts);
  std::vector<State> left = breadth_first(rows, starts);
  std::vector<State> number(rows.size(), Pruning::none);
  for (std::size_t i = 0; i < left.size(); ++i) number[left[i]] = static_cast<State>(i);
  for (const State state : left) redirect(rows[state], number);
  const std::size_t count = left.size();
  left = {};
  permute(rows, std::move(number));
  rows.shrink(count);
}

GrowingArray<Row> build_automaton(Size size, int depth, int threads,
                                  const TableProgress& progress) {
  constexpr double growth = 2.3;  // of the work, per length
  MoveAutomaton automaton(size);
  const AutomatonBuild plan =
      plan_build(size, depth, threads, memory_share(memory_limits(), 1).free_bytes);
  DuplicateMoves duplicates(size, plan.threads, plan.hash_bytes);
  for (int length = 1; length <= depth; ++length) {
    const double before = std::pow(growth, length - 1 - depth);
    const TableProgress part = progress.part(before, growth * before);
    const auto found = duplicates.next_length(automaton.rows(), part);
    if (found.empty() || !part(1)) return {};
    automaton.exclude(found);
  }
  GrowingArray<Row> rows = std::move(automaton).take();
  merge(rows, size.cells());
  return rows;
}

}  // namespace tessera
