// SPDX-License-Identifier: MIT
#include "search/pruning/move_automaton.hpp"

#include <bit>
#include <cmath>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tessera {

MoveAutomaton::MoveAutomaton(Size size) : geometry_(size) {
  for (int cell = 0; cell < size.cells(); ++cell) add(cell);
  link();
}

MoveAutomaton::State MoveAutomaton::add(int cell) {
  children_.push_back({Pruning::none, Pruning::none, Pruning::none, Pruning::none});
  cells_.push_back(static_cast<std::uint8_t>(cell));
  return static_cast<State>(children_.size() - 1);
}

void MoveAutomaton::leave_out(const std::vector<std::vector<MoveString>>& strings) {
  for (std::size_t cell = 0; cell < strings.size(); ++cell) {
    for (const MoveString moves : strings[cell]) leave_out(static_cast<State>(cell), moves);
  }
  link();
}

void MoveAutomaton::leave_out(State node, MoveString moves) {
  for (int i = static_cast<int>(std::bit_width(moves)) - 3; i >= 0; i -= 2) {
    const std::size_t d = moves >> i & 3;
    if (i == 0) {
      children_[node][d] = left_out;
      return;
    }
    if (children_[node][d] == Pruning::none) {
      const State child = add(cells_[node] + geometry_.offset(static_cast<int>(d)));
      children_[node][d] = child;
    }
    node = children_[node][d];
  }
}

// Rebuilds the rows for all excluded strings.
void MoveAutomaton::link() {
  rows_.resize(children_.size());
  std::vector<State> shorter(children_.size());  // the longest proper suffix that is in the tree
  std::vector<State> queue;
  queue.reserve(children_.size());
  const auto roots = static_cast<State>(geometry_.size().cells());
  for (State root = 0; root < roots; ++root) queue.push_back(root);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    const int cell = cells_[state];
    for (std::size_t d = 0; d < 4; ++d) {
      const int direction = static_cast<int>(d);
      const State child = children_[state][d];
      const State fallback = !geometry_.allowed(cell, no_way, direction) ? Pruning::none
                             : state < roots
                                 ? static_cast<State>(cell + geometry_.offset(direction))
                                 : rows_[shorter[state]][d];
      // Moves that the shorter suffix excludes are excluded here too.
      rows_[state][d] = fallback;
      if (child == Pruning::none || fallback == Pruning::none) continue;
      rows_[state][d] = child == left_out ? Pruning::none : child;
      if (child == left_out) continue;
      shorter[child] = fallback;
      queue.push_back(child);
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
  explicit StatesByRow(std::size_t most) : slots_(std::bit_ceil(2 * most), Pruning::none) {}
  /// The first state entered with this row, or `state` itself if it is the first.
  State enter(State state, const Row& row, const std::vector<Row>& rows) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = XXH3_64bits(row.data(), sizeof row) & mask;
    for (; slots_[slot] != Pruning::none; slot = (slot + 1) & mask) {
      if (rows[slots_[slot]] == row) return slots_[slot];
    }
    return slots_[slot] = state;
  }

 private:
  std::vector<State> slots_;
};

std::vector<State> breadth_first(std::span<const Row> rows, int starts) {
  std::vector<bool> seen(rows.size());
  std::vector<State> order;
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

Row mapped(const Row& row, const std::vector<State>& to) {
  Row result{};
  for (std::size_t d = 0; d < 4; ++d) {
    result[d] = row[d] == Pruning::none ? Pruning::none : to[row[d]];
  }
  return result;
}

}  // namespace

std::vector<Row> merged(std::span<const Row> rows, int starts) {
  const std::vector<State> order = breadth_first(rows, starts);
  std::vector<State> same(rows.size());
  for (std::size_t state = 0; state < rows.size(); ++state) same[state] = static_cast<State>(state);
  std::vector<Row> kept(rows.size());
  StatesByRow by_row(rows.size());
  for (std::size_t i = order.size(); i-- > 0;) {
    const State state = order[i];
    kept[state] = mapped(rows[state], same);
    // Dead ends are not merged, so that a state still determines the blank's cell.
    const bool merges = state >= static_cast<State>(starts) && kept[state] != dead_end;
    if (merges) same[state] = by_row.enter(state, kept[state], kept);
  }
  // Redirects moves to states that were merged after this one was processed.
  for (const State state : order) kept[state] = mapped(rows[state], same);
  const std::vector<State> left = breadth_first(kept, starts);
  std::vector<State> number(rows.size(), Pruning::none);
  for (std::size_t i = 0; i < left.size(); ++i) number[left[i]] = static_cast<State>(i);
  std::vector<Row> result;
  result.reserve(left.size());
  for (const State state : left) result.push_back(mapped(kept[state], number));
  return result;
}

std::vector<Row> build_automaton(Size size, int depth, int threads,
                                 const std::function<bool(double)>& progress) {
  constexpr std::size_t table_bytes = std::size_t{1} << 28;  // per thread
  constexpr double growth = 2.3;                             // of the work, per length
  MoveAutomaton automaton(size);
  DuplicateMoves duplicates(size, threads, table_bytes);
  for (int length = 1; length <= depth; ++length) {
    const auto of_all = [&](double part) {
      const double before = std::pow(growth, length - 1 - depth);
      return !progress || progress(before + part * (growth - 1) * before);
    };
    const auto found = duplicates.next_length(automaton.rows(), of_all);
    if (found.empty() || !of_all(1)) return {};
    automaton.leave_out(found);
  }
  return merged(automaton.rows(), size.cells());
}

}  // namespace tessera
