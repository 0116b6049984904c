// SPDX-License-Identifier: MIT
#include "search/pruning/pruning.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "puzzle/all_boards.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/pruning/automaton_cost.hpp"
#include "search/pruning/move_automaton.hpp"

namespace tessera {
namespace {

const std::vector<PruneRule> automata{PruneRule{6}, PruneRule{10}, PruneRule{14}, PruneRule{20}};

// The board after a string of blank moves, or nothing where it leaves the grid.
std::optional<Board> after(Board board, const std::vector<Direction>& moves) {
  for (const Direction d : moves) {
    if (!board.neighbor(d)) return {};
    board.move(d);
  }
  return board;
}

// The state after a string, or none.
Pruning::State state_after(const Pruning& rule, int cell, const std::vector<Direction>& moves) {
  Pruning::State state = rule.start(cell);
  for (const Direction d : moves) {
    if (state != Pruning::none) state = rule.next(state, static_cast<int>(d));
  }
  return state;
}

// Calls `use` with each string of `length` moves that stays on the grid, in move order.
template <class Use>
void for_each_string(const Board& board, int length, std::vector<Direction>& moves,
                     const Use& use) {
  if (static_cast<int>(moves.size()) == length) {
    use(moves, board);
    return;
  }
  for (const Direction d : all_directions) {
    if (!board.neighbor(d)) continue;
    moves.push_back(d);
    for_each_string(board.moved(d), length, moves, use);
    moves.pop_back();
  }
}

const std::vector<Size> some_sizes{{2, 2}, {3, 2}, {3, 3}, {2, 4}, {4, 4}};

// fsm:2 knows the strings of two moves, of which those that lead nowhere are the moves back.
TEST(Pruning, ParentLeavesOutTheMoveBackAndSoDoesTheLeastAutomaton) {
  for (const Size size : some_sizes) {
    const auto parent = Pruning::of(PruneRule::parent, size);
    const auto least = Pruning::of(PruneRule{2}, size);
    EXPECT_TRUE(parent->is_parent());
    EXPECT_FALSE(least->is_parent());
    for (int cell = 0; cell < size.cells(); ++cell) {
      const Board start = ordered_board(size, cell);
      for (int length = 1; length <= 6; ++length) {
        std::vector<Direction> moves;
        for_each_string(start, length, moves, [&](const auto& string, const Board&) {
          bool turns_back = false;
          for (std::size_t i = 1; i < string.size(); ++i) {
            turns_back = turns_back || string[i] == opposite(string[i - 1]);
          }
          ASSERT_EQ(state_after(*parent, cell, string) == Pruning::none, turns_back);
          ASSERT_EQ(state_after(*least, cell, string) == Pruning::none, turns_back);
        });
      }
    }
  }
}

TEST(Pruning, OpenDirectionsAreItsMoves) {
  for (const PruneRule prune : {PruneRule::parent, PruneRule{2}, PruneRule{8}}) {
    for (const Size size : some_sizes) {
      const auto rule = Pruning::of(prune, size);
      for (Pruning::State state = 0; state < rule->states(); ++state) {
        int count = 0;
        for (int d = 3; d >= 0; --d) {
          const bool is_open = rule->next(state, d) != Pruning::none;
          ASSERT_EQ((rule->open(state) >> d & 1) != 0, is_open);
          if (is_open) {
            ASSERT_LT(rule->next(state, d), rule->states());
          }
          ASSERT_EQ(rule->count_open(state, d), count += is_open ? 1 : 0);
        }
        ASSERT_LT(rule->open(state), 16U);
      }
    }
  }
}

// The moves off the grid are left out from every state that a string leads to.
TEST(Pruning, NoStringLeavesTheGrid) {
  for (const PruneRule prune : {PruneRule::parent, PruneRule{8}}) {
    for (const Size size : some_sizes) {
      const auto rule = Pruning::of(prune, size);
      std::map<Pruning::State, int> cell_of;
      std::vector<Pruning::State> queue;
      for (int cell = 0; cell < size.cells(); ++cell) {
        cell_of[rule->start(cell)] = cell;
        queue.push_back(rule->start(cell));
      }
      for (std::size_t i = 0; i < queue.size(); ++i) {
        const int cell = cell_of[queue[i]];
        for (const Direction d : all_directions) {
          const Pruning::State next = rule->next(queue[i], static_cast<int>(d));
          if (next == Pruning::none) continue;
          const auto neighbor = ordered_board(size, cell).neighbor(d);
          ASSERT_TRUE(neighbor) << to_string(prune) << " " << to_string(size) << " cell " << cell;
          const auto [entry, is_new] = cell_of.emplace(next, *neighbor);
          ASSERT_EQ(entry->second, *neighbor) << "a state of two cells";
          if (is_new) queue.push_back(next);
        }
      }
    }
  }
}

// From each start cell, every board within some moves stays in reach of strings that are allowed,
// by one as short; and the first of the shortest in move order is among them.
TEST(Pruning, EveryBoardStaysAsNear) {
  for (const auto& [size, depth] : {std::pair{Size{3, 3}, 15},
                                    {Size{4, 2}, 18},
                                    {Size{2, 3}, 21},
                                    {Size{2, 2}, 12},
                                    {Size{4, 3}, 13}}) {
    for (const PruneRule prune : automata) {
      const auto rule = Pruning::of(prune, size);
      for (int cell = 0; cell < size.cells(); ++cell) {
        // Breadth-first over boards alone, and over boards with the rule's state. Levels are in
        // move order, so the first string to a board is the first of the shortest.
        std::set<std::uint64_t> met{rank(ordered_board(size, cell))};
        std::vector<std::pair<Board, Pruning::State>> level{
            {ordered_board(size, cell), rule->start(cell)}};
        for (int length = 1; length <= depth; ++length) {
          std::vector<std::pair<Board, Pruning::State>> next_level;
          for (const auto& [board, state] : level) {
            for (const Direction d : all_directions) {
              if (!board.neighbor(d)) continue;
              const Board child = board.moved(d);
              if (!met.insert(rank(child)).second) continue;
              const Pruning::State next = rule->next(state, static_cast<int>(d));
              ASSERT_NE(next, Pruning::none)
                  << to_string(prune) << " cell " << cell << " leaves out all ways to "
                  << to_string(child) << " in " << length;
              next_level.emplace_back(child, next);
            }
          }
          level = std::move(next_level);
        }
      }
    }
  }
}

// The same of all boards of a space, for the deepest automata.
TEST(Pruning, EveryBoardOfASpaceStaysAsNear) {
  for (const Size size : {Size{3, 3}, Size{4, 2}, Size{5, 2}}) {
    if (thinned > 1 && size.cells() == 10) continue;
    const std::uint64_t boards = size == Size{5, 2}   ? 1'814'400
                                 : size == Size{3, 3} ? 181'440
                                                      : 20'160;
    for (const PruneRule prune : {PruneRule{16}, PruneRule{20}}) {
      const auto rule = Pruning::of(prune, size);
      const int step = size == Size{5, 2} ? 7 : 3 * static_cast<int>(thinned);
      for (int cell = size.cells() - 1; cell >= 0; cell -= step) {
        std::vector<bool> met(2 * boards);
        std::vector<std::pair<Board, Pruning::State>> queue{
            {ordered_board(size, cell), rule->start(cell)}};
        met[rank(queue[0].first)] = true;
        std::uint64_t count = 1;
        while (!queue.empty()) {
          std::vector<std::pair<Board, Pruning::State>> next_level;
          for (const auto& [board, state] : queue) {
            for (const Direction d : all_directions) {
              const Pruning::State next = rule->next(state, static_cast<int>(d));
              if (next == Pruning::none) continue;
              const Board child = board.moved(d);
              const std::uint64_t number = rank(child);
              if (met[number]) continue;
              met[number] = true;
              ++count;
              next_level.emplace_back(child, next);
            }
          }
          queue = std::move(next_level);
        }
        ASSERT_EQ(count, boards) << to_string(prune) << " " << to_string(size) << " cell " << cell;
      }
    }
  }
}

// Merged states leave out the same strings: a walk through both together never differs.
TEST(Pruning, MergedStatesLeaveOutTheSame) {
  const Size size{4, 3};
  MoveAutomaton automaton(size);
  DuplicateMoves duplicates(size, 2, std::size_t{1} << 20);
  constexpr int depth = 13;
  for (int length = 1; length <= depth; ++length) {
    const auto found = duplicates.next_length(automaton.rows(), {});
    automaton.exclude(found);
  }
  const auto rows = automaton.rows();
  GrowingArray<Pruning::Row> small;
  for (const Pruning::Row& row : rows) small.push_back(row);
  merge(small, size.cells());
  EXPECT_LT(small.size(), rows.size());
  std::set<std::pair<Pruning::State, Pruning::State>> met;
  std::vector<std::pair<Pruning::State, Pruning::State>> queue;
  for (Pruning::State cell = 0; cell < 12; ++cell) queue.emplace_back(cell, cell);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::size_t d = 0; d < 4; ++d) {
      const Pruning::State a = rows[queue[i].first][d];
      const Pruning::State b = small[queue[i].second][d];
      ASSERT_EQ(a == Pruning::none, b == Pruning::none);
      if (a != Pruning::none && met.emplace(a, b).second) queue.emplace_back(a, b);
    }
  }
}

// A hash table too small for all strings takes them part by part; the threads do not matter.
TEST(Pruning, DuplicatesDoNotDependOnTheMemory) {
  const Size size{3, 4};
  MoveAutomaton automaton(size);
  DuplicateMoves large(size, 1, std::size_t{1} << 24);
  DuplicateMoves small(size, 3, std::size_t{1} << 12);
  for (int length = 1; length <= 14; ++length) {
    const auto found = large.next_length(automaton.rows(), {});
    ASSERT_EQ(found, small.next_length(automaton.rows(), {})) << length;
    EXPECT_EQ(large.strings(), small.strings());
    automaton.exclude(found);
  }
}

TEST(Pruning, CostIsEstimatedFromAbove) {
  for (const auto& [size, depth] :
       {std::pair{Size{4, 4}, 14}, {Size{6, 4}, 13}, {Size{5, 5}, 14}, {Size{8, 8}, 11}}) {
    const std::uint64_t bytes = build_automaton(size, depth, 1, {}).span().size_bytes();
    const AutomatonCost cost = automaton_cost(size, depth);
    EXPECT_GE(cost.bytes, bytes) << to_string(size);
    EXPECT_LE(cost.bytes, 6 * bytes) << to_string(size);
    EXPECT_GE(cost.build_bytes, cost.bytes);
  }
  EXPECT_EQ(automaton_cost(Size{5, 5}, PruneRule::parent).build_bytes, 0U);
}

TEST(Pruning, TheDeepestAutomatonFits) {
  const Size size{5, 5};
  const auto within = [&](std::uint64_t bytes) {
    return deepest_automaton(
        size, 18, [&](PruneRule, const AutomatonCost& cost) { return cost.build_bytes <= bytes; });
  };
  EXPECT_EQ(within(std::uint64_t{1} << 40), PruneRule{18});
  EXPECT_EQ(within(automaton_cost(size, 18).build_bytes - 1), PruneRule{16});
  EXPECT_EQ(within(0), PruneRule::parent);
  // More memory is for more threads and larger tables.
  const AutomatonBuild least = plan_build(size, 18, 4, automaton_cost(size, 18).build_bytes);
  const AutomatonBuild most = plan_build(size, 18, 4, std::uint64_t{1} << 40);
  EXPECT_LT(least.threads * least.hash_bytes, automaton_cost(size, 18).build_bytes);
  EXPECT_EQ(most.threads, 4);
  EXPECT_GT(most.hash_bytes, least.hash_bytes);
}

TEST(Pruning, BuildingReportsProgressAndCanBeStopped) {
  double last = 0;
  const auto report = [&](double done) {
    EXPECT_GE(done, last);
    EXPECT_LE(done, 1);
    last = done;
    return true;
  };
  EXPECT_FALSE(build_automaton({3, 3}, 12, 2, {report}).empty());
  EXPECT_GT(last, 0.4);
  int calls = 0;
  EXPECT_TRUE(build_automaton({4, 4}, 16, 2, {[&](double) { return ++calls < 3; }}).empty());
  EXPECT_EQ(calls, 3);
}

// What an automaton of that depth leaves out: the strings of up to so many moves for which there
// is a shorter one, or one as long and earlier, and those that hold such a string. Nothing else.
TEST(Pruning, LeavesOutTheDuplicatesAndNothingElse) {
  constexpr int depth = 8;
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{3, 3}}) {
    const auto rule = Pruning::of(PruneRule(depth), size);
    // By start cell, the strings of up to `depth` moves that are the first to their board.
    std::vector<std::set<std::vector<Direction>>> firsts(static_cast<std::size_t>(size.cells()));
    for (int cell = 0; cell < size.cells(); ++cell) {
      std::set<std::uint64_t> met;
      for (int length = 0; length <= depth; ++length) {
        std::vector<Direction> moves;
        for_each_string(ordered_board(size, cell), length, moves,
                        [&](const auto& string, const Board& board) {
                          if (met.insert(rank(board)).second) {
                            firsts[static_cast<std::size_t>(cell)].insert(string);
                          }
                        });
      }
    }
    for (int cell = 0; cell < size.cells(); ++cell) {
      const Board start = ordered_board(size, cell);
      for (int length = 1; length <= depth + 1; ++length) {
        std::vector<Direction> moves;
        for_each_string(start, length, moves, [&](const auto& string, const Board&) {
          bool allowed = true;
          for (std::size_t from = 0; from < string.size() && allowed; ++from) {
            const auto begin = string.begin() + static_cast<std::ptrdiff_t>(from);
            const int at = after(start, {string.begin(), begin})->blank();
            const auto end = string.size() - from > depth ? begin + depth : string.end();
            allowed = firsts[static_cast<std::size_t>(at)].count({begin, end}) > 0;
          }
          ASSERT_EQ(state_after(*rule, cell, string) != Pruning::none, allowed)
              << to_string(size) << " cell " << cell << " length " << length;
        });
      }
    }
  }
}

// A path that the rule leaves out is no node of the tree.
TEST(Pruning, ASubtreeBeginsInTheStateThatItsPathLeadsTo) {
  const Instance instance = make_instance(ordered_board({3, 3}, 4), ordered_board({3, 3}, 4));
  const auto search = make_subtree_search({instance, "manhattan", Kernel::plain, PruneRule{12}});
  const Node node = search->node_at("DRUULL");
  EXPECT_EQ(node.rule, state_after(search->pruning(), 4,
                                   {Direction::up, Direction::left, Direction::down,
                                    Direction::down, Direction::right, Direction::right}));
  EXPECT_THROW((void)search->node_at("DU"), Error);
  for (const Successor& child : search->successors(node)) {
    EXPECT_EQ(search->node_at("DRUULL" + child.letters).rule, child.node.rule);
  }
}

TEST(Pruning, IsMadeOnceAProcess) {
  EXPECT_EQ(Pruning::of(PruneRule{8}, {3, 3}), Pruning::of(PruneRule{8}, {3, 3}));
  EXPECT_NE(Pruning::of(PruneRule{8}, {3, 3}), Pruning::of(PruneRule{8}, {4, 3}));
  EXPECT_GT(Pruning::of(PruneRule{14}, {3, 3})->states(),
            Pruning::of(PruneRule{6}, {3, 3})->states());
}

TEST(Pruning, IsReleasedOnceNobodyUsesIt) {
  const std::weak_ptr<const Pruning> unused = Pruning::of(PruneRule{8}, {3, 3});
  const auto used = Pruning::of(PruneRule{8}, {4, 3});
  EXPECT_FALSE(unused.expired());
  EXPECT_GT(Pruning::release(0), 0U);
  EXPECT_TRUE(unused.expired());
  EXPECT_EQ(Pruning::of(PruneRule{8}, {4, 3}), used);
}

TEST(Pruning, ACopyWithMirroredMovesIsReleasedToo) {
  const Board goal = Goal().board({3, 3});
  const Instance own_mirror = make_instance(goal, goal);
  const std::weak_ptr<const Pruning> copy =
      Pruning::of(parse_prune("fsm:7+mirror"), own_mirror, {});
  const std::weak_ptr<const Pruning> whole = Pruning::of(PruneRule{7}, {3, 3});
  EXPECT_FALSE(copy.expired());
  (void)Pruning::release(0);
  EXPECT_TRUE(copy.expired());
  EXPECT_TRUE(whole.expired());
}

TEST(Pruning, IsReadAgainOnceAFileHasChanged) {
  const TemporaryFolder folder;
  const auto automaton = [&] { return Pruning::of(PruneRule{13}, {5, 5}, folder.text()); };
  const auto forget = [] {  // only a few stay in memory
    for (std::uint8_t depth = 2; depth < 11; ++depth) (void)Pruning::of(PruneRule{depth}, {3, 3});
  };
  (void)automaton();  // built, and in memory
  forget();
  const auto read = automaton();
  const std::string other = folder.file("other", "a");
  const MappedFile mapped(other);
  std::ofstream(other, std::ios::app) << "b";
  EXPECT_EQ(changed_mapped_file(noticed_file_changes()), other);
  EXPECT_EQ(automaton(), read);  // that was another file
  const auto path = folder.path() / file_name(*Pruning::stored_as(PruneRule{13}, {5, 5}));
  const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(1);
  std::filesystem::last_write_time(path, later);
  EXPECT_EQ(changed_mapped_file(noticed_file_changes()), path);
  EXPECT_NE(automaton(), read);
}

TEST(Pruning, ReadsRulesWithMirror) {
  for (const std::string name : {"parent+mirror", "fsm:2+mirror", "fsm:18+mirror"}) {
    const PruneRule rule = parse_prune(name);
    EXPECT_EQ(to_string(rule), name);
    EXPECT_TRUE(has_mirror(rule));
    EXPECT_EQ(depth_of(rule), depth_of(parse_prune(name.substr(0, name.find('+')))));
  }
  EXPECT_FALSE(has_mirror(PruneRule{18}));
}

// So what is skipped there is skipped at the root only.
TEST(Pruning, NoMoveLeadsToAStartState) {
  for (const PruneRule rule : {PruneRule::parent, PruneRule{2}, PruneRule{8}}) {
    const auto pruning = Pruning::of(rule, {3, 3});
    for (Pruning::State state = 0; state < pruning->states(); ++state) {
      for (int d = 0; d < 4; ++d) EXPECT_GE(pruning->next(state, d), 9U);
    }
  }
}

TEST(Pruning, RefusesUnknownRules) {
  for (const std::string name :
       {"fsm:1", "fsm:0", "fsm:-2", "fsm:99", "fsm:21", "fsm:x", "fsm:", "fsm", "fsm:8x", "fsm: 8",
        "any", "", "Parent", "parent ", "fsm:130", "+mirror", "none+mirror", "parent+mirror+mirror",
        "fsm:21+mirror"}) {
    for (int again = 0; again < 2; ++again) {
      SCOPED_TRACE(name);
      const Error error = refused([&] { return Pruning::of(parse_prune(name), {3, 3}); });
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find("expected parent or fsm:DEPTH"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tessera
