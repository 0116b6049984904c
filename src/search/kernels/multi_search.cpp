// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "heuristic/registry.hpp"
#include "search/kernels/kernels.hpp"

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
constexpr Direction direction_along(LineAxis axis, bool backward) {
  if (axis == LineAxis::vertical) return backward ? Direction::up : Direction::down;
  return backward ? Direction::left : Direction::right;
}

// A node has more children than if nodes were single-tile moves.
std::uint64_t polls(const SearchControl& control) {
  return std::max<std::uint64_t>(1, control.poll_interval() / 2);
}

std::optional<LineAxis> next_axis(const std::optional<Direction>& last) {
  if (!last) return {};
  return other(axis_of(*last));
}

// h = 0: each state may be the goal, and none needs a move.
class NoGuide {
 public:
  explicit NoGuide(const Instance&) {}

  using State = Board;
  static constexpr std::size_t views = 1;
  [[nodiscard]] State start(const Board& board) const { return board; }
  [[nodiscard]] int moves(LineAxis, std::size_t, const State&, int) const { return 0; }
  void step(LineAxis axis, const State& from, State& to, int, int, bool backward) const {
    to = from;
    to.move(direction_along(axis, backward));
  }
};

// Depth-first search in metric multi, where a run of equal letters is one move. A node's children
// are the other cells of the blank's row or column, never both: the search skips every move along
// the line of the last one, since together they would be no move or one move. Children are ordered
// by direction, then by length.
//
// Vertical and horizontal moves alternate, so of the `left` moves remaining after a vertical one,
// left / 2 are vertical; the child is within the bound exactly if no more are needed. So the search
// looks up the moves along one axis only, that of the last move, and never adds up an h.
//
// A guide has several views, lower bounds of which the largest counts. Most are far from cutting
// anything off, and rest until they could. Those that do so most often are looked up first.
//
// Guide: Lines, Halves, Blocks, Sides, Runs, or NoGuide for h = 0.
template <class Guide>
class MultiSearch final : public SubtreeSearch {
 public:
  explicit MultiSearch(const Problem& problem)
      : SubtreeSearch(problem),
        guide_(make_heuristic<Guide>(problem.instance, {}, problem.table_directory)),
        goal_state_(guide_.start(goal())),
        lines_{instance().size().height, instance().size().width} {
    for (auto& order : order_) std::iota(order.begin(), order.end(), std::uint8_t{0});
  }

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return alternating_moves(guide_, labels);
  }

  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override {
    control_ = &control;
    mode_ = mode;
    root_ = &root.board;
    path_.resize(static_cast<std::size_t>(std::max(0, bound - root.g)));
    depth_ = 0;
    counts_ = reported_ = {};
    until_poll_ = polls(control);
    least_excess_ = no_bound;
    stopped_ = found_ = false;
    order_views();

    const int left = bound - root.g;
    (void)(root.last ? enter(root, left) : enter_children(root, left));

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

  [[nodiscard]] std::vector<Successor> successors(const Node& node) const override {
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
                             .h = alternating_moves(guide_, board, next_axis(d))}});
      }
    }
    return children;
  }

  [[nodiscard]] Node node_at(std::string_view path) const override {
    Node node = SubtreeSearch::node_at(path);
    node.rule = 0;  // which axis comes next determines everything
    node.g = solution_length(path, Metric::multi);
    node.h = alternating_moves(guide_, node.board, next_axis(node.last));
    return node;
  }

 private:
  using State = typename Guide::State;
  struct Run {
    Direction direction;
    int steps;
  };

  // By view: for how many moves along the axis it need not be looked up.
  static constexpr bool resting = Guide::views > 2;  // with few, that takes as long as looking up
  using Rests = std::array<std::uint8_t, resting ? Guide::views : 0>;
  struct Position {
    State state;
    std::array<Rests, 2> rests;  // by axis
  };

  bool enter(const Node& node, int left) {
    const int row = node.board.size().row(node.board.blank());
    const int column = node.board.size().column(node.board.blank());
    const Position position{guide_.start(node.board), {}};
    return axis_of(*node.last) == LineAxis::horizontal
               ? visit<LineAxis::vertical>(position, row, column, left)
               : visit<LineAxis::horizontal>(position, column, row, left);
  }

  // Without a previous move, moves along both axes are allowed.
  bool enter_children(const Node& root, int left) {
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
      if (enter(node, left - 1)) return true;
      --depth_;
    }
    return false;
  }

  // The blank is in line `line` and moves along `axis` next, at most `left` moves; true unwinds.
  template <LineAxis axis>
  bool visit(const Position& position, int line, int across, int left) {
    if (position.state == goal_state_ && at_goal()) [[unlikely]]
      return found_;
    constexpr auto a = static_cast<std::size_t>(axis);
    const int children = lines_[a] - 1;
    ++counts_.expanded;
    counts_.generated += static_cast<std::uint64_t>(children);
    if (--until_poll_ == 0 && !poll_control()) [[unlikely]]
      return true;

    const Dues due = due_of<a>(position);

    // Do the first lookup of all children before anything depends on one, so that they overlap.
    struct Child {
      Position position;
      int line;
      int needed;
    };
    std::array<Child, longest_line> child;
    int count = 0;
    const auto add = [&](const State& from, int upper, int to) -> const State& {
      Child& added = child[static_cast<std::size_t>(count++)];
      State& state = added.position.state;
      guide_.step(axis, from, state, upper, across, to < line);
      added.line = to;
      added.needed = due.count > 0 ? guide_.moves(axis, due.views[0], state, to) : 0;
      return state;
    };
    const State* run = &position.state;
    for (int to = line - 1; to >= 0; --to) run = &add(*run, to, to);
    run = &position.state;
    for (int to = line + 1; to <= children; ++to) run = &add(*run, to - 1, to);

    const int most = (left - 1) >> 1;  // moves along this axis after the child's
    for (int i = 0; i < children; ++i) {
      Child& c = child[static_cast<std::size_t>(i)];
      // Of a child that is cut off, only whether its excess is the least so far matters.
      const auto excess = [&] { return 2 * c.needed - (left - 1); };
      std::size_t cut = 0;  // by this view
      if constexpr (resting) c.position.rests[a] = due.rested;
      for (std::size_t place = 0; place < due.count; ++place) {
        const std::size_t view = due.views[place];
        const int needed =
            place == 0 ? c.needed : guide_.moves(axis, view, c.position.state, c.line);
        if constexpr (resting) c.position.rests[a][view] = rest(most, needed);
        if (needed <= most) continue;
        if (place == 0 || c.needed <= most) cut = view;
        c.needed = std::max(c.needed, needed);
        if (excess() >= least_excess_) break;
      }
      if (c.needed > most) {
        least_excess_ = std::min(least_excess_, excess());
        if constexpr (resting) ++cuts_[a][cut];
        continue;
      }
      if constexpr (resting) c.position.rests[1 - a] = position.rests[1 - a];
      path_[depth_++] = {direction_along(axis, c.line < line), std::abs(c.line - line)};
      if (visit<other(axis)>(c.position, across, c.line, left - 1)) [[unlikely]] {
        counts_.generated -= static_cast<std::uint64_t>(children - 1 - i);
        return true;
      }
      --depth_;
    }
    return false;
  }

  // The views in which a node's children are looked up.
  struct Dues {
    std::array<std::uint8_t, Guide::views> views;
    std::size_t count = 0;
    Rests rested;  // of the children in the others
  };
  template <std::size_t a>
  [[nodiscard]] Dues due_of(const Position& position) const {
    Dues due;
    if constexpr (resting) {
      const Rests& rests = position.rests[a];
      for (std::size_t view = 0; view < Guide::views; ++view) {
        due.rested[view] = static_cast<std::uint8_t>(rests[view] - (rests[view] > 0 ? 1 : 0));
      }
      for (const std::uint8_t view : order_[a]) {
        due.views[due.count] = view;
        if (rests[view] == 0) ++due.count;
      }
    } else {
      for (std::uint8_t& view : due.views) view = static_cast<std::uint8_t>(due.count++);
    }
    return due;
  }

  // For how many more moves along an axis a view cannot cut a child off: each lowers the moves
  // allowed by one, and raises the moves needed by at most one.
  static std::uint8_t rest(int most, int needed) {
    return static_cast<std::uint8_t>(std::max(0, most - needed) / 2);
  }

  // States of different boards may be equal: the moves decide.
  bool at_goal() {
    Board board = *root_;
    for (const Run& run : std::span(path_).first(depth_)) {
      for (int step = 0; step < run.steps; ++step) board.move(run.direction);
    }
    if (board != goal()) return false;
    ++counts_.solutions;
    found_ = mode_ != Mode::exhaust;
    return true;
  }

  bool poll_control() {
    stopped_ = !control_->keep_going(counts_ - reported_);
    reported_ = counts_;
    until_poll_ = polls(*control_);
    order_views();
    return !stopped_;
  }

  // Those that have cut off most children come first. Counts are halved, so that the last part of
  // the tree weighs most.
  void order_views() {
    if constexpr (resting) {
      for (std::size_t a = 0; a < 2; ++a) {
        constexpr std::uint64_t enough = 1'000;
        if (std::accumulate(cuts_[a].begin(), cuts_[a].end(), std::uint64_t{0}) < enough) continue;
        std::ranges::sort(order_[a], std::greater(), [&](auto view) { return cuts_[a][view]; });
        for (std::uint64_t& cuts : cuts_[a]) cuts /= 2;
      }
    }
  }

  Guide guide_;
  State goal_state_;
  std::array<int, 2> lines_;  // by axis: the blank's possible cells
  // By axis: the views, and how many children each cut off; those that cut most are looked up
  // first.
  std::array<std::array<std::uint8_t, Guide::views>, 2> order_{};
  std::array<std::array<std::uint64_t, Guide::views>, 2> cuts_{};

  SearchControl* control_ = nullptr;
  Mode mode_ = Mode::first;
  const Board* root_ = nullptr;
  std::vector<Run> path_;  // from the root of the subtree, depth_ runs
  std::size_t depth_ = 0;
  Counts counts_;
  Counts reported_;
  std::uint64_t until_poll_ = 0;
  int least_excess_ = no_bound;
  bool stopped_ = false;
  bool found_ = false;
};

}  // namespace

std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem) {
  if (problem.prune != PruneRule::parent || problem.kernel == Kernel::bucket ||
      problem.kernel == Kernel::block) {
    internal_failure("metric multi has one pruning rule and one kernel");
  }
  std::unique_ptr<SubtreeSearch> search;
  with_heuristic<MultiHeuristics>(problem.heuristic, [&]<class H>(std::type_identity<H>) {
    using Guide = std::conditional_t<std::is_same_v<H, Zero>, NoGuide, H>;
    search = std::make_unique<MultiSearch<Guide>>(problem);
  });
  if (search) return search;
  internal_failure("no kernel for heuristic " + problem.heuristic + " in metric multi");
}

}  // namespace tessera
