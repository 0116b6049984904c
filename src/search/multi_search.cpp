// SPDX-License-Identifier: MIT
#include "tessera/search/multi_search.hpp"

#include <algorithm>
#include <span>

#include "tessera/base/error.hpp"
#include "tessera/heuristic/zero.hpp"

namespace tessera {
namespace {

constexpr int longest_line = Size::max_cells / 2;

constexpr LineAxis axis_of(Direction direction) {
  return direction == Direction::up || direction == Direction::down ? LineAxis::vertical
                                                                    : LineAxis::horizontal;
}
constexpr LineAxis other(LineAxis axis) {
  return axis == LineAxis::vertical ? LineAxis::horizontal : LineAxis::vertical;
}

// A node has more children than where nodes are single tiles' moves.
std::uint64_t polls(const SearchControl& control) {
  return std::max<std::uint64_t>(1, control.poll_interval() / 2);
}

template <class Guide>
Guide guide_of(const Problem& problem) {
  if constexpr (std::is_default_constructible_v<Guide>) return Guide();
  else return Guide(problem.instance, problem.table_directory);
}

std::optional<LineAxis> next_axis(const std::optional<Direction>& last) {
  if (!last) return {};
  return other(axis_of(*last));
}

}  // namespace

template <class Guide>
MultiSearch<Guide>::MultiSearch(const Problem& problem)
    : SubtreeSearch(problem),
      guide_(guide_of<Guide>(problem)),
      goal_state_(guide_.start(goal())),
      lines_{instance().size().height, instance().size().width} {}

template <class Guide>
int MultiSearch<Guide>::evaluate(const Board& labels) const {
  return guide_.evaluate(labels);
}

template <class Guide>
std::vector<Successor> MultiSearch<Guide>::successors(const Node& node) const {
  std::vector<Successor> children;
  for (const Direction d : all_directions) {
    if (node.last && axis_of(d) == axis_of(*node.last)) continue;
    std::string letters;
    for (Board board = node.board; board.neighbor(d);) {
      board.move(d);
      letters += letter(d);
      children.push_back({letters,
                          {.board = board,
                           .last = d,
                           .g = node.g + 1,
                           .h = guide_.evaluate(board, next_axis(d))}});
    }
  }
  return children;
}

template <class Guide>
Node MultiSearch<Guide>::node_at(std::string_view path) const {
  const std::optional<Board> board = replayed(instance().start, path);
  if (!board) throw Error(ErrorKind::internal, "a subtree's path leaves the board");
  Node node;
  node.board = *board;
  if (!path.empty()) node.last = direction_of(path.back());
  node.g = solution_length(path, Metric::multi);
  node.h = guide_.evaluate(*board, next_axis(node.last));
  return node;
}

template <class Guide>
SubtreeResult MultiSearch<Guide>::search(const Node& root, int bound, Mode mode,
                                         SearchControl& control) {
  control_ = &control;
  mode_ = mode;
  root_ = &root.board;
  path_.resize(static_cast<std::size_t>(std::max(0, bound - root.g)));
  depth_ = 0;
  counts_ = reported_ = {};
  fuel_ = polls(control);
  least_excess_ = no_bound;
  stopped_ = found_ = false;

  const int left = bound - root.g;
  const Size size = root.board.size();
  const int row = size.row(root.board.blank());
  const int column = size.column(root.board.blank());
  const State state = guide_.start(root.board);
  if (!root.last) (void)visit_root(root, left);
  else if (axis_of(*root.last) == LineAxis::horizontal)
    (void)visit<LineAxis::vertical>(state, row, column, left);
  else (void)visit<LineAxis::horizontal>(state, column, row, left);

  if (!stopped_) control.keep_going(counts_ - reported_);
  SubtreeResult result;
  result.counts = counts_;
  if (least_excess_ < no_bound) result.next_bound = bound + least_excess_;
  result.stopped = stopped_;
  result.found = found_;
  if (found_) {
    for (const Run& run : std::span(path_).first(depth_))
      result.solution.append(static_cast<std::size_t>(run.steps), letter(run.direction));
  }
  return result;
}

// Where no move led to it, moves along both axes are open.
template <class Guide>
bool MultiSearch<Guide>::visit_root(const Node& root, int left) {
  if (root.board == goal()) return at_goal();
  const std::vector<Successor> children = successors(root);
  ++counts_.expanded;
  for (const Successor& child : children) {
    ++counts_.generated;
    const Node& node = child.node;
    if (node.h > left - 1) {
      least_excess_ = std::min(least_excess_, node.h - (left - 1));
      continue;
    }
    path_[depth_++] = {*node.last, static_cast<int>(child.letters.size())};
    const int row = node.board.size().row(node.board.blank());
    const int column = node.board.size().column(node.board.blank());
    const State state = guide_.start(node.board);
    if (axis_of(*node.last) == LineAxis::horizontal
            ? visit<LineAxis::vertical>(state, row, column, left - 1)
            : visit<LineAxis::horizontal>(state, column, row, left - 1)) {
      return true;
    }
    --depth_;
  }
  return false;
}

// The blank stands in line `line` and moves along `axis` next, `left` moves at most; true unwinds.
template <class Guide>
template <LineAxis axis>
bool MultiSearch<Guide>::visit(const State& state, int line, int across, int left) {
  if (state == goal_state_ && at_goal()) [[unlikely]]
    return found_;
  const int children = lines_[static_cast<std::size_t>(axis)] - 1;
  ++counts_.expanded;
  counts_.generated += static_cast<std::uint64_t>(children);
  if (--fuel_ == 0 && !refuel()) [[unlikely]]
    return true;

  // The first look-up of all children before anything depends on one, so that they overlap.
  struct Child {
    State state;
    int line;
    int needed;
  };
  std::array<Child, longest_line> child;
  int count = 0;
  State run = state;
  const auto add = [&](int to) {
    child[static_cast<std::size_t>(count++)] = {run, to, guide_.moves(axis, 0, run, to)};
  };
  for (int to = line - 1; to >= 0; --to) {
    run = guide_.stepped(axis, run, to, across, true);
    add(to);
  }
  run = state;
  for (int to = line + 1; to <= children; ++to) {
    run = guide_.stepped(axis, run, to - 1, across, false);
    add(to);
  }

  const int most = (left - 1) >> 1;  // moves along this axis that are left after the child's
  for (int i = 0; i < children; ++i) {
    const Child& c = child[static_cast<std::size_t>(i)];
    const auto excess = [&](int needed) { return 2 * needed - (left - 1); };
    if (c.needed > most && excess(c.needed) >= least_excess_) continue;
    const int needed = std::max(c.needed, guide_.moves(axis, 1, c.state, c.line));
    if (needed > most) {
      least_excess_ = std::min(least_excess_, excess(needed));
      continue;
    }
    constexpr bool vertical = axis == LineAxis::vertical;
    const bool backward = c.line < line;
    path_[depth_++] = {vertical   ? backward ? Direction::up : Direction::down
                       : backward ? Direction::left
                                  : Direction::right,
                       backward ? line - c.line : c.line - line};
    if (visit<other(axis)>(c.state, across, c.line, left - 1)) [[unlikely]] {
      counts_.generated -= static_cast<std::uint64_t>(children - 1 - i);
      return true;
    }
    --depth_;
  }
  return false;
}

// States of different boards may be the same: the moves decide.
template <class Guide>
bool MultiSearch<Guide>::at_goal() {
  Board board = *root_;
  for (const Run& run : std::span(path_).first(depth_)) {
    for (int step = 0; step < run.steps; ++step) board.move(run.direction);
  }
  if (board != goal()) return false;
  ++counts_.solutions;
  found_ = mode_ != Mode::exhaust;
  return true;
}

template <class Guide>
bool MultiSearch<Guide>::refuel() {
  stopped_ = !control_->keep_going(counts_ - reported_);
  reported_ = counts_;
  fuel_ = polls(*control_);
  return !stopped_;
}

std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem) {
  if (problem.prune != "parent") {
    bad_input("--prune " + problem.prune + ": not with --metric multi, expected parent");
  }
  if (problem.kernel == Kernel::bucket || problem.kernel == Kernel::block) {
    bad_input("--metric multi has one kernel, expected auto or plain");
  }
  if (problem.heuristic == Zero::info.name) return std::make_unique<MultiSearch<NoGuide>>(problem);
  if (problem.heuristic != Lines::info.name) {
    throw Error(ErrorKind::internal,
                "no kernel for heuristic " + problem.heuristic + " in metric multi");
  }
  return std::make_unique<MultiSearch<Lines>>(problem);
}

}  // namespace tessera
