// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/pruning/pruning.hpp"
#include "solver/candidates.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/memory.hpp"
#include "solver/plan.hpp"
#include "solver/search_end.hpp"
#include "solver/tables.hpp"
#include "solver/workers.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

// A folder for tables, empty at first.
class Choice : public testing::Test {
 protected:
  [[nodiscard]] SearchOptions options() const {
    return {.table_directory = folder_.text(), .threads = 2};
  }
  [[nodiscard]] static Board goal(Size size) { return Goal().board(size); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Choice, TakesTablesThatAreBuiltInAMoment) {
  EXPECT_EQ(choose_heuristic(options(), goal({3, 3}), 1).name, "manhattan");
  EXPECT_EQ(choose_heuristic(options(), goal({4, 4}), 1).name, "pdb:5-5-5");
  EXPECT_EQ(choose_heuristic(options(), goal({4, 4}), 100).name, "pdb:6-6-3");
  EXPECT_EQ(choose_heuristic(options(), goal({7, 2}), 1).name, "pdb:6-6-1");
  EXPECT_EQ(choose_heuristic(options(), goal({6, 6}), 1).name, "pairwise");
}

TEST_F(Choice, NamesAFasterTableThatItDoesWithout) {
  const ChosenHeuristic chosen = choose_heuristic(options(), goal({4, 4}), 1);
  EXPECT_NE(chosen.advice.find("pdb build --size 4x4 --partition 7-8"), std::string::npos);
  EXPECT_NE(chosen.advice.find("--pdb-dir"), std::string::npos);
}

TEST_F(Choice, DoesWithoutTablesIfMemoryIsShort) {
  SearchOptions small = options();
  small.threads = 1;
  small.memory_bytes = std::uint64_t{48} << 20;
  EXPECT_EQ(choose_heuristic(small, goal({4, 4}), 1).name, "manhattan");
}

TEST_F(Choice, IsAnotherHeuristicInMetricMulti) {
  SearchOptions multi = options();
  multi.metric = Metric::multi;
  EXPECT_EQ(choose_heuristic(multi, goal({4, 4}), 1).name, "lines");
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 1).name, "blocks");
  const ChosenHeuristic without = choose_heuristic(multi, goal({5, 5}), 1);
  EXPECT_EQ(without.name, "halves");
  EXPECT_NE(without.advice.find("tessera pdb build --size 5x5 --metric multi"), std::string::npos);
  EXPECT_EQ(choose_heuristic(multi, goal({6, 5}), 1).name, "sides");
  EXPECT_EQ(choose_heuristic(multi, goal({6, 6}), 1).name, "sides");
  EXPECT_EQ(choose_heuristic(multi, goal({7, 6}), 1).name, "runs");
  multi.memory_bytes = std::size_t{128} << 20;
  EXPECT_EQ(choose_heuristic(multi, goal({6, 6}), 1).name, "runs");
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 1).name, "halves");
  EXPECT_EQ(choose_heuristic(multi, goal({5, 5}), 1).name, "runs");
}

TEST_F(Choice, DoesWithoutTablesInMetricMultiToo) {
  SearchOptions multi = options();
  multi.metric = Metric::multi;
  multi.threads = 1;
  multi.memory_bytes = std::uint64_t{100} << 20;
  const ChosenHeuristic small = choose_heuristic(multi, goal({4, 4}), 1);
  EXPECT_EQ(small.name, "halves");
  EXPECT_TRUE(small.note.starts_with("lines is not used: ")) << small.note;
  multi.table_directory = "/proc/none";
  const ChosenHeuristic nowhere = choose_heuristic(multi, goal({3, 3}), 1);
  EXPECT_EQ(nowhere.name, "runs");
  EXPECT_TRUE(nowhere.note.starts_with("lines is not used: ")) << nowhere.note;
  EXPECT_EQ(choose_heuristic(multi, goal({6, 6}), 1).name, "runs");
  multi = options();
  multi.metric = Metric::multi;
  multi.time_limit = std::chrono::seconds(1);
  const ChosenHeuristic soon = choose_heuristic(multi, goal({4, 4}), 1);
  EXPECT_EQ(soon.name, "halves");
  EXPECT_NE(soon.advice.find("pdb build --size 4x4 --metric multi"), std::string::npos);
}

TEST_F(Choice, SaysWhyTablesOfMetricMultiAreNotUsed) {
  SearchOptions multi = options();
  multi.metric = Metric::multi;
  multi.threads = 1;
  multi.memory_bytes = table_bytes(parse_heuristic("blocks"), goal({5, 4})) * 3 / 2;
  const ChosenHeuristic without = choose_heuristic(multi, goal({5, 4}), 1);
  EXPECT_EQ(without.name, "halves");
  EXPECT_TRUE(without.note.starts_with("blocks is not used: ")) << without.note;
}

// Building may take half of the limit; a limit of each board counts for all of them together.
TEST_F(Choice, BuildsNothingThatTakesMostOfTheTimeLimit) {
  using std::chrono::seconds;
  SearchOptions multi = options();
  multi.metric = Metric::multi;  // 25 s on 5x4
  multi.time_limit = seconds(49);
  const ChosenHeuristic without = choose_heuristic(multi, goal({5, 4}), 1);
  EXPECT_EQ(without.name, "halves");
  EXPECT_NE(without.advice.find("takes up to 26 s"), std::string::npos) << without.advice;
  multi.time_limit = std::chrono::milliseconds(500);  // those of halves: 0.4 s
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 1).name, "runs");
  multi.time_limit = seconds(60);
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 1).name, "blocks");
  multi.board_time_limit = seconds(20);
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 2).name, "halves");
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 3).name, "blocks");
  multi.threads = 1;
  EXPECT_EQ(choose_heuristic(multi, goal({5, 4}), 3).name, "halves");

  SearchOptions single = options();  // 6-6-5 on 6x3: 1.1 s
  single.time_limit = seconds(1);
  EXPECT_NE(choose_heuristic(single, goal({6, 3}), 1).name, "pdb:6-6-5");
  single.time_limit = seconds(10);
  EXPECT_EQ(choose_heuristic(single, goal({6, 3}), 1).name, "pdb:6-6-5");
}

// Files of that name stand for the tables: choosing opens none.
void touch_tables(const SearchOptions& options, const std::string& heuristic, const Board& goal) {
  for (const TableRequest& request : requests_of(resolve_heuristic(heuristic, goal), goal)) {
    std::ofstream(std::filesystem::path(options.table_directory) / file_name(request.key));
  }
}

// A board and its transposed image share them.
TEST_F(Choice, TakesBlocksOn6x5IfTheirTablesAreThere) {
  const ChosenHeuristic without = choose_heuristic(options(), goal({6, 5}), 1);
  EXPECT_EQ(without.name, "pairwise");
  EXPECT_NE(without.advice.find("--partition small"), std::string::npos) << without.advice;
  touch_tables(options(), "pdb:small", goal({6, 5}));
  for (const Size size : {Size{6, 5}, Size{5, 6}}) {
    const ChosenHeuristic with = choose_heuristic(options(), goal(size), 1);
    EXPECT_EQ(with.name, "pdb:small");
    EXPECT_EQ(heuristic_name(with.spec, goal(size)), "pdb:small");
  }
}

TEST_F(Choice, TakesWalkingDistanceOnDeepBoardsIfItIsThere) {
  const Board goal = Goal(Goal::Kind::last).board({5, 5});
  const Board deep = builtin_set("deep24:R", Metric::single).boards.at(0).board.board;
  const Board usual = goal.moved(Direction::up);
  touch_tables(options(), "pdb:medium", goal);
  const ChosenHeuristic without = choose_heuristic(options(), goal, 1, &deep);
  EXPECT_EQ(without.name, "pdb:medium");
  EXPECT_NE(without.advice.find("pdb build --size 5x5 --partition escapes"), std::string::npos);
  touch_tables(options(), "walking", goal);
  const ChosenHeuristic with = choose_heuristic(options(), goal, 1, &deep);
  EXPECT_EQ(with.name, "max(pdb:medium,walking)");
  EXPECT_EQ(heuristic_name(with.spec, goal), with.name);
  touch_tables(options(), "escapes", goal);
  const ChosenHeuristic strongest = choose_heuristic(options(), goal, 1, &deep);
  EXPECT_EQ(strongest.name, "max(pdb:medium,escapes)");
  EXPECT_EQ(heuristic_name(strongest.spec, goal), strongest.name);
  EXPECT_EQ(choose_heuristic(options(), goal, 1, &usual).name, "pdb:medium");
  EXPECT_EQ(choose_heuristic(options(), goal, 1).name, "pdb:medium");
}

TEST_F(Choice, AdvisesOnlyWalkingDistanceThatItWouldUse) {
  const Board goal = Goal(Goal::Kind::last).board({5, 5});
  const Board deep = builtin_set("deep24:R", Metric::single).boards.at(0).board.board;
  touch_tables(options(), "pdb:medium", goal);
  // Tables take half of the memory at most.
  const auto advice = [&](const std::string& heuristic) {
    const HeuristicSpec spec = resolve_heuristic(heuristic, goal);
    SearchOptions limited = options();
    limited.threads = 1;
    limited.memory_bytes = 2 * table_bytes(spec, goal);
    const ChosenHeuristic chosen = choose_heuristic(limited, goal, 1, &deep);
    EXPECT_EQ(chosen.name, "pdb:medium") << heuristic;
    return chosen.advice;
  };
  const std::string both = advice("max(pdb:medium,escapes)");
  EXPECT_NE(both.find("--partition escapes"), std::string::npos) << both;
  const std::string walking = advice("max(pdb:medium,walking)");
  const std::uint64_t bytes = table_bytes(parse_heuristic("walking"), goal);
  EXPECT_NE(walking.find(std::to_string((bytes >> 20) + 1) + " MiB of disk"), std::string::npos)
      << walking;
  EXPECT_NE(walking.find("--partition walking"), std::string::npos) << walking;
  EXPECT_EQ(advice("pdb:medium"), "");
}

TEST_F(Choice, TakesWhatIsNamed) {
  SearchOptions named = options();
  named.heuristic = "pdb:7-8";
  const ChosenHeuristic chosen = choose_heuristic(named, goal({4, 4}), 1);
  EXPECT_EQ(chosen.name, "pdb:7-8");
  EXPECT_EQ(heuristic_name(chosen.spec, goal({4, 4})), "pdb:7-8");
  EXPECT_GT(missing_table_bytes(named.table_directory, chosen), 0U);
  named.heuristic = "manhatten";
  EXPECT_THROW((void)choose_heuristic(named, goal({4, 4}), 1), Error);
}

// Of these two boards, one has the larger tree from each end, by a factor of nine or more.
TEST_F(Choice, SearchesFromTheEndWithTheSmallerTree) {
  const Board last = goal({6, 6});
  const auto chosen = [&](const Board& from, const Board& to) {
    return choose_end(options(), choose_heuristic(options(), to, 1, &from), from, to);
  };
  int from_goal = 0;
  for (const std::uint64_t seed : {1U, 10U}) {
    Random random(seed);
    const Board board = random_board(last, random);
    const bool turns = chosen(board, last).from_goal;
    EXPECT_EQ(chosen(board, last).name, "pairwise");
    EXPECT_NE(turns, chosen(last, board).from_goal) << seed;
    EXPECT_EQ(make_plan(options(), last, 1, &board).heuristic.from_goal, turns);
    EXPECT_FALSE(make_plan(options(), last, 2, &board).heuristic.from_goal);
    from_goal += turns ? 1 : 0;
  }
  EXPECT_EQ(from_goal, 1);
}

TEST_F(Choice, SearchesFromTheStartWhereCountsAreCompared) {
  const Board last = goal({6, 6});
  Random random(10);
  const Board board = random_board(last, random);
  const auto from_goal = [&](const SearchOptions& changed) {
    return choose_end(changed, choose_heuristic(changed, last, 1, &board), board, last).from_goal;
  };
  ASSERT_TRUE(from_goal(options()));
  SearchOptions changed = options();
  changed.heuristic = "pairwise";
  EXPECT_FALSE(from_goal(changed));
  changed.search_from = SearchFrom::goal;
  EXPECT_TRUE(from_goal(changed));
  changed = options();
  changed.all = true;
  EXPECT_FALSE(from_goal(changed));
  changed = options();
  changed.finish_iteration = true;
  EXPECT_FALSE(from_goal(changed));
  changed = options();
  changed.search_from = SearchFrom::start;
  EXPECT_FALSE(from_goal(changed));
  changed = options();
  changed.board_time_limit = std::chrono::seconds(5);  // less than twice what the choice may take
  EXPECT_FALSE(from_goal(changed));
}

TEST_F(Choice, NamesTheTablesForSearchesFromTheGoal) {
  const Board last = goal({6, 5});
  Random random(1);
  const Board board = random_board(last, random);
  touch_tables(options(), "pdb:small", last);
  const ChosenHeuristic chosen =
      choose_end(options(), choose_heuristic(options(), last, 1, &board), board, last);
  EXPECT_EQ(chosen.name, "pdb:small");
  EXPECT_FALSE(chosen.from_goal);
  EXPECT_NE(chosen.advice.find("pdb build --size 6x5 --partition small --pdb-dir"),
            std::string::npos)
      << chosen.advice;
  EXPECT_NE(chosen.advice.find("--search-from goal"), std::string::npos) << chosen.advice;
}

TEST(Prune, IsAnAutomatonOnlyForOneSolutionOfALargeBoard) {
  const HeuristicSpec manhattan = parse_heuristic("manhattan");
  const HeuristicSpec lines = parse_heuristic("lines");
  const HeuristicSpec tables = resolve_heuristic("pdb:6-6-6-6", Goal().board({5, 5}));
  EXPECT_EQ(prune_of({}, Goal().board({4, 4}), 1, manhattan), PruneRule::parent);
  EXPECT_GT(prune_of({}, Goal().board({5, 5}), 1, tables), PruneRule::parent);
  EXPECT_EQ(prune_of({.all = true}, Goal().board({5, 5}), 1, tables), PruneRule::parent);
  EXPECT_EQ(prune_of({.metric = Metric::multi}, Goal().board({5, 5}), 1, lines), PruneRule::parent);
  EXPECT_EQ(prune_of({.prune = PruneRule{5}}, Goal().board({4, 4}), 1, manhattan), PruneRule{5});
}

TEST_F(Choice, PrunesByTheDeepestAutomatonThatATimeLimitAllowsToBuild) {
  using std::chrono::seconds;
  const Board last = goal({5, 5});
  const auto rule = [&](std::chrono::nanoseconds limit, std::chrono::nanoseconds of_board,
                        std::size_t boards) {
    SearchOptions limited = options();
    limited.time_limit = limit;
    limited.board_time_limit = of_board;
    return prune_of(limited, last, boards, resolve_heuristic("pdb:6-6-6-6", last));
  };
  const auto hour = std::chrono::hours(1);
  EXPECT_EQ(rule(hour, {}, 1), PruneRule{18});
  EXPECT_EQ(rule(hour, seconds(60), 1), PruneRule{16});  // the tables take most of it
  EXPECT_EQ(rule(hour, seconds(24), 1), PruneRule{14});  // or more: they are named
  EXPECT_EQ(rule(hour, seconds(60), 100), PruneRule{18});
  touch_tables(options(), "pdb:6-6-6-6", last);
  EXPECT_EQ(rule(seconds(60), {}, 1), PruneRule{18});
  EXPECT_EQ(rule(seconds(20), {}, 1), PruneRule{16});
  EXPECT_LT(rule(seconds(5), {}, 1), PruneRule{16});
  EXPECT_EQ(rule(std::chrono::nanoseconds(1), {}, 1), PruneRule::parent);
  std::ofstream(std::filesystem::path(options().table_directory) /
                file_name(*Pruning::stored_as(PruneRule{18}, last.size())));
  EXPECT_EQ(rule(seconds(5), {}, 1), PruneRule{18});
}

TEST_F(Choice, KeepsTheRuleOfABoardThatAllWorkersSearch) {
  SearchOptions limited = options();
  limited.time_limit = std::chrono::seconds(20);
  limited.heuristic = "manhattan";
  const Board last = goal({6, 4});
  Random random(1);
  const Board board = random_board(last, random);
  Plan plan = make_plan(limited, last, 2, &board);
  plan.prune = PruneRule{14};  // chosen before a deeper one was there
  EXPECT_EQ(plan_alone(limited, plan, board, last).prune, PruneRule{14});
}

Workers four_ranks() {
  return choose_workers({.threads = 2},
                        {{"a", 2, 2, 4}, {"a", 2, 2, 4}, {"b", 4, 2, 4}, {"b", 4, 2, 4}});
}

TEST(WorkersOf, ABackend) {
  const Workers ranks = four_ranks();
  EXPECT_EQ(ranks.ranks(), 4);
  EXPECT_EQ(ranks.hosts(), 2);
  EXPECT_EQ(ranks.count(), 8);
  const Workers alone =
      choose_workers({.backend = BackendKind::threads}, {{"a", 3, 1, 4}, {"a", 1, 1, 4}});
  EXPECT_EQ(alone.ranks(), 1);
  EXPECT_EQ(alone.threads(), 3);  // the other rank sleeps
  EXPECT_EQ(
      choose_workers({.backend = BackendKind::serial, .threads = 9}, {{"a", 3, 9, 4}}).count(), 1);
  EXPECT_EQ(choose_workers({}, {{"a"}}).backend, BackendKind::threads);
  EXPECT_EQ(choose_workers({}, {{"a"}, {"a"}}).backend, BackendKind::mpi);
}

TEST(Memory, IsSharedByRanksThatKeepBoards) {
  const SearchOptions options{
      .engine = Engine::astar, .heuristic = "manhattan", .memory_bytes = gib};
  const BestFirstOptions own = best_first_options(options, four_ranks(), 0);
  EXPECT_EQ(own.memory_bytes, gib / 4);
  EXPECT_EQ(own.order, BestFirstOrder::astar);
  EXPECT_THROW((void)best_first_options(options, four_ranks(), gib), Error);
  EXPECT_EQ(search_memory(options, four_ranks(), make_plan(options, Goal().board({4, 4}), 1)), gib);
}

TEST(Memory, IsThatOfTheHostWithTheMostRanks) {
  EXPECT_EQ(share_of_rank({{"a"}, {"b"}, {"c"}}).total_bytes, share_of_machine(1).total_bytes);
  EXPECT_EQ(share_of_rank({{"a"}, {"b"}, {"a"}}).total_bytes, share_of_machine(2).total_bytes);
  const SearchOptions astar{.engine = Engine::astar, .memory_bytes = ~std::uint64_t{0}};
  const Workers uneven = choose_workers({}, {{"a"}, {"b"}, {"b"}});
  EXPECT_EQ(best_first_options(astar, uneven, 0).memory_bytes, share_of_machine(2).total_bytes);
}

TEST(Memory, IsNeededByThreadsAndTables) {
  const SearchOptions options{.heuristic = "pdb:5-5-5", .memory_bytes = gib};
  EXPECT_NO_THROW(expect_memory(options, four_ranks(), gib / 4));
  EXPECT_THROW(expect_memory(options, four_ranks(), gib), Error);
  const Plan plan = make_plan(options, Goal().board({4, 4}), 1);
  EXPECT_EQ(search_memory(options, four_ranks(), plan), 2 * plan.table_bytes + search_bytes(8));
}

TEST(Memory, HoldsTheTablesOnEachHost) {
  const Workers two_hosts = four_ranks();
  const SearchOptions astar{.engine = Engine::astar, .memory_bytes = gib};
  EXPECT_EQ(best_first_options(astar, two_hosts, gib / 4).memory_bytes, gib / 8);
  EXPECT_THROW(expect_memory(astar, two_hosts, gib / 2), Error);
  EXPECT_THROW(expect_memory({.memory_bytes = gib}, two_hosts, gib * 3 / 8), Error);
  const SearchOptions beam{.engine = Engine::beam, .memory_bytes = gib};
  EXPECT_EQ(incumbent_options(beam, two_hosts, {5, 5}, gib / 4).memory_bytes, gib / 8);
}

TEST(Incumbents, AreSoughtWhereTheyPay) {
  const Workers workers = four_ranks();
  EXPECT_FALSE(incumbent_options({}, workers, {4, 4}, 0).automatic);
  EXPECT_TRUE(incumbent_options({}, workers, {5, 5}, 0).automatic);
  EXPECT_FALSE(incumbent_options({.all = true}, workers, {5, 5}, 0).automatic);
  const IncumbentOptions beam = incumbent_options({.engine = Engine::beam}, workers, {5, 5}, 0);
  EXPECT_FALSE(beam.prove);
  EXPECT_GT(beam.width, 0U);
}

}  // namespace
}  // namespace tessera
