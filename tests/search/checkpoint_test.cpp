// SPDX-License-Identifier: MIT
// Searches that are stopped anywhere and go on from what was kept count as one that was not.
#include "tessera/search/checkpoint.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <sstream>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/random.hpp"
#include "tessera/heuristic/registry.hpp"
#include "tessera/puzzle/builtin_set.hpp"
#include "tessera/puzzle/goal.hpp"
#include "tessera/puzzle/random_board.hpp"
#include "tessera/search/move_order.hpp"

namespace tessera {
namespace {

// Searches pieces of subtrees in any order, gives them away and tells at random, and is stopped
// after some of them: what threads and ranks do, in one thread and told by a seed.
class RestlessExecutor final : public Executor {
 public:
  RestlessExecutor(std::uint64_t seed, std::uint64_t pieces) : random_(seed), pieces_(pieces) {}

  void begin(const Problem& problem) override {
    search_ = make_subtree_search(problem);
    metric_ = problem.metric;
  }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {{}}; }

  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override {
    Execution execution;
    execution.expanded.resize(items.size());
    struct Cutter final : SearchControl {
      explicit Cutter(Random& random) : random_(random) {}
      bool keep_going(const Counts&) override { return !(cut = cut || random_.below(30) == 0); }
      [[nodiscard]] std::uint64_t patience() const override { return 100; }
      [[nodiscard]] bool cut_wanted() override { return cut; }
      bool cut = false;

     private:
      Random& random_;
    } control(random_);
    SubtreeCosts costs;
    std::deque<std::pair<std::size_t, WorkItem>> waiting;
    for (std::size_t i = 0; i < items.size(); ++i) waiting.emplace_back(i, items[i]);
    std::vector<FinishedSubtree> told;
    while (!waiting.empty() && !execution.stop && !execution.solution) {
      const std::size_t which = random_.below(waiting.size());
      const auto [ordinal, item] = waiting[which];
      waiting.erase(waiting.begin() + static_cast<long>(which));
      SubtreeWalk walk(*search_, costs, item, task.bound, task.mode, task.growth);
      while (!walk.over() && !execution.stop) {
        constexpr double quanta[] = {1, 20, 300, 4000, 100'000};
        control.cut = false;
        walk.step(quanta[random_.below(std::size(quanta))], control);
        if (random_.below(5) == 0) {
          for (WorkItem& given : walk.give_away(1 + random_.below(4), 0)) {
            waiting.emplace_back(ordinal, std::move(given));
          }
        }
        if (random_.below(10) == 0) walk.tell_finished(told);
        if (random_.below(20) == 0) monitor.keep(std::exchange(told, {}));
        if (pieces_-- == 0) execution.stop = Stop::interrupted;
      }
      walk.tell_finished(told);
      execution.counts += walk.counts();
      execution.expanded[ordinal] += walk.counts().expanded;
      execution.next_bound = std::min(execution.next_bound, walk.next_bound());
      if (walk.counts().solutions > 0 &&
          (!execution.solved || comes_before(walk.solved(), *execution.solved, metric_))) {
        execution.solved = walk.solved();
      }
      if (walk.found()) execution.solution = FoundSolution{ordinal, walk.solution()};
    }
    // A kill loses what was not told, a stop tells it.
    if (random_.below(2) == 0) monitor.keep(std::move(told));
    return execution;
  }

 private:
  Random random_;
  std::uint64_t pieces_;
  std::unique_ptr<SubtreeSearch> search_;
  Metric metric_ = Metric::single;
};

struct Case {
  Size size;
  std::string heuristic;
  Metric metric = Metric::single;
};

const std::vector<Case> cases{{{4, 4}, "manhattan"},
                              {{4, 4}, "pdb:3-3-3-3-3"},
                              {{3, 3}, "misplaced"},
                              {{4, 3}, "lines", Metric::multi}};

Problem problem_of(const Case& c, int moves, Random& random) {
  static const TemporaryFolder tables;
  const Board goal = Goal().board(c.size);
  Problem problem{make_instance(scrambled(goal, moves, random), goal), c.heuristic};
  if (c.metric == Metric::single) {
    problem.heuristic = to_string(resolve_heuristic(c.heuristic, goal));
  }
  problem.metric = c.metric;
  problem.table_directory = tables.text();
  return problem;
}

Problem korf(int id) {
  const BuiltinSet set = builtin_set("korf100:" + std::to_string(id), Metric::single);
  return {make_instance(set.boards[0].board.board, set.goal.board({4, 4})), "manhattan"};
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void overwrite(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << text;
}

constexpr std::uint64_t unstopped = ~std::uint64_t{0};

SearchResult search(const Problem& problem, IdaStarOptions options, Executor& executor,
                    SearchKeeper* keeper, const SavedSearch& saved = {}) {
  Observer nobody;
  options.keeper = keeper;
  options.keep_seconds = 1e-9;
  options.saved = saved;
  return ida_star(problem, options, executor, {}, nobody);
}

void expect_same(const SearchResult& result, const SearchResult& expected) {
  ASSERT_EQ(result.iterations.size(), expected.iterations.size());
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    ASSERT_EQ(result.iterations[i].bound, expected.iterations[i].bound);
    ASSERT_EQ(result.iterations[i].counts, expected.iterations[i].counts)
        << "bound " << expected.iterations[i].bound;
  }
  EXPECT_EQ(result.counts, expected.counts);
  EXPECT_EQ(result.solution, expected.solution);
  EXPECT_EQ(result.solution_count, expected.solution_count);
  EXPECT_EQ(result.optimal, expected.optimal);
}

// Keeps in memory what a checkpoint keeps in a file.
class Memory final : public SearchKeeper {
 public:
  void iteration_finished(const IterationReport& report, int next_bound) override {
    saved.iterations.push_back(report);
    saved.next_bound = next_bound;
    saved.finished.clear();
  }
  void subtrees_finished(int, const std::vector<FinishedSubtree>& finished) override {
    saved.finished.insert(saved.finished.end(), finished.begin(), finished.end());
  }
  void beam_finished(const FinishedBeam& beam) override { saved.beams.push_back(beam); }
  SavedSearch saved;
};

// Of what was told any part may be there, a record that stands for others without them or with
// them.
TEST(Resume, CountsFromAnyPartOfWhatWasTold) {
  Random random(1);
  std::size_t resumed_within = 0;
  std::size_t resumed_solutions = 0;
  for (const Case& c : cases) {
    const int full = c.heuristic == "misplaced" ? 24 : c.size == Size{4, 4} ? 44 : 60;
    const int moves = thinned == 1 ? full : full * 9 / 10;
    for (int board = 0; board < 3; ++board) {
      const Problem problem = problem_of(c, moves, random);
      for (const bool exhaust : {true, false}) {
        IdaStarOptions options;
        options.all = exhaust;
        options.frontier = 30;
        SerialExecutor serial;
        const SearchResult expected = search(problem, options, serial, nullptr);
        for (std::uint64_t i = 0; i < (thinned == 1 ? 10 : 4); ++i) {
          SavedSearch saved;
          SearchResult result;
          for (std::uint64_t kills = 0;; ++kills) {
            options.frontier = 1 + random.below(60);
            Memory memory;
            memory.saved = saved;
            RestlessExecutor executor(
                random.next(), kills < 3 ? random.below(board == 0 ? 500 : 4000) : unstopped);
            result = search(problem, options, executor, &memory, saved);
            if (!result.stop) break;
            saved = memory.saved;
            const std::uint64_t part = random.below(5);
            std::erase_if(saved.finished,
                          [&](const FinishedSubtree&) { return random.below(4) < part; });
            if (random.below(2) == 0) std::reverse(saved.finished.begin(), saved.finished.end());
            resumed_within += saved.finished.empty() ? 0 : 1;
            for (const FinishedSubtree& subtree : saved.finished) {
              resumed_solutions += subtree.counts.solutions > 0 ? 1 : 0;
            }
          }
          if (exhaust) {
            expect_same(result, expected);
          } else {
            // Which nodes of the last iteration are met before the solution is nobody's to say.
            ASSERT_EQ(result.iterations.size(), expected.iterations.size());
            for (std::size_t k = 0; k + 1 < result.iterations.size(); ++k) {
              ASSERT_EQ(result.iterations[k].counts, expected.iterations[k].counts);
            }
            ASSERT_EQ(solution_length(*result.solution, c.metric),
                      solution_length(*expected.solution, c.metric));
          }
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(resumed_within, thinned == 1 ? 50U : 2U);
  EXPECT_GT(resumed_solutions, thinned == 1 ? 20U : 0U);
}

class CheckpointTest : public testing::Test {
 protected:
  [[nodiscard]] Checkpoint opened(bool resume = true) const { return {path_, resume, 5}; }

  // Solves boards one after another as a batch does; an empty answer where it was stopped.
  std::vector<SearchResult> batch(const std::vector<Problem>& problems,
                                  const IdaStarOptions& options, Executor& executor) const {
    Checkpoint checkpoint(path_, true, 5);
    std::vector<SearchResult> results;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      checkpoint.begin(i, problems[i]);
      if (checkpoint.has_answer(i, options.all)) {
        results.push_back(checkpoint.answer());
        continue;
      }
      results.push_back(search(problems[i], options, executor, &checkpoint, checkpoint.saved()));
      if (results.back().stop) break;
      checkpoint.answered(results.back(), options.all);
    }
    checkpoint.close();
    EXPECT_FALSE(checkpoint.failure());
    return results;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "checkpoint";
};

// The file is cut at any byte at that, as a kill may leave it.
TEST_F(CheckpointTest, ABatchGoesOnFromWhereverTheFileWasCut) {
  Random random(2);
  std::vector<Problem> problems{problem_of(cases[0], 40, random), problem_of(cases[2], 20, random),
                                problem_of(cases[1], 44, random), problem_of(cases[3], 50, random)};
  IdaStarOptions options;
  options.all = true;
  options.frontier = 30;
  std::vector<SearchResult> expected;
  for (const Problem& problem : problems) {
    SerialExecutor serial;
    expected.push_back(search(problem, options, serial, nullptr));
  }
  int cuts_within = 0;
  for (int i = 0; i < 15; ++i) {
    std::filesystem::remove(path_);
    std::vector<SearchResult> results;
    for (int kills = 0;; ++kills) {
      options.frontier = 1 + random.below(60);
      RestlessExecutor executor(random.next(), kills < 6 ? random.below(400) : unstopped);
      results = batch(problems, options, executor);
      if (!results.back().stop && results.size() == problems.size()) break;
      const std::string whole = content(path_);
      if (random.below(2) == 0) {
        const std::size_t length = random.below(whole.size() + 1);
        overwrite(path_, whole.substr(0, length));
        cuts_within += length > 0 && whole[length - 1] != '\n' ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < problems.size(); ++k) expect_same(results[k], expected[k]);
    if (HasFatalFailure()) return;
    // What is answered is answered again without a search.
    RestlessExecutor none(1, 0);
    const std::string before = content(path_);
    results = batch(problems, options, none);
    ASSERT_EQ(results.size(), problems.size());
    for (std::size_t k = 0; k < problems.size(); ++k) expect_same(results[k], expected[k]);
    EXPECT_EQ(content(path_), before);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(cuts_within, 10);
}

// An answer holds no more than was asked for; its last bound is searched again for the rest.
TEST_F(CheckpointTest, AnAnswerIsMadeWholeWhereMoreIsAsked) {
  Random random(4);
  const std::vector<Problem> problems{problem_of(cases[0], 40, random),
                                      problem_of(cases[2], 20, random)};
  IdaStarOptions some;
  some.frontier = 20;
  IdaStarOptions all = some;
  all.all = true;
  const auto goes_on = [&](const IdaStarOptions& options, std::uint64_t pieces) {
    RestlessExecutor executor(random.next(), pieces);
    return batch(problems, options, executor);
  };
  std::vector<SearchResult> expected;
  for (const Problem& problem : problems) {
    SerialExecutor serial;
    expected.push_back(search(problem, all, serial, nullptr));
  }
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove(path_);
    EXPECT_EQ(goes_on(some, unstopped).size(), 2U);
    EXPECT_EQ(goes_on(some, 0).size(), 2U);
    (void)goes_on(all, random.below(50));
    const std::vector<SearchResult> results = goes_on(all, unstopped);
    for (std::size_t k = 0; k < 2; ++k) expect_same(results[k], expected[k]);
    if (HasFatalFailure()) return;
    const std::vector<SearchResult> again = goes_on(all, 0);
    for (std::size_t k = 0; k < 2; ++k) expect_same(again[k], expected[k]);
    EXPECT_EQ(goes_on(some, 0).size(), 2U);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CheckpointTest, RefusesAnotherRunsFile) {
  const Board goal = Goal().board({4, 4});
  Random random(3);
  const Problem problem = korf(12);
  opened().begin(0, problem);
  const std::string before = content(path_);

  Problem board = korf(9);
  Problem other_goal = problem;
  other_goal.instance = make_instance(korf(12).instance.start, goal);
  Problem heuristic = problem;
  heuristic.heuristic = "linear-conflict";
  Problem metric = problem;
  metric.metric = Metric::multi;
  Problem prune = problem;
  prune.prune = "fsm:10";
  Problem size = problem_of({{3, 3}, "manhattan"}, 20, random);
  for (const auto& [other, what] : {std::pair<Problem, std::string>{board, "board or goal"},
                                    {other_goal, "board or goal"},
                                    {heuristic, "heuristic"},
                                    {metric, "metric"},
                                    {prune, "prune"},
                                    {size, "size"}}) {
    Checkpoint checkpoint = opened();
    try {
      checkpoint.begin(0, other);
      ADD_FAILURE() << "took another " << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      EXPECT_NE(std::string(error.what()).find("another " + what + " "), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(content(path_), before);
  }
  // Neither the kernel nor where tables lie makes another search of it.
  Problem same = problem;
  same.kernel = Kernel::plain;
  same.table_directory = "/elsewhere";
  opened().begin(0, same);
  EXPECT_EQ(opened().heuristic(0), "manhattan");
  EXPECT_FALSE(opened().heuristic(1));
}

TEST_F(CheckpointTest, KeepsAnOldOneBesideANewOne) {
  opened(false).begin(0, korf(12));
  const std::string first = content(path_);
  opened(false).begin(0, korf(9));
  EXPECT_EQ(content(path_.string() + "~"), first);
  EXPECT_NE(content(path_), first);
  // One that holds nothing takes nobody's place.
  std::filesystem::remove(path_);
  { const Checkpoint nothing = opened(false); }
  { const Checkpoint nothing = opened(false); }
  EXPECT_EQ(content(path_.string() + "~"), first);
}

// A foreign file is not moved away either.
TEST_F(CheckpointTest, LeavesAForeignFileAlone) {
  overwrite(path_, "my only copy\n");
  EXPECT_THROW((void)opened(false), Error);
  EXPECT_THROW((void)opened(true), Error);
  EXPECT_EQ(content(path_), "my only copy\n");
  EXPECT_EQ(folder_.entries().size(), 1U);
}

// Whole lines of no meaning, as a later version may write.
TEST_F(CheckpointTest, NamesTheLineThatItCannotRead) {
  const std::string answer = "answer 0 1 1 0 0.5 UL";
  for (const std::string bad :
       {"", "board", "board x", "guess 0 1", "bound 0 1 2", "bound 0 41 1 1 0 0.5 x 43",
        "done 0 41 1 1 0 43 UL", "done 0 41 -1 1 0 43 UL UL", "done 0 41 1x 1 0 43 UL UL"}) {
    std::filesystem::remove(path_);
    Journal(path_, "tessera.checkpoint/1").append({answer, bad}, false);
    try {
      (void)opened();
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ":3: ")) << error.what();
    }
  }
}

// Subtrees of past bounds do not stay for ever.
TEST_F(CheckpointTest, StaysShort) {
  const Problem problem = korf(12);
  FinishedSubtree subtree{std::string(1000, 'U'), {1, 2, 0}, 43, "-"};
  const std::vector<FinishedSubtree> many(1000, subtree);
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    for (int bound = 41; bound < 141; bound += 2) {
      checkpoint.subtrees_finished(bound, many);
      checkpoint.iteration_finished({bound, {7, 8, 0}, 0.5, 0.25, true}, bound + 2);
      EXPECT_LT(std::filesystem::file_size(path_), 7U << 20);
    }
    checkpoint.subtrees_finished(141, {subtree});
    checkpoint.close();
    EXPECT_FALSE(checkpoint.failure());
  }
  Checkpoint checkpoint = opened();
  checkpoint.begin(0, problem);
  ASSERT_EQ(checkpoint.saved().iterations.size(), 50U);
  EXPECT_EQ(checkpoint.saved().iterations[49].bound, 139);
  EXPECT_EQ(checkpoint.saved().iterations[49].counts, (Counts{7, 8, 0}));
  EXPECT_EQ(checkpoint.saved().iterations[49].seconds, 0.5);
  EXPECT_EQ(checkpoint.saved().next_bound, 141);
  ASSERT_EQ(checkpoint.saved().finished.size(), 1U);
  EXPECT_EQ(checkpoint.saved().finished[0].path, subtree.path);
}

// Whatever the number of boards: only where the records of each stand is in memory.
TEST_F(CheckpointTest, BoardsThatAreDoneTakeNoMemory) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers count memory themselves";
  constexpr std::size_t boards = 20'000;
  constexpr std::size_t bytes_of_a_part = 24;
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const Problem problem = korf(12);
  SearchResult result;
  result.solution = "UL";
  result.optimal = true;
  for (int bound = 41; bound < 57; bound += 2) result.iterations.push_back({bound, {7, 8, 0}, 0.5});
  const std::size_t before = in_use();
  {
    Checkpoint checkpoint(path_, true, 1e9);
    for (std::size_t i = 0; i < boards; ++i) {
      checkpoint.begin(i, problem);
      for (int bound = 41; bound < 55; bound += 2) {
        checkpoint.iteration_finished({bound, {7, 8, 0}, 0.5, 0.25}, bound + 2);
      }
      checkpoint.answered(result, true);
    }
    EXPECT_LT(in_use(), before + (std::size_t{1} << 20));
  }
  Checkpoint checkpoint(path_, true, 1e9);
  EXPECT_LT(in_use(), before + 2 * bytes_of_a_part * boards + (std::size_t{1} << 20));
  for (const std::size_t i : {std::size_t{0}, std::size_t{7}, boards - 1}) {
    checkpoint.begin(i, problem);
    ASSERT_TRUE(checkpoint.has_answer(i, true));
    EXPECT_EQ(checkpoint.answer().iterations.size(), 8U);
    EXPECT_EQ(checkpoint.answer().solution, "UL");
  }
  EXPECT_FALSE(checkpoint.has_answer(boards, true));
}

// What past bounds leave goes also while other boards of the file are yet to come.
TEST_F(CheckpointTest, AShorterFileStillHoldsTheBoardsToCome) {
  const Problem problem = korf(12);
  SearchResult result;
  result.solution = "UL";
  result.iterations.push_back({41, {7, 8, 2}, 0.5});
  {
    Checkpoint checkpoint = opened();
    for (std::size_t i = 0; i < 5; ++i) {
      result.iterations.front().bound = 41 + static_cast<int>(i);
      checkpoint.begin(i, problem);
      checkpoint.answered(result, false);
    }
  }
  const FinishedSubtree subtree{std::string(1000, 'U'), {1, 2, 0}, 43, "-"};
  Checkpoint checkpoint = opened();
  checkpoint.begin(1, problem);
  ASSERT_FALSE(checkpoint.has_answer(1, true));
  for (int bound = 43; bound < 49; bound += 2) {
    checkpoint.subtrees_finished(bound, std::vector<FinishedSubtree>(3000, subtree));
    checkpoint.iteration_finished({bound, {7, 8, 0}, 0.5, 0.25}, bound + 2);
  }
  EXPECT_LT(std::filesystem::file_size(path_), 7U << 20);
  for (std::size_t i = 2; i < 5; ++i) {
    checkpoint.begin(i, problem);
    ASSERT_TRUE(checkpoint.has_answer(i, false)) << i;
    EXPECT_EQ(checkpoint.answer().bound, 41 + static_cast<int>(i));
  }
}

}  // namespace
}  // namespace tessera
