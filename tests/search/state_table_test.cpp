// SPDX-License-Identifier: MIT
#include "search/best_first/state_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <unordered_map>

#include "base/thinned.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/best_first/open_list.hpp"

namespace tessera {
namespace {

template <class State>
void expect_round_trip(Size size) {
  Random random(7);
  const Board goal = Goal(Goal::Kind::first).board(size);
  std::map<typename State::Key, std::vector<int>> seen;
  for (int i = 0; i < 500; ++i) {
    const Board board = scrambled(goal, i % 90, random);
    std::vector<int> tiles;
    for (int cell = 0; cell < size.cells(); ++cell) tiles.push_back(board.tile(cell));
    for (const int way : {0, 3, no_way}) {
      const State state(typename State::Position(board), way);
      EXPECT_EQ(state.way(), way);
      const auto position = state.position(size.cells());
      for (int cell = 0; cell < size.cells(); ++cell) {
        ASSERT_EQ(static_cast<int>(position.tile(cell)), board.tile(cell));
      }
      EXPECT_EQ(State::blank(position), board.blank());
      EXPECT_EQ(seen.try_emplace(state.key(), tiles).first->second, tiles);
    }
  }
}

TEST(PackedState, HoldsEveryBoardOfItsSizes) {
  for (const Size size : {Size{2, 2}, Size{3, 3}, Size{5, 3}, Size{4, 4}, Size{8, 2}}) {
    expect_round_trip<NibbleState>(size);
    expect_round_trip<WideState<3>>(size);
  }
  for (const Size size : {Size{5, 5}, Size{6, 5}}) expect_round_trip<WideState<3>>(size);
  for (const Size size : {Size{8, 8}, Size{9, 7}}) expect_round_trip<WideState<7>>(size);
}

// Against the library's map, through many growths, with changing marks.
template <class State>
void expect_like_a_map(Size size, int count) {
  Random random(3);
  MemoryBudget budget(std::uint64_t{1} << 30);
  std::map<typename State::Key, StateMark> truth;
  {
    StateTable<State> table(budget);
    const Board goal = Goal(Goal::Kind::first).board(size);
    Board board = goal;
    for (int i = 0; i < count; ++i) {
      const auto d = static_cast<Direction>(random.below(4));
      if (!board.neighbor(d)) continue;
      board.move(d);
      const State state(typename State::Position(board), no_way);
      auto& slot = table.reach(mixed(state.key()), state.key());
      const auto known = truth.find(state.key());
      if (known == truth.end()) {
        ASSERT_EQ(slot.mark().tag, 0U);
      } else {
        ASSERT_EQ(slot.mark().tag, known->second.tag);
        ASSERT_EQ(slot.mark().way, known->second.way);
      }
      const StateMark mark{1 + static_cast<unsigned>(random.below(255)), static_cast<int>(d)};
      slot.set_mark(mark);
      truth[state.key()] = mark;
    }
    EXPECT_EQ(table.count(), truth.size());
    for (const auto& [key, mark] : truth) {
      const auto* slot = table.find(key);
      ASSERT_NE(slot, nullptr);
      ASSERT_EQ(slot->mark().tag, mark.tag);
      ASSERT_EQ(slot->mark().way, mark.way);
    }
    EXPECT_GT(budget.used(), truth.size() * sizeof(typename StateTable<State>::Slot));
    EXPECT_LT(budget.used(), truth.size() * sizeof(typename StateTable<State>::Slot) * 2 + 40000);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(StateTable, IsAMap) {
  expect_like_a_map<NibbleState>({4, 4}, 200'000);
  expect_like_a_map<WideState<3>>({5, 5}, 30'000);
  expect_like_a_map<WideState<7>>({8, 8}, 10'000);
}

// Every board of a size, and none that was not put in: of boards that share a slot's 54 bits only
// the segment tells which is which.
TEST(StateTable, TellsAllBoardsOfASizeApart) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  StateTable<NibbleState> table(budget);
  const Size size{3, 3};
  const std::vector<int> distance = distances_from(Goal().board(size));
  const auto state_of = [&](std::uint64_t number) {
    return NibbleState(NibblePosition(unrank(size, number)), no_way);
  };
  for (std::uint64_t number = 0; number < distance.size(); number += thinned) {
    if (distance[number] < 0) continue;
    const NibbleState state = state_of(number);
    table.reach(mixed(state.key()), state.key())
        .set_mark({static_cast<unsigned>(distance[number]) + 1, 1});
  }
  for (std::uint64_t number = 0; number < distance.size(); number += thinned) {
    const auto* slot = table.find(state_of(number).key());
    ASSERT_EQ(slot == nullptr, distance[number] < 0);
    if (slot != nullptr) {
      ASSERT_EQ(static_cast<int>(slot->mark().tag), distance[number] + 1);
    }
  }
}

// One segment, until it has grown in its place a few times: the others would take minutes to fill.
TEST(StateTable, GrowsWhereItIsWithoutALoss) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  StateTable<NibbleState> table(budget);
  std::vector<std::uint64_t> keys;
  const std::size_t boards = 800'000 / thinned;
  for (std::uint64_t key = 1; keys.size() < boards; ++key) {
    if (mixed(key) >> 58 != 5) continue;
    auto& slot = table.reach(mixed(key), key);
    ASSERT_EQ(slot.mark().tag, 0U) << "a board that was never there is known";
    slot.set_mark({1 + static_cast<unsigned>(key % 255), static_cast<int>(key % 4)});
    keys.push_back(key);
  }
  EXPECT_EQ(table.count(), boards);
  for (const std::uint64_t key : keys) {
    const auto* slot = table.find(key);
    ASSERT_NE(slot, nullptr) << key;
    ASSERT_EQ(slot->mark().tag, 1 + key % 255);
    ASSERT_EQ(slot->mark().way, static_cast<int>(key % 4));
  }
}

TEST(StateTable, StopsWithinItsBudget) {
  constexpr std::uint64_t limit = 1'000'000;
  MemoryBudget budget(limit);
  StateTable<NibbleState> table(budget);
  std::uint64_t reached = 0;
  EXPECT_THROW(
      for (std::uint64_t key = 1; key < 1'000'000; ++key) {
        table.reach(mixed(key), key).set_mark({1, 0});
        ASSERT_LE(budget.used(), limit);
        ++reached;
      },
      MemoryFull);
  EXPECT_GT(reached, limit / 8 / 2) << "less than half of the memory was used";
  for (std::uint64_t key = 1; key <= reached; ++key) ASSERT_NE(table.find(key), nullptr);
}

TEST(Owner, DealsEvenlyAndApartFromTheTablesOwnOrder) {
  for (const int ranks : {1, 2, 3, 7}) {
    std::vector<int> owned(static_cast<std::size_t>(ranks));
    std::set<std::uint64_t> segments;
    constexpr int boards = 70'000;
    for (std::uint64_t key = 0; key < boards; ++key) {
      const int owner = owner_of(mixed(key), ranks);
      ASSERT_GE(owner, 0);
      ASSERT_LT(owner, ranks);
      ++owned[static_cast<std::size_t>(owner)];
      if (owner == 0) segments.insert(mixed(key) >> 58);
    }
    for (const int count : owned) EXPECT_NEAR(count, boards / ranks, boards / ranks / 20);
    EXPECT_EQ(segments.size(), 64U);
  }
}

TEST(OpenList, GivesTheSmallestPriorityThenTheSmallestHThenTheLatest) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  OpenList<NibbleState> open(budget);
  Random random(5);
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> truth;
  std::uint64_t number = 0;
  std::array<NibbleState, 16> taken;
  for (int turn = 0; turn < 3000; ++turn) {
    for (std::uint64_t i = random.below(60); i > 0; --i) {
      const int priority = static_cast<int>(random.below(8)) + turn / 600;
      const int h = static_cast<int>(random.below(6));
      open.push(priority, h, NibbleState(std::bit_cast<NibblePosition>(++number), 2));
      truth[{priority, h}].push_back(number);
    }
    if (truth.empty()) continue;
    auto& bucket = truth.begin()->second;
    ASSERT_EQ(open.priority(), truth.begin()->first.first);
    ASSERT_EQ(open.h(), truth.begin()->first.second);
    const std::size_t count = open.pop(taken);
    ASSERT_EQ(count, std::min<std::size_t>(16, bucket.size()));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(taken[i].key(), bucket.back());
      bucket.pop_back();
    }
    if (bucket.empty()) truth.erase(truth.begin());
  }
}

}  // namespace
}  // namespace tessera
