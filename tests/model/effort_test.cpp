// SPDX-License-Identifier: MIT
#include "model/effort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "base/places.hpp"
#include "heuristic/registry.hpp"
#include "model/tree_sample.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/random_board.hpp"
#include "search/plain_oracle.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

struct Case {
  const char* heuristic;
  PruneRule prune = PruneRule::parent;
  Metric metric = Metric::single;
};

Problem problem_of(const Board& board, const Case& kind) {
  const Board goal = Goal(Goal::Kind::last).board(board.size());
  return {make_instance(board, goal),
          to_string(resolve_heuristic(kind.heuristic, goal, kind.metric)), Kernel::automatic,
          kind.prune, kind.metric};
}

Counts real_counts(SubtreeSearch& search, int bound) {
  Unlimited control;
  return search.search(search.node_at(""), bound, Mode::exhaust, control).counts;
}

const Case cases[] = {{"manhattan"},
                      {"zero"},
                      {"misplaced"},
                      {"linear-conflict"},
                      {"walking"},
                      {"max(manhattan,inversion)"},
                      {"pairwise"},
                      {"manhattan", PruneRule{12}},
                      {"lines", PruneRule::parent, Metric::multi}};

// Without a heuristic, level 900 has more nodes than a double can count.
TEST(TreeSample, StaysSmallAndFiniteOnDeepTrees) {
  Random random(1);
  const Board board = random_board(Goal().board({5, 5}), random);
  const auto search = make_subtree_search(problem_of(board, {"zero"}));
  const TreePassOptions options{.bound = 1000, .population = 10, .nodes = 2000};
  const TreePass pass = sample_tree(*search, options, random);
  EXPECT_LT(pass.cost, 2000U + 1001 * 10);
  TreePassOptions stopping{.bound = 1000, .population = 1000};
  stopping.stopped = [] { return true; };
  const TreePass stopped = sample_tree(*search, stopping, random);
  for (const TreePass& one : {pass, stopped}) {
    EXPECT_TRUE(std::isfinite(one.within(1000, one.generated)));
    EXPECT_GT(one.within(1000, one.expanded), 1e250);
  }
}

TEST(TreeSample, IsTheTreeItselfWhereAllNodesFit) {
  const Board board = parse_board("8 1 3 4 0 2 7 6 5", {});
  for (const Case& kind : cases) {
    const auto search = make_subtree_search(problem_of(board, kind));
    const int last = search->node_at("").f() + 6;
    Random random(1);
    const TreePass pass = sample_tree(*search, {last, 1'000'000}, random);
    for (int bound = last - 6; bound <= last; ++bound) {
      const Counts counts = real_counts(*search, bound);
      EXPECT_EQ(pass.within(bound, pass.expanded), static_cast<double>(counts.expanded))
          << kind.heuristic << " " << bound;
      EXPECT_EQ(pass.within(bound, pass.generated), static_cast<double>(counts.generated))
          << kind.heuristic << " " << bound;
    }
    EXPECT_EQ(static_cast<double>(pass.cost), pass.within(last, pass.expanded)) << kind.heuristic;
  }
}

// The mean of passes to `step` above the root's f; `stop_after`: of the polls of a pass, if any.
void expect_no_bias(const Case& kind, int step, std::size_t population,
                    std::optional<int> stop_after, int passes, double most_error) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const auto search = make_subtree_search(problem_of(board, kind));
  const int last = search->node_at("").f() + step;
  const auto real = static_cast<double>(real_counts(*search, last).expanded);
  double sum = 0;
  double square = 0;
  Random random(7);
  for (int i = 0; i < passes; ++i) {
    int polls = 0;
    TreePassOptions options{.bound = last, .population = population};
    if (stop_after) options.stopped = [&] { return ++polls > *stop_after; };
    const TreePass pass = sample_tree(*search, options, random);
    EXPECT_EQ(pass.stopped, stop_after.has_value());
    EXPECT_LT(static_cast<double>(pass.cost), real);
    const double ratio = pass.within(last, pass.expanded) / real;
    sum += ratio;
    square += ratio * ratio;
  }
  const double mean = sum / passes;
  const double error = std::sqrt((square / passes - mean * mean) / passes);
  EXPECT_NEAR(mean, 1, 4 * error) << kind.heuristic;
  EXPECT_LT(error, most_error) << kind.heuristic;
}

TEST(TreeSample, HasNoBias) {
  for (const Case& kind : {cases[0], cases[3], cases[7]}) {
    expect_no_bias(kind, 10, 20, {}, 400, 0.05);
    expect_no_bias(kind, 10, 2000, 0, 400, 0.05);  // stopped at once
  }
}

// Of its nodes, only some are sorted by type.
TEST(TreeSample, HasNoBiasIfStoppedInALargeLevel) {
  expect_no_bias(cases[0], 18, 100'000, 25, 60, 0.1);
}

TEST(TreeSample, IsSoonOverOnceStopped) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  int polls = 0;
  const TreePassOptions options{.bound = search->node_at("").f() + 20,
                                .population = 100'000,
                                .stopped = [&] { return ++polls > 3; }};
  Random random(1);
  EXPECT_LT(sample_tree(*search, options, random).cost, 3 * 1024 + 4096 + 64 * (options.bound + 1));
}

TEST(TreeSample, SubtreesStandForTheirLevel) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  const int last = search->node_at("").f() + 8;
  constexpr int depth = 6;
  Unlimited control;
  double whole = 0;
  Random random(3);
  for (const std::string& path : sample_subtrees(*search, {last, 1000}, depth, random)) {
    EXPECT_EQ(path.size(), depth);
    const SubtreeResult result =
        search->search(search->node_at(path), last, Mode::exhaust, control);
    whole += static_cast<double>(result.counts.expanded);
  }
  Random again(3);
  const TreePass pass = sample_tree(*search, {last, 1'000'000}, again);
  double above = 0;  // the levels above are expanded once
  for (int level = 0; level < depth; ++level) {
    above += static_cast<double>(sample_subtrees(*search, {last, 1000}, level, again).size());
  }
  EXPECT_EQ(whole + above, pass.within(last, pass.expanded));
}

// A board of Korf's, with the known nodes of its last bound and of all bounds.
struct KnownSearch {
  std::unique_ptr<SubtreeSearch> search;
  int bound = 0;
  double last = 0;
  double all = 0;
};

// The first thirty, with Manhattan distance.
std::vector<KnownSearch> known_searches() {
  std::ifstream file(test_data("korf100_iterations.txt"));
  const BuiltinSet set = builtin_set("korf100:1-30", Metric::single);
  std::vector<KnownSearch> searches;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::size_t id = 0;
    KnownSearch known;
    if (!(fields >> id >> known.bound >> known.last >> known.all) || id > set.boards.size()) {
      continue;
    }
    const Board& board = set.boards[id - 1].board.board;
    known.search =
        make_subtree_search({make_instance(board, set.goal.board(board.size())), "manhattan"});
    searches.push_back(std::move(known));
  }
  EXPECT_EQ(searches.size(), 30U);
  return searches;
}

// A part of what bench/check-estimates does over all boards and with pattern databases.
TEST(Effort, LastIterationsAreWithinAFactorOfTwo) {
  int within = 0;
  int covered = 0;
  for (const auto& [search, bound, last, all] : known_searches()) {
    EffortOptions options;
    options.last_bound = bound;
    options.nodes = static_cast<std::uint64_t>(std::min(all / 100, 20'000.0));
    const Effort effort = estimate_effort(*search, options);
    EXPECT_LE(effort.sampled, options.nodes) << bound;
    const BoundEffort& row = effort.bounds.back();
    EXPECT_EQ(row.bound, bound);
    EXPECT_NEAR(row.generated / row.expanded, 2, 0.3) << bound;
    within += row.expanded >= last / 2 && row.expanded <= last * 2;
    covered += row.low <= last && last <= row.high;
  }
  EXPECT_GE(within, 27);
  EXPECT_GE(covered, 25);
}

// From five passes each, whose spread is known from these five alone.
TEST(Effort, IntervalsHoldWhatTheyPromise) {
  int covered = 0;
  for (const auto& [search, bound, last, all] : known_searches()) {
    EffortOptions options{.last_bound = bound, .nodes = 20'000};
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
      const BoundEffort row = estimate_effort(*search, options).bounds.back();
      covered += row.low <= last && last <= row.high;
    }
  }
  EXPECT_GE(covered, 270);
}

// Smaller bounds are estimated from passes to several larger ones, which are less sure of them.
TEST(Effort, IntervalsHoldFarBelowTheLastBound) {
  int covered = 0;
  for (const auto& [search, bound, last, all] : known_searches()) {
    const Effort effort = estimate_effort(*search, {.last_bound = bound + 20, .nodes = 100'000});
    const auto row = std::ranges::find(effort.bounds, bound, &BoundEffort::bound);
    ASSERT_NE(row, effort.bounds.end());
    covered += row->low <= last && last <= row->high;
  }
  EXPECT_GE(covered, 28);
}

// A sample that drops no node of a bound's tree is that tree.
TEST(Effort, SmallTreesAreCountedExactly) {
  int exact = 0;
  for (const auto& [search, bound, last, all] : known_searches()) {
    for (const BoundEffort& row : estimate_effort(*search, {.last_bound = bound}).bounds) {
      if (row.low < row.high) continue;
      EXPECT_EQ(row.expanded, static_cast<double>(real_counts(*search, row.bound).expanded));
      EXPECT_EQ(row.expanded, row.low);
      ++exact;
    }
  }
  EXPECT_GE(exact, 60);
}

TEST(Effort, ListsEachBound) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  const int first = search->node_at("").f();
  EffortOptions options;
  options.last_bound = first + 8;
  options.nodes = 60'000;
  const Effort effort = estimate_effort(*search, options);
  ASSERT_EQ(effort.bounds.size(), 5U);
  for (std::size_t i = 0; i < effort.bounds.size(); ++i) {
    EXPECT_EQ(effort.bounds[i].bound, first + 2 * static_cast<int>(i));
  }
  EXPECT_EQ(estimate_effort(*search, options).sampled, effort.sampled);  // the same seed
  options.stopped = [] { return true; };
  EXPECT_LT(estimate_effort(*search, options).sampled, effort.sampled);
}

TEST(Effort, OfAVeryLargeBoundIsFinite) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  const Effort effort = estimate_effort(*search, {.last_bound = 1999, .nodes = 1000});
  const BoundEffort& last = effort.bounds.back();
  EXPECT_EQ(last.bound, 1999);
  EXPECT_GT(last.expanded, 1e100);
  EXPECT_TRUE(std::isfinite(effort.expanded_to(last.bound)));
  EXPECT_TRUE(std::isfinite(last.high));
  EXPECT_LE(last.low, last.expanded);
  EXPECT_LE(last.expanded, last.high);
}

// Different passes estimate neighboring bounds of a very large tree.
TEST(Effort, ALargerBoundIsNeverEstimatedSmaller) {
  const Board board =
      parse_board("16 9 15 7 6 11 2 20 13 19 4 23 1 5 12 24 3 8 17 14 18 0 10 22 21", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Effort effort =
        estimate_effort(*search, {.last_bound = 111, .nodes = 50'000, .seed = seed});
    for (std::size_t i = 1; i < effort.bounds.size(); ++i) {
      const BoundEffort& before = effort.bounds[i - 1];
      const BoundEffort& row = effort.bounds[i];
      for (auto count : {&BoundEffort::expanded, &BoundEffort::generated, &BoundEffort::low,
                         &BoundEffort::high}) {
        EXPECT_GE(row.*count, before.*count) << "seed " << seed << ", bound " << row.bound;
      }
    }
  }
}

TEST(Effort, AnIntervalHoldsItsEstimateWhateverTheSample) {
  const Board board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", {});
  const auto search = make_subtree_search(problem_of(board, cases[0]));
  for (const std::uint64_t nodes : {1, 10, 50}) {
    for (const BoundEffort& row :
         estimate_effort(*search, {.last_bound = 55, .nodes = nodes}).bounds) {
      EXPECT_LE(row.low, row.expanded) << nodes << " nodes, bound " << row.bound;
      EXPECT_GE(row.high, row.expanded) << nodes << " nodes, bound " << row.bound;
    }
  }
}

// One iteration has about ten times the nodes of the one before: an estimate that hardly grows is
// one of too few nodes.
TEST(Effort, GrowsSteadilyOn5x5) {
  for (const char* const board : {"korf50:1", "korf50:2", "korf50:3"}) {
    const SetBoard entry = builtin_set(board, Metric::single).boards.at(0);
    const Board goal = Goal(Goal::Kind::first).board(entry.board.board.size());
    const auto search = make_subtree_search(
        {make_instance(entry.board.board, goal), "manhattan", Kernel::automatic});
    const Effort effort =
        estimate_effort(*search, {.last_bound = search->node_at("").f() + 32, .seed = 1});
    ASSERT_EQ(effort.bounds.size(), 17U);
    for (std::size_t i = 4; i < effort.bounds.size(); ++i) {
      const double growth = effort.bounds[i].expanded / effort.bounds[i - 1].expanded;
      EXPECT_GT(growth, 1.5) << board << " " << effort.bounds[i].bound;
      EXPECT_LT(growth, 60) << board << " " << effort.bounds[i].bound;
    }
  }
}

TEST(SizeFromOtherEnd, IsTheRatioOfTheTrees) {
  const Board goal = Goal(Goal::Kind::first).board({4, 4});
  for (const char* const id : {"korf100:3", "korf100:12", "korf100:30"}) {
    const Board board = builtin_set(id, Metric::single).boards.at(0).board.board;
    const Problem ahead{make_instance(board, goal), "manhattan"};
    const Problem back{make_instance(goal, board), "manhattan"};
    const auto search = make_subtree_search(ahead);
    const auto other = make_subtree_search(back);
    const double ratio = size_from_other_end(*search, *other, Metric::single, 30'000);
    // At the first bound with as many nodes.
    int bound = search->node_at("").f();
    while (real_counts(*search, bound).expanded < 30'000) bound += 2;
    const double real = static_cast<double>(real_counts(*other, bound).expanded) /
                        static_cast<double>(real_counts(*search, bound).expanded);
    EXPECT_GT(ratio, real / 2) << id;
    EXPECT_LT(ratio, real * 2) << id;
    EXPECT_EQ(size_from_other_end(*search, *other, Metric::single, 1e30), 1);
  }
}

TEST(Rate, IsThatOfTheExecutor) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const Problem problem = problem_of(board, cases[3]);
  SerialExecutor executor;
  const double rate = measure_rate(problem, executor, 50, 0.1, nullptr);
  EXPECT_GT(rate, 1e4);
  EXPECT_LT(rate, 1e10);
  // A board one move from the goal has no tree to speak of; a deeper bound gives it one.
  const Board near = parse_board("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", {});
  EXPECT_GT(measure_rate(problem_of(near, cases[3]), executor, 1, 0.1, nullptr), 1e4);
}

// Workers that get no time of a busy machine, at first or ever.
class Starved final : public SubtreeExecutor {
 public:
  explicit Starved(int times) : left_(times) {}
  void begin(const Problem&) override {}
  Execution execute(std::span<const WorkItem>, const Task&, Monitor&) override {
    Execution execution;
    execution.wall_seconds = 0.5;
    if (left_-- > 0) execution.stop = Stop::time_limit;
    else execution.counts.expanded = 500;
    return execution;
  }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {}; }

 private:
  int left_;
};

TEST(Rate, IsMeasuredAgainWhereNobodyGotToWork) {
  const Board board = parse_board("5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12", {});
  const Problem problem = problem_of(board, cases[3]);
  Starved twice(2);
  EXPECT_DOUBLE_EQ(measure_rate(problem, twice, 50, 0.5, nullptr), 1000);
  Starved always(1000);
  EXPECT_EQ(measure_rate(problem, always, 50, 0.5, nullptr), 0);
}

TEST(Forecast, GoesOnAsTheIterationsGrew) {
  std::vector<IterationReport> finished(1);
  finished[0].counts.expanded = 1000;
  EXPECT_FALSE(forecast(finished, 100, 1));
  finished.emplace_back().counts.expanded = 6000;
  const auto left = forecast(finished, 9000, 2);
  ASSERT_TRUE(left);
  EXPECT_DOUBLE_EQ(left->part_done, 0.25);  // of 36,000
  EXPECT_DOUBLE_EQ(left->seconds_left, 6);
  EXPECT_FALSE(forecast(finished, 40'000, 9));  // more than was expected: nobody knows
  EXPECT_FALSE(forecast(finished, 0, 9));
}

TEST(Request, HoldsTheWork) {
  const JobRequest small = suggest_request({1e9, 1e7, 16, 1 << 20});
  EXPECT_EQ(small.nodes, 1);
  EXPECT_EQ(small.cpus_per_task, 16);
  EXPECT_EQ(small.seconds, 600);
  EXPECT_GT(small.memory_bytes, 16ULL * (48 << 20));
  const JobRequest large = suggest_request({1e15, 1e7, 16, 1 << 20});
  EXPECT_LE(large.seconds, 2 * 3600);
  EXPECT_GE(large.nodes * large.seconds * 16 * 1e7 * 0.85, 1e15 * large.safety * 0.99);
}

// Of the bounds below the optimal length; equal problems give equal figures.
TEST(EstimateProof, IsAtLeastAboutWhatTheProofExpands) {
  for (const auto& [id, length] : {std::pair{"12", 45}, {"42", 42}, {"79", 42}, {"47", 47}}) {
    const BuiltinSet set = builtin_set(std::string("korf100:") + id, Metric::single);
    const Board& board = set.boards[0].board.board;
    const Problem problem{make_instance(board, set.goal.board(board.size())), "manhattan"};
    const auto search = make_subtree_search(problem);
    double proof = 0;
    for (int bound = search->node_at("").f(); bound < length; bound += 2) {
      proof += static_cast<double>(real_counts(*search, bound).expanded);
    }
    const double estimate = estimate_proof(problem);
    EXPECT_GT(estimate, proof / 3) << id;
    EXPECT_LT(estimate, 1e4 * (proof + 1)) << id;
    EXPECT_EQ(estimate, estimate_proof(problem));
  }
}

TEST(EstimateProof, IsNothingAtTheGoalAndLittleBesideIt) {
  const Board goal = Goal(Goal::Kind::last).board({5, 5});
  EXPECT_EQ(estimate_proof({make_instance(goal, goal), "manhattan"}), 0);
  Board board = goal;
  for (const Direction d : {Direction::up, Direction::left, Direction::up, Direction::left}) {
    board.move(d);
  }
  EXPECT_EQ(estimate_proof({make_instance(board, goal), "manhattan"}), 0);
}

}  // namespace
}  // namespace tessera
