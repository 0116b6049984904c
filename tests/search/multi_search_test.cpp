// SPDX-License-Identifier: MIT
#include "search/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "plain_oracle.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "solve_length.hpp"
#include "solving.hpp"

namespace tessera {
namespace {

constexpr std::array<LineAxis, 2> axes{LineAxis::vertical, LineAxis::horizontal};

constexpr LineAxis axis_of(Direction d) {
  return d == Direction::up || d == Direction::down ? LineAxis::vertical : LineAxis::horizontal;
}
constexpr LineAxis other(LineAxis axis) {
  return axis == LineAxis::vertical ? LineAxis::horizontal : LineAxis::vertical;
}

std::string tables() {
  static const TemporaryFolder folder;
  return folder.text();
}

Problem multi(const Instance& instance, const std::string& heuristic = "lines") {
  Problem problem{instance, heuristic};
  problem.metric = Metric::multi;
  problem.table_directory = tables();
  return problem;
}

// The boards that one move along an axis leads to.
std::vector<Board> neighbors(const Board& board, LineAxis axis) {
  std::vector<Board> boards;
  for (const Direction d : all_directions) {
    if (axis_of(d) != axis) continue;
    for (Board run = board; run.neighbor(d);) boards.push_back(run = run.moved(d));
  }
  return boards;
}

// Moves from every board to the goal, by the axis of the first of them and by rank; -1 where none
// leads there. Breadth-first from the goal: moves are undone by moves along the same axis.
using Truth = std::array<std::vector<int>, 2>;
Truth multi_distances(const Board& goal) {
  Truth truth;
  for (auto& distance : truth) distance.assign(arrangements(goal.size()), -1);
  std::vector<std::pair<Board, LineAxis>> level;
  for (const LineAxis axis : axes) {
    truth[static_cast<std::size_t>(axis)][rank(goal)] = 0;
    level.emplace_back(goal, axis);
  }
  for (int depth = 1; !level.empty(); ++depth) {
    std::vector<std::pair<Board, LineAxis>> next;
    for (const auto& [board, first] : level) {
      const LineAxis before = other(first);
      for (const Board& neighbor : neighbors(board, before)) {
        int& known = truth[static_cast<std::size_t>(before)][rank(neighbor)];
        if (known >= 0) continue;
        known = depth;
        next.emplace_back(neighbor, before);
      }
    }
    level = std::move(next);
  }
  return truth;
}
int least(const Truth& truth, std::uint64_t r) {
  return std::min(truth[0][r], truth[1][r]);
}

using LowerBound = std::function<int(const Board&, std::optional<LineAxis>)>;
LowerBound lower_bound_of(const std::string& heuristic, const Instance& instance) {
  const auto of = [](auto guide) -> LowerBound {
    return [guide = std::move(guide)](const Board& labels, std::optional<LineAxis> next) {
      return alternating_moves(guide, labels, next);
    };
  };
  if (heuristic == "lines") return of(Lines(instance, tables()));
  if (heuristic == "halves") return of(Halves(instance, tables()));
  if (heuristic == "blocks") return of(Blocks(instance, tables()));
  if (heuristic == "sides") return of(Sides(instance, tables()));
  if (heuristic == "runs") return of(Runs(instance));
  return [](const Board&, std::optional<LineAxis>) { return 0; };
}

// On every stride-th board: at most the distance, and f never falls.
void expect_sound(const LowerBound& bound, const Board& goal, const Truth& truth,
                  std::uint64_t stride) {
  for (std::uint64_t r = 0; r < truth[0].size(); r += stride) {
    if (truth[0][r] < 0) continue;
    const Board labels = make_instance(unrank(goal.size(), r), goal).start;
    const int h = bound(labels, {});
    ASSERT_LE(h, least(truth, r)) << to_string(labels);
    for (const LineAxis axis : axes) {
      const int forced = bound(labels, axis);
      ASSERT_LE(forced, truth[static_cast<std::size_t>(axis)][r]) << to_string(labels);
      for (const Board& child : neighbors(labels, axis)) {
        const int f = 1 + bound(child, other(axis));
        ASSERT_GE(f, forced) << "f falls: " << to_string(labels);
        ASSERT_LE(f, forced + 4) << to_string(labels);
        ASSERT_GE(f, h) << "f falls: " << to_string(labels);
      }
    }
  }
}

// "3x3_first": a size and a goal.
class EverySize : public testing::TestWithParam<std::string> {
 protected:
  const Board goal_ =
      parse_goal(GetParam().substr(4), {}).board(parse_size(GetParam().substr(0, 3)));
  const Truth truth_ = multi_distances(goal_);
};

TEST_P(EverySize, HeuristicsAreAdmissibleAndConsistent) {
  for (const char* const heuristic : {"lines", "halves", "blocks", "sides", "runs"}) {
    SCOPED_TRACE(heuristic);
    expect_sound(lower_bound_of(heuristic, make_instance(goal_, goal_)), goal_, truth_, thinned);
  }
}

TEST_P(EverySize, LengthsAgreeWithBreadthFirstSearch) {
  for (std::uint64_t r = 0; r < truth_[0].size(); r += thinned * sampled(3)) {
    if (truth_[0][r] < 0) continue;
    const auto search = make_subtree_search(multi(make_instance(unrank(goal_.size(), r), goal_)));
    ASSERT_EQ(solve_length(*search, Metric::multi), least(truth_, r))
        << to_string(unrank(goal_.size(), r));
  }
}

TEST_P(EverySize, LengthsAgreeWithoutHeuristic) {
  for (std::uint64_t r = 0; r < truth_[0].size(); r += 991) {
    if (truth_[0][r] < 0 || least(truth_, r) > 13) continue;
    const auto search =
        make_subtree_search(multi(make_instance(unrank(goal_.size(), r), goal_), "zero"));
    ASSERT_EQ(solve_length(*search, Metric::multi), least(truth_, r));
  }
}

INSTANTIATE_TEST_SUITE_P(Multi, EverySize,
                         testing::Values("3x3_first", "3x3_last", "4x2_first", "4x2_last",
                                         "2x4_first", "2x4_last", "3x2_first", "2x2_last"),
                         [](const auto& test) { return test.param; });

TEST(Runs, AreAdmissibleAndConsistentOnALongBoard) {
  const Board goal = Goal().board({5, 2});
  expect_sound(lower_bound_of("runs", make_instance(goal, goal)), goal, multi_distances(goal),
               37 * thinned);
}

TEST(Runs, LengthsAgreeWithOtherHeuristics) {
  Random random(68);
  for (const auto& [size, moves, other] :
       {std::tuple{Size{4, 3}, 25, "lines"}, {Size{5, 5}, 12, "zero"}, {Size{7, 3}, 12, "zero"}}) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(scrambled(goal, moves, random), goal);
      EXPECT_EQ(solve_length(*make_subtree_search(multi(instance, "runs")), Metric::multi),
                solve_length(*make_subtree_search(multi(instance, other)), Metric::multi))
          << to_string(instance.start);
    }
  }
}

TEST(Sides, AreNeverWeakerThanRuns) {
  Random random(69);
  int tables_are_weaker = 0;
  for (const Size size : {Size{9, 2}, Size{7, 3}}) {
    const Board goal = Goal().board(size);
    const Instance instance = make_instance(goal, goal);
    const Sides sides(instance, tables());
    const ColoredLines<TwoColorsOfMany> alone(instance, tables());
    const Runs runs(instance);
    for (int i = 0; i < 200; ++i) {
      const Board labels = make_instance(scrambled(goal, 30, random), goal).start;
      const int least = std::max(alternating_moves(alone, labels), alternating_moves(runs, labels));
      EXPECT_GE(alternating_moves(sides, labels), least) << to_string(labels);
      tables_are_weaker += alternating_moves(alone, labels) < least ? 1 : 0;
    }
  }
  EXPECT_GT(tables_are_weaker, 0);
}

// As PlainOracle, with runs: what the counts mean.
class MultiOracle {
 public:
  MultiOracle(const Instance& instance, const std::string& heuristic, int bound, Mode mode)
      : goal_(instance.goal()),
        lower_bound_(lower_bound_of(heuristic, instance)),
        bound_(bound),
        mode_(mode) {}

  SubtreeResult search(const Board& board, std::optional<LineAxis> next, int g) {
    visit(board, next, g);
    return result_;
  }

 private:
  bool visit(const Board& board, std::optional<LineAxis> next, int g) {
    if (board == goal_) {
      ++result_.counts.solutions;
      result_.found = mode_ != Mode::exhaust;
      return result_.found;
    }
    ++result_.counts.expanded;
    for (const Direction d : all_directions) {
      if (next && axis_of(d) != *next) continue;
      std::string letters;
      for (Board child = board; child.neighbor(d);) {
        child.move(d);
        letters += letter(d);
        ++result_.counts.generated;
        const LineAxis then = other(axis_of(d));
        const int f = g + 1 + lower_bound_(child, then);
        if (f > bound_) {
          result_.next_bound = std::min(result_.next_bound, f);
        } else if (visit(child, then, g + 1)) {
          result_.solution.insert(0, letters);
          return true;
        }
      }
    }
    return false;
  }

  Board goal_;
  LowerBound lower_bound_;
  int bound_;
  Mode mode_;
  SubtreeResult result_;
};

TEST(MultiSearch, CountsWhatTheOracleCounts) {
  Random random(61);
  for (const Size size : {Size{2, 2}, Size{3, 3}, Size{4, 3}, Size{3, 4}, Size{2, 6}, Size{6, 2},
                          Size{5, 2}, Size{6, 3}, Size{7, 4}}) {
    for (const Board& goal : varied_goals(size)) {
      for (const HeuristicInfo& info : heuristic_infos(Metric::multi)) {
        // Larger tables take too long to build for each goal.
        const bool has_small_tables = info.name == "halves" || info.name == "sides";
        const int most = info.name == "runs" ? info.max_cells : has_small_tables ? 18 : 16;
        if (size.cells() > std::min(info.max_cells, most)) continue;
        const bool weak = info.name == "zero" || info.name == "runs";
        const Instance instance = make_instance(scrambled(goal, weak ? 12 : 60, random), goal);
        const auto search = make_subtree_search(multi(instance, std::string(info.name)));
        // At the root and inside the tree, where one axis is excluded.
        Node root = search->node_at("");
        for (int depth = 0; depth < 3; ++depth) {
          const std::optional<LineAxis> next =
              root.last ? std::optional(other(axis_of(*root.last))) : std::nullopt;
          int bound = root.f();
          for (int iteration = 0; iteration < (weak ? 6 : 8); ++iteration) {
            Unlimited control;
            SubtreeResult expected =
                MultiOracle(instance, std::string(info.name), bound, Mode::exhaust)
                    .search(root.board, next, root.g);
            SubtreeResult counted = search->search(root, bound, Mode::exhaust, control);
            ASSERT_EQ(show(counted), show(expected)) << info.name << " " << to_string(size);
            EXPECT_EQ(control.told, counted.counts);
            expected = MultiOracle(instance, std::string(info.name), bound, Mode::first)
                           .search(root.board, next, root.g);
            counted = search->search(root, bound, Mode::first, control);
            ASSERT_EQ(counted.counts, expected.counts) << info.name << " " << to_string(size);
            ASSERT_EQ(counted.solution, expected.solution);
            if (expected.found || counted.counts.expanded > 30'000) break;
            bound = counted.next_bound;
          }
          const std::vector<Successor> children = search->successors(root);
          root = children[random.below(children.size())].node;
        }
      }
    }
  }
}

TEST(MultiSearch, APathLeadsToItsSuccessor) {
  Random random(62);
  const Board goal = Goal().board({4, 3});
  const auto search = make_subtree_search(multi(make_instance(random_board(goal, random), goal)));
  Node node = search->node_at("");
  std::string path;
  for (int i = 0; i < 20; ++i) {
    const std::vector<Successor> children = search->successors(node);
    EXPECT_EQ(children.size(), i == 0                                                   ? 5U
                               : node.last && axis_of(*node.last) == LineAxis::vertical ? 3U
                                                                                        : 2U);
    const Successor& child = children[random.below(children.size())];
    path += child.letters;
    node = search->node_at(path);
    EXPECT_EQ(node.board, child.node.board);
    EXPECT_EQ(node.last, child.node.last);
    EXPECT_EQ(node.g, i + 1);
    EXPECT_EQ(node.g, child.node.g);
    EXPECT_EQ(node.h, child.node.h);
    EXPECT_EQ(node.rule, child.node.rule);
  }
  EXPECT_THROW((void)search->node_at("UUUU"), Error);
}

// The mirror image about the diagonal swaps the tables of the two axes.
TEST(MultiSearch, ABoardAndItsTransposeTakeAsManyMoves) {
  const auto transposed = [](const Board& board) {
    const Size size = board.size();
    std::vector<std::int64_t> tiles;
    for (int i = 0; i < size.cells(); ++i) {
      tiles.push_back(board.tile(i % size.height * size.width + i / size.height));
    }
    return Board({size.height, size.width}, tiles);
  };
  Random random(67);
  for (const Size size : {Size{6, 2}, Size{4, 3}}) {
    for (const Board& goal : varied_goals(size)) {
      const Board board = random_board(goal, random);
      const auto search = make_subtree_search(multi(make_instance(board, goal)));
      const auto mirrored =
          make_subtree_search(multi(make_instance(transposed(board), transposed(goal))));
      EXPECT_EQ(mirrored->node_at("").h, search->node_at("").h);
      EXPECT_EQ(solve_length(*mirrored, Metric::multi), solve_length(*search, Metric::multi))
          << to_string(board);
    }
  }
}

TEST(MultiSearch, StopsWhenTold) {
  Random random(63);
  const Board goal = Goal().board({4, 3});
  const auto search = make_subtree_search(multi(make_instance(random_board(goal, random), goal)));
  StopAtOnce control;
  const SubtreeResult result = search->search(search->node_at(""), 60, Mode::exhaust, control);
  EXPECT_TRUE(result.stopped);
  EXPECT_LE(result.counts.expanded, SearchControl::default_poll_interval);
}

TEST(MultiSearch, TheCutDoesNotChangeTheCounts) {
  Random random(64);
  const Board goal = Goal(Goal::Kind::first).board({4, 3});
  for (int i = 0; i < 4; ++i) {
    const Problem problem = multi(make_instance(random_board(goal, random), goal));
    IdaStarOptions options;
    options.finish_iteration = true;
    const SearchResult whole = solve(problem, options);
    for (const std::size_t frontier : {2UL, 50UL, 700UL}) {
      options.frontier = frontier;
      for (const bool finish : {true, false}) {
        options.finish_iteration = finish;
        const SearchResult cut = solve(problem, options);
        EXPECT_EQ(cut.solution, whole.solution) << frontier;
        EXPECT_TRUE(!finish || cut.counts == whole.counts) << frontier;
      }
    }
    options = {};
    options.independent = true;
    const SearchResult independent = solve(problem, options);
    EXPECT_EQ(solution_length(*independent.solution, Metric::multi),
              solution_length(*whole.solution, Metric::multi));
    EXPECT_TRUE(independent.optimal);
  }
}

TEST(MultiSearch, AllCountsEveryOptimalSolution) {
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const Truth truth = multi_distances(goal);
  const std::function<std::uint64_t(const Board&, LineAxis)> paths =
      [&](const Board& board, LineAxis axis) -> std::uint64_t {
    if (board == goal) return 1;
    std::uint64_t sum = 0;
    const int distance = truth[static_cast<std::size_t>(axis)][rank(board)];
    for (const Board& next : neighbors(board, axis)) {
      const LineAxis then = other(axis);
      if (truth[static_cast<std::size_t>(then)][rank(next)] == distance - 1)
        sum += paths(next, then);
    }
    return sum;
  };
  Random random(65);
  IdaStarOptions options;
  options.all = true;
  for (int i = 0; i < 30; ++i) {
    const Board board = random_board(goal, random);
    std::uint64_t expected = 0;
    for (const LineAxis axis : axes) {
      if (truth[static_cast<std::size_t>(axis)][rank(board)] == least(truth, rank(board)))
        expected += paths(board, axis);
    }
    for (const std::size_t frontier : {0UL, 40UL}) {
      options.frontier = frontier;
      const SearchResult result = solve(multi(make_instance(board, goal)), options);
      EXPECT_EQ(result.solution_count, expected) << to_string(board);
    }
  }
}

TEST(MultiSearch, RefusesWhatItHasNot) {
  const Board goal = Goal().board({3, 3});
  Problem problem = multi(make_instance(goal, goal));
  problem.kernel = Kernel::bucket;
  EXPECT_THROW((void)make_subtree_search(problem), Error);
  problem = multi(make_instance(goal, goal));
  problem.prune = PruneRule{12};
  EXPECT_THROW((void)make_subtree_search(problem), Error);
  EXPECT_THROW((void)make_subtree_search(multi(make_instance(goal, goal), "manhattan")), Error);
}

TEST(Registry, EachMetricHasItsHeuristics) {
  const auto resolved = [](const char* text, Size size, Metric metric) {
    return to_string(resolve_heuristic(text, Goal().board(size), metric));
  };
  EXPECT_EQ(resolved("lines", {4, 4}, Metric::multi), "lines");
  EXPECT_EQ(resolved("zero", {5, 5}, Metric::multi), "zero");
  EXPECT_EQ(best_multi_heuristic({4, 4}), "lines");
  EXPECT_EQ(best_multi_heuristic({5, 4}), "blocks");
  EXPECT_EQ(best_multi_heuristic({5, 5}), "blocks");
  EXPECT_EQ(best_multi_heuristic({6, 5}), "sides");
  EXPECT_EQ(best_multi_heuristic({6, 6}), "sides");
  EXPECT_EQ(best_multi_heuristic({37, 2}), "runs");
  for (const auto& [text, size, metric] : {std::tuple{"manhattan", Size{4, 4}, Metric::multi},
                                           {"lines", Size{5, 5}, Metric::multi},
                                           {"blocks", Size{6, 5}, Metric::multi},
                                           {"pdb:7-8", Size{4, 4}, Metric::multi},
                                           {"lines", Size{4, 4}, Metric::single},
                                           {"max(walking,lines)", Size{4, 4}, Metric::single},
                                           {"liens", Size{4, 4}, Metric::multi}}) {
    EXPECT_THROW((void)resolved(text, size, metric), Error) << text;
  }
}

}  // namespace
}  // namespace tessera
