// SPDX-License-Identifier: MIT
#include "search/beam/beam.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>

#include "base/thinned.hpp"
#include "base/thread_ranks.hpp"
#include "built_in_problem.hpp"
#include "heuristic/linear_conflict.hpp"
#include "puzzle/board_hash.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/beam/beam_run.hpp"
#include "solving.hpp"

namespace tessera {
namespace {

BeamResult search(const Problem& problem, const BeamOptions& options, int threads = 1) {
  ThreadTeam team(threads);
  Ranks alone;
  Observer nobody;
  return beam_search(problem, options, team, alone, {}, nobody);
}

TEST(Beam, OneSeedAndWidthGiveOneResultOnAnyThreadsAndRanks) {
  for (const char* const board : {"korf100:79", "korf50:1"}) {
    const Problem problem = built_in_problem(board);
    const bool is_long = problem.instance.size().cells() > 16;  // a hundred layers and more
    for (const std::uint64_t width : {1UL, 3UL, 700UL, 5000UL}) {
      if (width > 700 && (thinned > 1 || (is_long && !all_cases()))) continue;
      if (width == 1 && is_long && !all_cases()) continue;
      const BeamOptions options{.width = width, .seed = 7};
      const BeamResult alone = search(problem, options);
      const BeamResult threads = search(problem, options, 3);
      EXPECT_EQ(threads.moves, alone.moves) << board << ' ' << width;
      EXPECT_EQ(threads.evaluated, alone.evaluated);
      for (const int ranks : {2, 3, 7}) {
        if (thinned > 1 && ranks > 3) continue;
        if (is_long && !all_cases() && ranks != (width == 700 ? 2 : 3)) continue;
        std::mutex mutex;
        int agreeing = 0;
        ThreadRanks(ranks).run([&](Ranks& job) {
          ThreadTeam team(1 + job.rank() % 2);
          Observer nobody;
          const BeamResult shared = beam_search(problem, options, team, job, {}, nobody);
          const std::lock_guard lock(mutex);
          agreeing += shared.moves == alone.moves && shared.evaluated == alone.evaluated ? 1 : 0;
        });
        EXPECT_EQ(agreeing, ranks) << board << ' ' << width << ' ' << ranks;
      }
      EXPECT_TRUE(!alone.moves || leads_to_goal(problem, *alone.moves));
    }
  }
}

// The same search without limits to what is kept as a candidate: sorts all children of a layer.
std::optional<std::string> sorted_search(const Problem& problem, const BeamOptions& options) {
  struct Child {
    Board board;
    std::string moves;
    int estimate;
    std::uint64_t hash;
    std::uint64_t tie;
  };
  const BeamOrder order(problem, options.exponent);
  const LinearConflict linear_conflict(problem.instance);
  const BoardHash hash(options.seed);
  const BeamShares shares(options.width, 1);
  BeamSeen seen(shares, 0);
  std::vector<Child> layer{{problem.instance.start, "", 0, 0, 0}};
  seen.insert(hash.of(problem.instance.start), 0);
  for (int depth = 0; !layer.empty(); ++depth) {
    std::map<std::uint64_t, Child> children;
    for (const Child& parent : layer) {
      for (const Direction d : all_directions) {
        if (!parent.board.neighbor(d)) continue;
        if (!parent.moves.empty() && letter(opposite(d)) == parent.moves.back()) continue;
        const Board board = parent.board.moved(d);
        if (board == problem.instance.goal()) return parent.moves + letter(d);
        Child child{board, parent.moves + letter(d), 0, hash.of(board), 0};
        if (seen.holds(child.hash)) continue;
        child.estimate = order.estimate(linear_conflict.evaluate(board), order.spread(board));
        child.tie = BeamCandidate{.hash = child.hash}.tie();
        const auto [same, is_new] = children.try_emplace(child.hash, child);
        if (!is_new && *direction_of(same->second.moves.back()) < d) same->second = child;
      }
    }
    layer.clear();
    for (auto& [key, child] : children) layer.push_back(std::move(child));
    std::ranges::sort(layer, {}, [](const Child& c) { return std::pair(c.estimate, c.tie); });
    if (layer.size() > options.width) layer.resize(options.width);
    for (const Child& child : layer) seen.insert(child.hash, depth + 1);
  }
  return {};
}

TEST(Beam, KeepsTheBestOfEachLayer) {
  Random random(8);
  for (const Size size : {Size{4, 4}, Size{6, 5}, Size{3, 12}}) {
    const Board goal = Goal().board(size);
    for (const std::uint64_t width : {7UL, 300UL}) {
      if (thinned > 1 && width > 7) continue;
      const Problem problem{make_instance(random_board(goal, random), goal), "zero"};
      const BeamOptions options{.width = width, .seed = 2};
      EXPECT_EQ(search(problem, options).moves, sorted_search(problem, options))
          << to_string(size) << ' ' << width;
    }
  }
}

Problem multi_problem(const Board& board, const Board& goal) {
  return {make_instance(board, goal), "runs", Kernel::automatic, PruneRule::parent, Metric::multi};
}

// The sums are 1,015 and 465; by h alone they would be 1,215 and 746.
TEST(Beam, ItsOrderShortensSolutionsOfLargeBoards) {
  Random random(3);
  std::map<std::string, int> moves;
  const Board goal = Goal().board({6, 6});
  for (int i = 0; i < 5; ++i) {
    const Board board = random_board(goal, random);
    for (const Problem& problem :
         {Problem{make_instance(board, goal), "linear-conflict"}, multi_problem(board, goal)}) {
      const BeamResult result = search(problem, {.width = 512, .seed = 1});
      ASSERT_TRUE(result.moves);
      EXPECT_TRUE(leads_to_goal(problem, *result.moves));
      moves[problem.heuristic] += solution_length(*result.moves, problem.metric);
    }
  }
  EXPECT_LT(moves["linear-conflict"], 1060);
  EXPECT_LT(moves["runs"], 490);
}

TEST(Beam, TheSeedChoosesAmongTies) {
  const Board goal = Goal().board({8, 8});
  Random random(14);
  const Problem problem{make_instance(random_board(goal, random), goal), "zero"};
  std::map<std::string, int> found;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const BeamResult result = search(problem, {.width = 60, .seed = seed});
    ASSERT_TRUE(result.moves);
    EXPECT_TRUE(leads_to_goal(problem, *result.moves));
    ++found[*result.moves];
  }
  EXPECT_GT(found.size(), 1U);
}

TEST(Beam, NeverBelowTheOptimumAndReachesItWhereItHoldsAllBoards) {
  const Board goal = Goal(Goal::Kind::last).board({3, 3});
  Random random(11);
  for (int i = 0; i < (thinned == 1 ? 20 : 4); ++i) {
    const Problem problem{make_instance(random_board(goal, random), goal), "manhattan"};
    const auto optimal = solve(problem).solution->size();
    const BeamResult narrow = search(problem, {.width = 4});
    EXPECT_TRUE(!narrow.moves || narrow.moves->size() >= optimal);
    // 181,440 boards are all that there are.
    const BeamResult whole = search(problem, {.width = 181'440});
    ASSERT_TRUE(whole.moves);
    EXPECT_TRUE(leads_to_goal(problem, *whole.moves));
    EXPECT_EQ(whole.moves->size(), optimal);
  }
}

TEST(Beam, InMetricMultiALayerIsARun) {
  const Board goal = Goal(Goal::Kind::last).board({3, 3});
  Random random(12);
  for (int i = 0; i < (thinned == 1 ? 20 : 4); ++i) {
    const Problem problem = multi_problem(random_board(goal, random), goal);
    const int optimal = solution_length(*solve(problem).solution, Metric::multi);
    for (const std::uint64_t width : {std::uint64_t{4}, std::uint64_t{181'440}}) {
      const BeamResult result = search(problem, {.width = width});
      ASSERT_TRUE(result.moves || width == 4);
      if (!result.moves) continue;
      EXPECT_TRUE(leads_to_goal(problem, *result.moves));
      const int length = solution_length(*result.moves, Metric::multi);
      EXPECT_EQ(length, result.layers);
      if (width == 4) EXPECT_GE(length, optimal);
      else EXPECT_EQ(length, optimal);
      const BeamResult shorter = search(problem, {.width = width, .shorter_than = length});
      EXPECT_TRUE(!shorter.moves || solution_length(*shorter.moves, Metric::multi) < length);
    }
  }
}

TEST(Beam, InMetricMultiItIsTheSameOnAnyNumberOfThreads) {
  for (const Size size : {Size{5, 5}, Size{8, 8}, Size{3, 6}}) {
    const Board goal = Goal().board(size);
    Random random(13);
    const Problem problem = multi_problem(scrambled(goal, 60, random), goal);
    const BeamResult alone = search(problem, {.width = 1000}, 1);
    const BeamResult together = search(problem, {.width = 1000}, 3);
    ASSERT_TRUE(alone.moves) << to_string(size);
    EXPECT_TRUE(leads_to_goal(problem, *alone.moves));
    EXPECT_EQ(alone.moves, together.moves);
    EXPECT_EQ(alone.evaluated, together.evaluated);
  }
  const Board goal = Goal().board({9, 2});
  EXPECT_THROW(
      (void)search(
          multi_problem(goal.moved(goal.neighbor(Direction::up) ? Direction::up : Direction::down),
                        goal),
          {.width = 10}),
      Error);
}

TEST(Beam, ItsMemoryIncludesTheTrailOfLongSolutions) {
  const Size size{8, 8};
  const Board goal = Goal().board(size);
  for (const Metric metric : {Metric::single, Metric::multi}) {
    Random random(1);
    Problem problem{make_instance(random_board(goal, random), goal), "linear-conflict"};
    problem.metric = metric;
    constexpr std::uint64_t width = 256;
    const BeamResult found = search(problem, {.width = width});
    ASSERT_TRUE(found.moves);
    const int bits = metric == Metric::single ? 2 : 8;  // of a move
    const std::uint64_t trail = width * 16 * static_cast<std::uint64_t>(found.layers * bits / 64);
    const std::uint64_t layers_and_candidates = width * (2 * 64 + 4 * sizeof(BeamCandidate));
    EXPECT_GE(beam_bytes(problem, width, 1), trail + layers_and_candidates);
  }
}

TEST(Beam, EverySizeIsSearchedWithAnyHeuristic) {
  for (const Size size : {Size{3, 3}, Size{4, 4}, Size{5, 5}, Size{6, 6}, Size{8, 8}, Size{2, 7},
                          Size{7, 3}, Size{2, 32}}) {
    const Board goal = Goal(Goal::Kind::last).board(size);
    Random random(3);
    Problem problem{make_instance(scrambled(goal, 40, random), goal), "zero"};
    const BeamResult result = search(problem, {.width = 2000}, 2);
    ASSERT_TRUE(result.moves) << to_string(size);
    EXPECT_TRUE(leads_to_goal(problem, *result.moves));
    EXPECT_LE(result.moves->size(), 40U);
    problem.heuristic = "manhattan";  // does not matter
    EXPECT_EQ(search(problem, {.width = 2000}).moves, result.moves);
  }
}

TEST(Beam, IsEmptyHandedWhereNothingShorterIsThere) {
  const Problem problem = built_in_problem("korf100:12");  // 45 moves
  const BeamResult found = search(problem, {.width = 100'000});
  ASSERT_TRUE(found.moves);
  EXPECT_EQ(found.moves->size(), 45U);
  EXPECT_FALSE(search(problem, {.width = 100'000, .shorter_than = 45}).moves);
}

TEST(Beam, ShowsItsProgressAfterEachLayer) {
  struct Watcher final : Observer {
    void beam_progress(const BeamProgress& progress) override {
      EXPECT_EQ(progress.width, 300U);
      EXPECT_EQ(progress.layer, last.layer + 1);
      EXPECT_GT(progress.evaluated, last.evaluated);
      last = progress;
    }
    BeamProgress last;
  } watcher;
  const BeamResult result =
      beam_search(built_in_problem("korf50:1"), {.width = 300}, 2, {}, watcher);
  EXPECT_EQ(watcher.last.layer, result.layers);
  EXPECT_EQ(watcher.last.evaluated, result.evaluated);
}

TEST(Beam, StartAtTheGoalIsSolvedWithoutAMove) {
  const Board goal = Goal(Goal::Kind::last).board({4, 4});
  const BeamResult result = search({make_instance(goal, goal), "manhattan"}, {.width = 10});
  EXPECT_EQ(result.moves, "");
  EXPECT_EQ(result.evaluated, 0U);
}

TEST(Beam, AnInterruptionEndsItWithoutASolution) {
  const std::atomic<bool> interrupted{true};
  Limits limits;
  limits.interrupted = &interrupted;
  ThreadTeam team(2);
  Ranks alone;
  Observer nobody;
  const BeamResult result =
      beam_search(built_in_problem("korf50:1"), {.width = 1000}, team, alone, limits, nobody);
  EXPECT_FALSE(result.moves);
  EXPECT_EQ(result.stop, Stop::interrupted);
}

// Looks at which rank 0 stops: a few of them under sanitizers.
constexpr int next_look = thinned == 1 ? 23 : 115;

// Rank 0 stops at any of its looks, one rank learns of it at once and one only in the next sum:
// what travels between them is a whole board or nothing. No layer is so large that any is cut.
TEST(Beam, AStoppedRankSendsWholeBoardsOrNothing) {
  const Board goal = Goal(Goal::Kind::last).board({3, 3});
  Random random(4);
  const Problem problem{make_instance(random_board(goal, random), goal), "manhattan"};
  using Node = BeamExpansion<16, Metric::single>::Node;
  // The lengths and contents of candidates, of those kept, of boards.
  constexpr int transfers_per_layer = 6;
  int look = 1;
  int cut_layers = 0;
  for (bool stopped = true; stopped; look += next_look) {
    std::atomic<bool> interrupted{false};
    ThreadRanks ranks(3);
    ranks.interrupt_at_look(look, interrupted);
    std::atomic<int> empty_boards{0};
    std::atomic<int> cut{0};
    ranks.on_parts = [&](int number, const Ranks::Parts& parts) {
      if (number % transfers_per_layer != 5) return;
      bool empty = true;
      for (const std::vector<std::byte>& part : parts) {
        ASSERT_EQ(part.size() % sizeof(Node), 0U);
        const std::span nodes(reinterpret_cast<const Node*>(part.data()),
                              part.size() / sizeof(Node));
        empty = empty && nodes.empty();
        for (const Node& node : nodes) empty_boards += node.hash == 0 ? 1 : 0;
      }
      cut += empty ? 1 : 0;
    };
    ranks.run([&](Ranks& job) {
      ThreadTeam team(1);
      Observer nobody;
      Limits limits;
      if (job.rank() == 0) limits.interrupted = &interrupted;
      const BeamResult result = beam_search(problem, {.width = 30'000}, team, job, limits, nobody);
      if (job.rank() == 0) stopped = result.stop.has_value();
    });
    ASSERT_EQ(empty_boards, 0) << "stopped at look " << look;
    cut_layers += stopped && cut > 0 ? 1 : 0;
  }
  EXPECT_GT(look, 100);
  EXPECT_GT(cut_layers, 0);
}

// The same where layers are cut, and some done again: another number of transfers.
TEST(Beam, RanksThatAreStoppedAtAnyLookEnd) {
  const Board goal = Goal(Goal::Kind::last).board({3, 3});
  Random random(4);
  const Problem problem{make_instance(random_board(goal, random), goal), "zero"};
  int look = 1;
  for (bool stopped = true; stopped; look += next_look) {
    std::atomic<bool> interrupted{false};
    ThreadRanks ranks(3);
    ranks.interrupt_at_look(look, interrupted);
    ranks.run([&](Ranks& job) {
      ThreadTeam team(1);
      Observer nobody;
      Limits limits;
      if (job.rank() == 0) limits.interrupted = &interrupted;
      const BeamResult result = beam_search(problem, {.width = 500}, team, job, limits, nobody);
      EXPECT_TRUE(result.moves || result.stop || job.rank() > 0);
      if (job.rank() == 0) stopped = result.stop.has_value();
    });
  }
  EXPECT_GT(look, 50);
}

TEST(BeamSeen, HoldsTheSameWhateverTheOrderOfInsertionAndTheNumberOfRanks) {
  constexpr std::uint64_t width = 50;
  Random random(5);
  std::vector<std::uint64_t> hashes(200'000);
  for (std::uint64_t& hash : hashes) hash = random.next();
  const BeamShares shares(width, 1);
  BeamSeen forward(shares, 0);
  BeamSeen backward(shares, 0);
  const BeamShares thirds(width, 3);
  std::vector<BeamSeen> parts;
  for (int rank = 0; rank < 3; ++rank) parts.emplace_back(thirds, rank);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const int layer = static_cast<int>(i / 100'000);
    const std::size_t mirrored = layer == 0 ? 99'999 - i : 299'999 - i;
    forward.insert(hashes[i], layer);
    backward.insert(hashes[mirrored], layer);
    parts[thirds.owner(hashes[i])].insert(hashes[i], layer);
  }
  std::size_t held = 0;
  for (const std::uint64_t hash : hashes) {
    held += forward.holds(hash) ? 1 : 0;
    ASSERT_EQ(forward.holds(hash), backward.holds(hash));
    ASSERT_EQ(forward.holds(hash), parts[thirds.owner(hash)].holds(hash));
  }
  EXPECT_GT(held, 40'000U);  // of the 65,536 slots nearly all are taken
}

TEST(BeamThreshold, KeepsExactlyTheBestByHThenByTie) {
  Random random(9);
  std::vector<BeamCandidate> candidates(30'000);
  for (BeamCandidate& candidate : candidates) {
    candidate.hash = random.next();
    candidate.estimate = static_cast<std::int16_t>(random.below(3));
    candidate.alive = random.below(4) > 0;
  }
  ThreadTeam team(1);
  Ranks alone;
  const Limits limits;
  BeamCrew crew(team, alone, limits);
  const BeamShares shares(candidates.size(), 1);
  BeamCandidates layer(shares, crew, alone);
  BeamHistogram histogram{};
  std::vector<std::pair<int, std::uint64_t>> order;
  for (const BeamCandidate& candidate : candidates) {
    layer.found_by(0)[shares.shard(candidate.hash)].push_back(candidate);
    if (!candidate.alive) continue;
    ++histogram[beam_bin(candidate.estimate)];
    order.emplace_back(candidate.estimate, candidate.tie());
  }
  layer.swap();
  std::sort(order.begin(), order.end());
  for (const std::size_t width : {1UL, 77UL, 10'000UL, 22'000UL, 30'000UL}) {
    const BeamThreshold threshold = layer.threshold(histogram, width);
    std::vector<std::pair<int, std::uint64_t>> kept;
    for (const BeamCandidate& candidate : candidates) {
      if (threshold.admits(candidate)) kept.emplace_back(candidate.estimate, candidate.tie());
    }
    std::sort(kept.begin(), kept.end());
    auto best = order;
    best.resize(std::min(width, order.size()));
    EXPECT_EQ(kept, best) << width;
  }
}

}  // namespace
}  // namespace tessera
