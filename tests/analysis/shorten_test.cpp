// SPDX-License-Identifier: MIT
#include "analysis/shorten.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/random_board.hpp"
#include "search/tree/serial_executor.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {
namespace {

// A detour: `moves` random moves, never straight back.
std::string wandering(Board board, int moves, Random& random) {
  std::string letters;
  while (static_cast<int>(letters.size()) < moves) {
    const Direction d = all_directions[random.below(4)];
    if (!board.neighbor(d)) continue;
    if (!letters.empty() && letters.back() == letter(opposite(d))) continue;
    board.move(d);
    letters += letter(d);
  }
  return letters;
}

TEST(Shorten, NeverLengthensAndKeepsTheEnd) {
  Random random(5);
  for (const Size size : {Size{3, 3}, Size{5, 4}, Size{8, 8}}) {
    for (const Metric metric : {Metric::single, Metric::multi}) {
      if (metric == Metric::multi && size.cells() > 16) continue;
      const Board start = random_board(Goal().board(size), random);
      const std::string letters = wandering(start, 200, random);
      SerialExecutor one;
      ThreadsExecutor two(2);
      const ShortenOptions options{.metric = metric,
                                   .heuristic = metric == Metric::single ? "manhattan" : "lines",
                                   .window_nodes = 20'000,
                                   .beam_evaluations = 2'000'000};
      const Shortened shortened = shorten(start, letters, options, one, {});
      EXPECT_LE(solution_length(shortened.moves, metric), solution_length(letters, metric));
      EXPECT_EQ(replayed(start, shortened.moves), replayed(start, letters));
      EXPECT_FALSE(shortened.stop);
      EXPECT_EQ(shorten(start, letters, options, two, {}).moves, shortened.moves);
      if (size == Size{3, 3}) {
        EXPECT_LE(solution_length(shortened.moves, metric), 31);
        EXPECT_TRUE(shortened.is_optimal);
      }
    }
  }
}

// Windows of beams that become a few moves reach to the beginning and no further.
TEST(Shorten, LongWindowsMayBecomeMuchShorter) {
  const Board start = Goal().board({3, 3});
  SerialExecutor one;
  for (std::uint64_t seed = 1; seed <= 14; ++seed) {
    Random random(seed);
    const std::string letters = wandering(start, 600, random);
    const Shortened shortened =
        shorten(start, letters,
                {.heuristic = "manhattan", .window_nodes = 1000, .longest_window = 100}, one, {});
    EXPECT_EQ(replayed(start, shortened.moves), replayed(start, letters));
    EXPECT_LE(shortened.moves.size(), 100U);
  }
}

TEST(Shorten, NothingIsShorterThanOneMove) {
  const Board start = Goal().board({3, 3});
  SerialExecutor one;
  for (const char* moves : {"", "RL", "R"}) {
    EXPECT_TRUE(shorten(start, moves, {.heuristic = "manhattan"}, one, {}).is_optimal) << moves;
  }
}

TEST(Shorten, BeamsShortenWhatWindowsCannot) {
  Random random(1);
  const Board goal = Goal().board({5, 5});
  const Board start = random_board(goal, random);
  SerialExecutor one;
  Observer nobody;
  const std::string letters =
      one.beam({.instance = make_instance(start, goal), .heuristic = "linear-conflict"},
               {.width = 64}, {}, nobody)
          .moves.value();
  const Shortened by_windows =
      shorten(start, letters, {.window_nodes = 2'000, .beam_evaluations = 0}, one, {});
  const ShortenOptions options{.window_nodes = 2'000, .beam_evaluations = 2'000'000};
  const Shortened by_beams = shorten(start, letters, options, one, {});
  EXPECT_LT(by_beams.moves.size(), by_windows.moves.size());
  EXPECT_EQ(replayed(start, by_beams.moves), goal);
  ThreadsExecutor two(2);
  EXPECT_EQ(shorten(start, letters, options, two, {}).moves, by_beams.moves);
}

TEST(Shorten, BeamsOfTheSameWidthFindOtherSolutions) {
  Random random(6);
  const Board goal = Goal().board({7, 7});
  const Board start = random_board(goal, random);
  SerialExecutor executor;
  Observer nobody;
  const std::string letters =
      executor
          .beam({.instance = make_instance(start, goal), .heuristic = "linear-conflict"},
                {.width = 1024}, {}, nobody)
          .moves.value();
  const ShortenOptions options{.window_nodes = 2'000, .beam_evaluations = 3'000'000};
  const Shortened shortened = shorten(start, letters, options, executor, {});
  EXPECT_LT(shortened.moves.size() + 10, letters.size());
  EXPECT_EQ(replayed(start, shortened.moves), goal);
}

TEST(Shorten, AnOptimalSequenceStays) {
  const Board goal = Goal().board({4, 4});
  const std::string letters = "DDRRDRULLURD";
  const Board start = replayed(goal, letters).value();
  SerialExecutor executor;
  const Shortened first = shorten(goal, letters, {}, executor, {});
  EXPECT_EQ(shorten(goal, first.moves, {}, executor, {}).moves, first.moves);
  EXPECT_TRUE(first.is_optimal);
  EXPECT_EQ(shorten(start, "", {}, executor, {}).moves, "");
  EXPECT_EQ(shorten(goal, "DDUU", {}, executor, {}).moves, "");
}

TEST(Shorten, ALargerNodeLimitNeverMakesBeamsSmaller) {
  std::uint64_t evaluations = 0;
  for (int bit = 0; bit < 64; ++bit) {
    SearchOptions options;
    options.node_limit = std::uint64_t{1} << bit;
    const ShortenOptions shorten = shorten_options(options, 0);
    EXPECT_EQ(shorten.window_nodes, options.node_limit);
    EXPECT_GE(shorten.beam_evaluations, std::max(evaluations, options.node_limit)) << bit;
    evaluations = shorten.beam_evaluations;
  }
}

TEST(Shorten, AStopKeepsWhatWasFound) {
  Random random(6);
  const Board start = random_board(Goal().board({6, 6}), random);
  const std::string letters = wandering(start, 300, random);
  std::atomic<bool> interrupted = false;
  SerialExecutor executor;
  std::string last;
  Limits limits;
  limits.interrupted = &interrupted;
  const auto stop_at_once = [&](const std::string& moves, int) {
    last = moves;
    interrupted = true;
  };
  const Shortened stopped = shorten(start, letters, {}, executor, limits, stop_at_once);
  EXPECT_EQ(stopped.stop, Stop::interrupted);
  EXPECT_EQ(stopped.moves, last);
  EXPECT_LT(last.size(), letters.size());
  EXPECT_EQ(replayed(start, last), replayed(start, letters));
}

// For windows that end with the blank in different cells; none once the time is up.
TEST(Shorten, KeepsTablesInTheirFolder) {
  const TemporaryFolder folder;
  const Board start = Goal().board({3, 3});
  Random random(7);
  const std::string letters = wandering(start, 60, random);
  SerialExecutor one;
  ShortenOptions options{.heuristic = "pdb:4-4", .table_directory = folder.text()};
  const Shortened shortened = shorten(start, letters, options, one, {});
  EXPECT_TRUE(shortened.is_optimal);
  const std::size_t count = folder.entries().size();
  EXPECT_GT(count, 2U);
  EXPECT_EQ(shorten(start, letters, {.heuristic = "manhattan"}, one, {}).moves.size(),
            shortened.moves.size());

  Limits limits;
  limits.deadline = std::chrono::steady_clock::now();
  const TemporaryFolder empty;
  options.table_directory = empty.text();
  const Shortened stopped = shorten(start, letters, options, one, limits);
  EXPECT_EQ(stopped.stop, Stop::time_limit);
  EXPECT_TRUE(empty.entries().empty());
}

TEST(Shorten, RefusesTablesThatAreLargeForTheBlankInEveryCell) {
  SerialExecutor one;
  const Board start = Goal().board({5, 5});
  const Error error = refused([&] {
    return shorten(start, "DRDR", {.metric = Metric::multi, .heuristic = "blocks"}, one, {});
  });
  EXPECT_EQ(error.kind(), ErrorKind::resource);
  EXPECT_TRUE(std::string(error.what()).starts_with("heuristic blocks takes tables of"));
}

// Interrupted just after the first window of all moves was searched to its end.
class InterruptedAfterProof final : public SerialExecutor {
 public:
  [[nodiscard]] const std::atomic<bool>& interrupted() const { return interrupted_; }
  std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs, const BatchOptions& options,
                                        const Limits& limits, const BoardDone& done) override {
    const bool is_last = jobs.size() == 1;
    auto times = SerialExecutor::solve_boards(std::move(jobs), options, limits, done);
    if (is_last) interrupted_ = true;
    return times;
  }

 private:
  std::atomic<bool> interrupted_ = false;
};

TEST(Shorten, AProofEndsItWhateverLimitFollows) {
  const Board start = Goal().board({4, 4});
  Random random(7);
  for (const int moves : {10, 24}) {
    InterruptedAfterProof backend;
    Limits limits;
    limits.interrupted = &backend.interrupted();
    const Shortened shortened =
        shorten(start, wandering(start, moves, random), {}, backend, limits);
    EXPECT_TRUE(backend.interrupted());
    EXPECT_TRUE(shortened.is_optimal);
    EXPECT_FALSE(shortened.stop);
  }
}

}  // namespace
}  // namespace tessera
