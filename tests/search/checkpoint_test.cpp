// SPDX-License-Identifier: MIT
// The file that a stopped search is resumed from: cut anywhere, of other boards, damaged, short.
#include "search/record/checkpoint.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <set>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "built_in_problem.hpp"
#include "interrupted_search.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

class CheckpointTest : public testing::Test {
 protected:
  [[nodiscard]] Checkpoint opened(bool resume = true) const { return {path_, resume, 5}; }

  // Solves boards one after another as a batch does; an empty answer where it was stopped.
  std::vector<SearchResult> batch(const std::vector<Problem>& problems,
                                  const IdaStarOptions& options, SubtreeExecutor& executor) const {
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
  std::vector<Problem> problems{
      problem_of(interrupted_cases[0], 40, random), problem_of(interrupted_cases[2], 20, random),
      problem_of(interrupted_cases[1], 44, random), problem_of(interrupted_cases[3], 50, random)};
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
      const std::string whole = content_of(path_);
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
    const std::string before = content_of(path_);
    results = batch(problems, options, none);
    ASSERT_EQ(results.size(), problems.size());
    for (std::size_t k = 0; k < problems.size(); ++k) expect_same(results[k], expected[k]);
    EXPECT_EQ(content_of(path_), before);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(cuts_within, 10);
}

// An answer holds no more than was asked for; its last bound is searched again for the rest.
TEST_F(CheckpointTest, AnAnswerIsMadeWholeWhereMoreIsAsked) {
  Random random(4);
  const std::vector<Problem> problems{problem_of(interrupted_cases[0], 40, random),
                                      problem_of(interrupted_cases[2], 20, random)};
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
  const Problem problem = built_in_problem("korf100:12");
  opened().begin(0, problem);
  const std::string before = content_of(path_);

  Problem board = built_in_problem("korf100:9");
  Problem other_goal = problem;
  other_goal.instance = make_instance(built_in_problem("korf100:12").instance.start, goal);
  Problem heuristic = problem;
  heuristic.heuristic = "linear-conflict";
  Problem metric = problem;
  metric.metric = Metric::multi;
  Problem prune = problem;
  prune.prune = PruneRule{10};
  Problem size = problem_of({{3, 3}, "manhattan"}, 20, random);
  for (const auto& [other, what] : {std::pair<Problem, std::string>{board, "board or goal"},
                                    {other_goal, "board or goal"},
                                    {heuristic, "heuristic"},
                                    {metric, "metric"},
                                    {prune, "prune"},
                                    {size, "size"}}) {
    Checkpoint checkpoint = opened();
    SCOPED_TRACE(what);
    const Error error = refused([&, &other = other] { checkpoint.begin(0, other); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(std::string(error.what()).find("another " + what + " "), std::string::npos)
        << error.what();
    EXPECT_EQ(content_of(path_), before);
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
  opened(false).begin(0, built_in_problem("korf100:12"));
  const std::string first = content_of(path_);
  opened(false).begin(0, built_in_problem("korf100:9"));
  EXPECT_EQ(content_of(path_.string() + "~"), first);
  EXPECT_NE(content_of(path_), first);
  // Nor does a run that is stopped before its first board.
  const std::string second = content_of(path_);
  opened(false).close();
  EXPECT_EQ(content_of(path_), second);
  // One that holds nothing takes nobody's place.
  std::filesystem::remove(path_);
  { const Checkpoint nothing = opened(false); }
  { const Checkpoint nothing = opened(false); }
  EXPECT_EQ(content_of(path_.string() + "~"), first);
}

// A foreign file is not moved away either.
TEST_F(CheckpointTest, LeavesAForeignFileAlone) {
  overwrite(path_, "my only copy\n");
  EXPECT_THROW((void)opened(false), Error);
  EXPECT_THROW((void)opened(true), Error);
  EXPECT_EQ(content_of(path_), "my only copy\n");
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
    SCOPED_TRACE(bad);
    const Error error = refused([&] { return opened(); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ":3: ")) << error.what();
  }
}

TEST_F(CheckpointTest, KeepsTheTimeThatTheBoundHasTaken) {
  const Problem problem = built_in_problem("korf100:12");
  const FinishedSubtree subtree{"U", {1, 2, 0}, 43, ""};
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    checkpoint.subtrees_finished(41, {subtree}, 1.5);
    checkpoint.subtrees_finished(41, {subtree}, 2.5);
  }
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    EXPECT_EQ(checkpoint.saved().bound_seconds, 2.5);
    checkpoint.iteration_finished({41, {7, 8, 0}, 3.5, 0.25, true}, 43);
  }
  Checkpoint checkpoint = opened();
  checkpoint.begin(0, problem);
  EXPECT_EQ(checkpoint.saved().bound_seconds, 0);
}

// Subtrees of past bounds do not stay for ever.
TEST_F(CheckpointTest, StaysShort) {
  const Problem problem = built_in_problem("korf100:12");
  FinishedSubtree subtree{std::string(1000, 'U'), {1, 2, 0}, 43, "-"};
  const std::vector<FinishedSubtree> many(1000, subtree);
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    for (int bound = 41; bound < 141; bound += 2) {
      checkpoint.subtrees_finished(bound, many, 0);
      checkpoint.iteration_finished({bound, {7, 8, 0}, 0.5, 0.25, true}, bound + 2);
      EXPECT_LT(std::filesystem::file_size(path_), 7U << 20);
    }
    checkpoint.subtrees_finished(141, {subtree}, 0);
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

// However long a bound takes: a subtree that was finished replaces all that lie below it.
TEST_F(CheckpointTest, StaysShortWithinABound) {
  Problem problem = built_in_problem("korf100:12");
  problem.metric = Metric::multi;  // a run is one move: RR is not below R
  std::set<std::string> finished{"D", "R", "RR"};
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    checkpoint.subtrees_finished(41, {{"D", {1, 2, 0}, 43, ""}}, 0.5);
    checkpoint.iteration_finished({41, {7, 8, 0}, 0.5, 0.25, true}, 43);
    checkpoint.subtrees_finished(
        43, {{"D", {3, 4, 0}, 45, ""}, {"R", {5, 6, 0}, 45, ""}, {"RR", {5, 6, 0}, 45, ""}}, 1);
    for (int i = 0; i < 40; ++i) {
      std::string root = "L";
      for (int bit = 1; bit < 64; bit *= 2) root += (i & bit) != 0 ? "UR" : "DR";
      const FinishedSubtree part{root + std::string(1000, 'U'), {1, 2, 0}, 45, ""};
      checkpoint.subtrees_finished(43, std::vector<FinishedSubtree>(1000, part), 2);
      checkpoint.subtrees_finished(43, {{root, {9, 10, 0}, 45, ""}}, 3 + i);
      finished.insert(root);
      EXPECT_LT(std::filesystem::file_size(path_), 7U << 20);
    }
    EXPECT_FALSE(checkpoint.failure());
  }
  Checkpoint checkpoint = opened();
  checkpoint.begin(0, problem);
  const SavedSearch saved = checkpoint.saved();
  EXPECT_EQ(saved.next_bound, 43);
  EXPECT_EQ(saved.bound_seconds, 42);
  for (const FinishedSubtree& subtree : saved.finished) {
    if (subtree.path == "D") {
      EXPECT_EQ(subtree.counts, (Counts{3, 4, 0}));
    }
    finished.erase(subtree.path);
  }
  EXPECT_TRUE(finished.empty()) << *finished.begin();
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
  const Problem problem = built_in_problem("korf100:12");
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
  const Problem problem = built_in_problem("korf100:12");
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
    checkpoint.subtrees_finished(bound, std::vector<FinishedSubtree>(3000, subtree), 0);
    checkpoint.iteration_finished({bound, {7, 8, 0}, 0.5, 0.25}, bound + 2);
  }
  EXPECT_LT(std::filesystem::file_size(path_), 7U << 20);
  for (std::size_t i = 2; i < 5; ++i) {
    checkpoint.begin(i, problem);
    ASSERT_TRUE(checkpoint.has_answer(i, false)) << i;
    EXPECT_EQ(checkpoint.answer().bound, 41 + static_cast<int>(i));
  }
}

// A board that a limit stopped goes on from its subtrees, whatever the boards behind it write.
TEST_F(CheckpointTest, AShorterFileStillHoldsTheBoardsThatWereStopped) {
  const Problem problem = built_in_problem("korf100:12");
  const FinishedSubtree subtree{std::string(1000, 'U'), {1, 2, 0}, 43, "-"};
  const std::vector<FinishedSubtree> many(9000, subtree);
  SearchResult result;
  result.solution = "UL";
  result.iterations.push_back({41, {7, 8, 2}, 0.5});
  {
    Checkpoint checkpoint = opened();
    checkpoint.begin(0, problem);
    checkpoint.subtrees_finished(43, {subtree}, 0);
    checkpoint.begin(1, problem);
    checkpoint.subtrees_finished(41, many, 0);
    checkpoint.answered(result, false);
    checkpoint.begin(2, problem);
    checkpoint.subtrees_finished(43, many, 0);
    checkpoint.iteration_finished({43, {7, 8, 0}, 0.5, 0.25}, 45);
    EXPECT_LT(std::filesystem::file_size(path_), 1U << 20);
    checkpoint.subtrees_finished(45, {subtree, subtree}, 0);
  }
  Checkpoint checkpoint = opened();
  checkpoint.begin(0, problem);
  EXPECT_EQ(checkpoint.saved().finished.size(), 1U);
  checkpoint.begin(1, problem);
  EXPECT_TRUE(checkpoint.has_answer(1, false));
  checkpoint.begin(2, problem);
  EXPECT_EQ(checkpoint.saved().finished.size(), 2U);
}

}  // namespace
}  // namespace tessera
