// SPDX-License-Identifier: MIT
// A search from below ends where an incumbent from above is proven optimal.
#include "search/tree/bracket.hpp"

#include <gtest/gtest.h>

#include "base/thinned.hpp"
#include "built_in_problem.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/beam/beam.hpp"
#include "search/tree/incumbent_search.hpp"
#include "solving.hpp"
#include "two_ranks.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t width = 100;

struct BracketRecorder final : Observer {
  std::vector<Bracket> brackets;
  void bracket(const Bracket& bracket) override { brackets.push_back(bracket); }
};

// As if a beam search had found these moves.
IdaStarOptions with_incumbent(const std::string& moves) {
  IdaStarOptions options;
  options.incumbent.width = width;
  options.saved.beams = {{.width = width, .evaluated = 7, .seconds = 0, .moves = moves}};
  return options;
}

class Proof : public testing::Test {
 protected:
  const Problem problem = built_in_problem("korf100:12");  // 45 moves, bounds from 35 on
  BracketRecorder recorder;
  const SearchResult absent = solve(problem, {}, recorder);
  const std::string optimal = absent.solution.value();
};

TEST_F(Proof, ExpandsNoNodeOfTheIncumbentsOwnBoundWhereItIsOptimal) {
  EXPECT_TRUE(recorder.brackets.empty());
  const SearchResult proven = solve(problem, with_incumbent(optimal), recorder);
  EXPECT_TRUE(proven.optimal);
  EXPECT_FALSE(proven.stop);
  EXPECT_EQ(proven.solution, optimal);
  EXPECT_EQ(proven.bound, 45);
  ASSERT_EQ(proven.iterations.size(), absent.iterations.size() - 1);
  for (std::size_t i = 0; i < proven.iterations.size(); ++i) {
    EXPECT_EQ(proven.iterations[i].counts, absent.iterations[i].counts);
    EXPECT_TRUE(proven.iterations[i].complete);
  }
  ASSERT_TRUE(proven.incumbent);
  EXPECT_EQ(proven.incumbent->length, 45);
  EXPECT_EQ(proven.incumbent->evaluated, 7U);
  ASSERT_EQ(recorder.brackets.size(), absent.iterations.size());
  EXPECT_EQ(recorder.brackets.front(), (Bracket{absent.iterations.front().bound, 45}));
  EXPECT_EQ(recorder.brackets.back(), (Bracket{45, 45}));
}

TEST_F(Proof, FindsTheOptimumWhereTheIncumbentIsTooLong) {
  // There and back at the goal, whose blank is in the upper left corner.
  const std::string longer = optimal + "LR";
  ASSERT_EQ(replayed(problem.instance.start, longer), problem.instance.goal());
  const SearchResult found = solve(problem, with_incumbent(longer), recorder);
  EXPECT_TRUE(found.optimal);
  EXPECT_EQ(found.solution->size(), 45U);
  EXPECT_EQ(found.iterations.size(), absent.iterations.size());
  EXPECT_EQ(found.incumbent->length, 47);
}

TEST_F(Proof, NeedsNoIterationWhereTheIncumbentMeetsTheHeuristic) {
  const Board goal = Goal(Goal::Kind::last).board({4, 4});
  const Problem near{make_instance(goal.moved(Direction::up).moved(Direction::up), goal),
                     "manhattan"};
  const SearchResult proven = solve(near, with_incumbent("UU"), recorder);
  EXPECT_TRUE(proven.optimal);
  EXPECT_TRUE(proven.iterations.empty());
  EXPECT_EQ(proven.counts.expanded, 0U);
}

TEST_F(Proof, ALimitLeavesTheIncumbent) {
  Limits limits;
  limits.nodes = 50'000;
  const SearchResult cut = solve(problem, with_incumbent(optimal), recorder, limits);
  EXPECT_EQ(cut.stop, Stop::node_limit);
  EXPECT_EQ(cut.solution, optimal);
  EXPECT_FALSE(cut.optimal);
  EXPECT_LT(cut.bound, 45);
}

TEST_F(Proof, EvaluationsAreNoNodesOfTheLimit) {
  IdaStarOptions options;
  options.incumbent.width = 3000;
  options.incumbent.prove = false;
  Limits limits;
  limits.nodes = 10;
  const SearchResult result = solve(problem, options, recorder, limits);
  ASSERT_TRUE(result.solution);
  EXPECT_GT(result.incumbent->evaluated, 10'000U);
  EXPECT_EQ(result.counts.generated, 1U);
  EXPECT_FALSE(result.stop);
}

TEST(Incumbents, WithoutAProofWidthsGrowUntilASolutionIsFound) {
  const Problem problem = built_in_problem("korf50:22");
  Observer nobody;
  ASSERT_FALSE(beam_search(problem, {.width = 1}, 1, {}, nobody).moves);
  IdaStarOptions options;
  options.incumbent.width = 1;
  options.incumbent.prove = false;
  BracketRecorder recorder;
  const SearchResult result = solve(problem, options, recorder);
  ASSERT_TRUE(result.solution);
  EXPECT_GT(result.incumbent->width, 1U);
}

TEST(Incumbents, OtherRanksWaitWhileTheFirstRunsABeamAlone) {
  IdaStarOptions options;
  options.incumbent.width = 500;
  options.incumbent.prove = false;
  BracketRecorder recorder;
  for (const int ranks : {1, 2}) {
    TwoRanks executor(ranks);
    const SearchResult result =
        ida_star(built_in_problem("korf50:22"), options, executor, {}, recorder);
    ASSERT_EQ(result.times.size(), 2U);
    EXPECT_GT(result.times[0].search, 0);
    EXPECT_EQ(result.times[1].search > 0, ranks == 2);
    for (const WorkerTimes& worker : result.times) {
      EXPECT_NEAR(worker.sum(), result.seconds, 1e-6);
    }
  }
}

TEST(Incumbents, WidenWhileTheyCostLessThanTheBounds) {
  const Board goal = Goal(Goal::Kind::first).board({5, 5});
  Random random(4);
  const Problem problem{make_instance(scrambled(goal, 100, random), goal), "manhattan"};
  IdaStarOptions options;
  options.incumbent.automatic = true;
  Limits limits;
  limits.nodes = 60'000'000;
  BracketRecorder recorder;
  const SearchResult result = solve(problem, options, recorder, limits);
  ASSERT_TRUE(result.incumbent);
  EXPECT_LT(result.incumbent->evaluated, result.counts.generated / 2);
  for (const Bracket& bracket : recorder.brackets) EXPECT_LE(bracket.lower, *bracket.upper);
}

// An executor whose beam searches all find the same solution and cost what they usually do.
struct SameSolution : SubtreeExecutor {
  void begin(const Problem& /*problem*/) override {}
  Execution execute(std::span<const WorkItem> /*items*/, const Task& /*task*/,
                    Monitor& /*monitor*/) override {
    return {};
  }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] bool in_order() const override { return true; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {}; }
  BeamResult beam(const Problem& /*problem*/, const BeamOptions& options, const Limits& /*limits*/,
                  Observer& /*observer*/) override {
    widest = options.width;
    BeamResult result;
    result.moves = std::string(100, 'U');
    result.evaluated = 220 * options.width;
    return result;
  }
  std::uint64_t widest = 0;
};

// The widest beam before a bound of 8e8 nodes, until 100 moves are proven.
std::uint64_t widest_beam(const char* heuristic) {
  const Board goal = Goal(Goal::Kind::first).board({5, 5});
  const Problem problem{make_instance(goal, goal), to_string(resolve_heuristic(heuristic, goal))};
  IdaStarOptions options;
  options.incumbent.automatic = true;
  SameSolution executor;
  BracketRecorder recorder;
  IncumbentSearch(problem, options, executor, {}, recorder).run_before(98, 8e8);
  return executor.widest;
}

// A beam costs fewer of their nodes.
TEST(Incumbents, SlowHeuristicsAreWorthWiderBeams) {
  EXPECT_EQ(widest_beam("manhattan"), 4096U);
  EXPECT_EQ(widest_beam("pairwise"), 65'536U);
  EXPECT_EQ(widest_beam("pdb:3-3-3-3-3-3-3-3"), 131'072U);
  EXPECT_EQ(widest_beam("max(pdb:3-3-3-3-3-3-3-3,pdb:4-4-4-4-4-4)"), 524'288U);
}

// Beams take a thousand evaluations per second, an hour is left, and the next bound takes years.
TEST(Incumbents, TheLastBeamsAreAsWideAsADeadlineAllows) {
  struct Slow final : SameSolution {
    BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                    Observer& observer) override {
      BeamResult result = SameSolution::beam(problem, options, limits, observer);
      result.seconds = static_cast<double>(result.evaluated) / 1000;
      widths.push_back(options.width);
      return result;
    }
    std::vector<std::uint64_t> widths;
  };
  const Problem problem = built_in_problem("korf50:1");
  IdaStarOptions options;
  options.incumbent.automatic = true;
  for (const bool is_hopeless : {false, true}) {
    Slow executor;
    BracketRecorder recorder;
    const Limits limits = Limits().for_board(std::chrono::hours(1));
    IncumbentSearch search(problem, options, executor, limits, recorder);
    search.run_before(98, is_hopeless ? 1e12 : 1e7);
    if (!is_hopeless) {
      EXPECT_LT(executor.widths.back(), 4096U);
      EXPECT_FALSE(search.stop());
      continue;
    }
    EXPECT_FALSE(search.stop());
    ASSERT_EQ(executor.widths.size(), 5U);
    EXPECT_EQ(executor.widths[3], 8192U);
    // 0.95 * 3600 s, less what the test takes, at 220 evaluations for each board of the width.
    EXPECT_LE(executor.widths[4], 15'545U);
    EXPECT_GE(executor.widths[4], 15'000U);
  }
}

TEST(Incumbents, ASolvedBoardNeedsNoBeam) {
  const Board goal = Goal(Goal::Kind::first).board({5, 5});
  const Problem problem{make_instance(goal, goal), "manhattan"};
  IdaStarOptions options;
  options.incumbent.automatic = true;
  options.incumbent.memory_bytes = beam_bytes(problem, 4096, 1);
  SameSolution executor;
  BracketRecorder recorder;
  EXPECT_EQ(ida_star(problem, options, executor, {}, recorder).solution, "");
  EXPECT_EQ(executor.widest, 0U);
}

// The narrow beams find nothing, in far more layers than a solution takes.
struct OnlyWideOnesFind final : SameSolution {
  BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                  Observer& observer) override {
    BeamResult result = SameSolution::beam(problem, options, limits, observer);
    if (options.width < 4096) {
      result.moves.reset();
      result.evaluated *= 100;
    }
    return result;
  }
};

TEST(Incumbents, BeamsThatFoundNothingDoNotDelayAWiderOne) {
  const Board goal = Goal(Goal::Kind::first).board({5, 5});
  const Problem problem{make_instance(goal, goal), "linear-conflict"};
  IdaStarOptions options;
  options.incumbent.automatic = true;
  OnlyWideOnesFind executor;
  BracketRecorder recorder;
  IncumbentSearch incumbents(problem, options, executor, {}, recorder);
  incumbents.run_before(98, 1e7);  // half as many evaluations; the first beam takes 2.2e7
  EXPECT_EQ(incumbents.length(), 100);
  EXPECT_EQ(executor.widest, 4096U);
}

// Searches find ever shorter solutions, until a limit cuts the third.
struct EverShorter final : SameSolution {
  explicit EverShorter(const BracketRecorder& recorder) : shown(recorder) {}
  BeamResult beam(const Problem& /*problem*/, const BeamOptions& options, const Limits& /*limits*/,
                  Observer& /*observer*/) override {
    EXPECT_EQ(shown.brackets.size(), searches);  // each one before, and not again
    BeamResult result;
    result.seconds = 5;
    result.evaluated = options.width;
    if (++searches == 3) result.stop = Stop::time_limit;
    else result.moves = std::string(104 - 2 * searches, 'U');
    return result;
  }
  const BracketRecorder& shown;
  std::size_t searches = 0;
};

TEST(Incumbents, EachIsShownBeforeTheNextSearchBegins) {
  const Board goal = Goal(Goal::Kind::first).board({5, 5});
  const Problem problem{make_instance(goal, goal), "manhattan"};
  IdaStarOptions options;
  options.incumbent.automatic = true;
  BracketRecorder recorder;
  EverShorter executor(recorder);
  IncumbentSearch search(problem, options, executor, {}, recorder);
  search.run_before(98, 8e9);
  EXPECT_EQ(executor.searches, 3U);
  EXPECT_EQ(recorder.brackets, (std::vector<Bracket>{{98, 102}, {98, 100}}));
  EXPECT_EQ(search.length(), 100);
  EXPECT_EQ(search.seconds(), 15);  // what the limit cut was search, too
}

// Runs real beams; records which and their solutions.
struct RecordedBeams final : SameSolution {
  BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                  Observer& observer) override {
    asked.push_back({problem.instance, options.width});
    return beam_search(problem, options, 1, limits, observer);
  }
  std::vector<std::pair<Instance, std::uint64_t>> asked;
};

struct BeamJournal final : SearchJournal {
  std::vector<FinishedBeam> beams;
  void iteration_finished(const IterationReport&, int) override {}
  void subtrees_finished(int, const std::vector<FinishedSubtree>&, double) override {}
  void beam_finished(const FinishedBeam& beam) override { beams.push_back(beam); }
};

TEST(Incumbents, TakeTurnsAtBothEnds) {
  const Board goal = Goal(Goal::Kind::last).board({6, 6});
  int from_goal = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    if (thinned > 1 && seed > 1) break;
    Random random(seed);
    const Problem problem{make_instance(random_board(goal, random), goal), "pairwise"};
    BeamJournal journal;
    IdaStarOptions options;
    options.incumbent.automatic = true;
    options.journal = &journal;
    RecordedBeams executor;
    BracketRecorder recorder;
    IncumbentSearch search(problem, options, executor, {}, recorder);
    search.run_before(120, 3e6);
    ASSERT_GE(executor.asked.size(), 4U);
    ASSERT_EQ(journal.beams.size(), executor.asked.size());
    for (std::size_t i = 0; i < executor.asked.size(); ++i) {
      const auto& [instance, asked_width] = executor.asked[i];
      const bool is_back = i % 2 == 1;
      EXPECT_EQ(asked_width, std::uint64_t{1024} << i);
      EXPECT_EQ(instance.goal_blank,
                (is_back ? problem.instance.start : problem.instance.goal()).blank());
      const std::string& moves = journal.beams[i].moves;
      if (moves.empty()) continue;
      EXPECT_EQ(replayed(problem.instance.start, moves), problem.instance.goal());
      from_goal += is_back ? 1 : 0;
    }
    // A run that goes on continues with the next width, from the other end.
    options.saved.beams = journal.beams;
    RecordedBeams later;
    IncumbentSearch resumed(problem, options, later, {}, recorder);
    EXPECT_EQ(resumed.length(), search.length());
    resumed.run_before(120, 1.3e7);
    ASSERT_FALSE(later.asked.empty());
    EXPECT_EQ(later.asked.front().second, 2 * executor.asked.back().second);
    EXPECT_NE(later.asked.front().first.start, executor.asked.back().first.start);
  }
  if (thinned == 1) {
    EXPECT_GT(from_goal, 0);
  }
}

TEST(Incumbents, FinishedWidthsAreNotRepeated) {
  const Problem problem = built_in_problem("korf50:1");
  BeamJournal journal;
  IdaStarOptions options;
  options.incumbent.width = 2000;
  options.journal = &journal;
  Limits limits;
  limits.nodes = 10'000;
  BracketRecorder recorder;
  const SearchResult first = solve(problem, options, recorder, limits);
  ASSERT_EQ(journal.beams.size(), 1U);
  options.saved.beams = journal.beams;
  const SearchResult second = solve(problem, options, recorder, limits);
  EXPECT_EQ(journal.beams.size(), 1U);
  EXPECT_EQ(second.solution, first.solution);
}

}  // namespace
}  // namespace tessera
