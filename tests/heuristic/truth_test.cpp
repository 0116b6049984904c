// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <tuple>

#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "heuristic/registry.hpp"
#include "heuristic/tried_sizes.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

// Everything that the search relies on, for one heuristic on one board and all its moves.
template <class H>
void expect_sound_step(const H& heuristic, const Board& labels) {
  BytePosition<64> bytes(labels);
  const bool packs = labels.size().cells() <= NibblePosition::max_cells;
  const int h = heuristic.evaluate(labels);
  for (const Direction d : all_directions) {
    const auto next = labels.neighbor(d);
    if (!next) continue;
    const Step<int, int, int> step{labels.blank(), *next, static_cast<int>(d)};
    const auto label = static_cast<unsigned>(labels.tile(*next));
    typename H::State state = heuristic.start(labels);
    const int rise = heuristic.rise(bytes.handle(), label, step, state);
    ASSERT_EQ(rise, 1 + heuristic.evaluate(labels.moved(d)) - h)
        << to_string(labels) << " " << letter(d);
    if (H::info.consistent) {
      ASSERT_GE(rise, 0) << "f falls: " << to_string(labels) << " " << letter(d);
    }
    if (H::f_step > 0) {
      ASSERT_TRUE(rise == 0 || rise == H::f_step) << rise;
    }
    if (packs) {
      typename H::State packed = heuristic.start(labels);
      ASSERT_EQ(heuristic.rise(NibblePosition(labels), label, step, packed), rise);
    }
  }
}

template <class H>
class EveryState : public testing::Test {};
template <class List>
struct AsTypes;
template <class... H>
struct AsTypes<std::tuple<H...>> {
  using Types = testing::Types<H...>;
};
TYPED_TEST_SUITE(EveryState, AsTypes<Heuristics>::Types);

// Those with tables have theirs in one folder.
template <class H>
H made(const Instance& instance) {
  static const TemporaryFolder folder;
  return make_heuristic<H>(instance, {}, folder.text());
}

TYPED_TEST(EveryState, IsAdmissibleConsistentAndIncremental) {
  for (const Size size : {Size{3, 3}, Size{2, 3}, Size{4, 2}, Size{2, 5}}) {
    std::vector<Board> goals = varied_goals(size);
    if (size == Size{2, 5}) goals.resize(1);  // 3.6 million boards each
    for (const Board& goal : goals) {
      const TypeParam heuristic = made<TypeParam>(make_instance(goal, goal));
      EXPECT_EQ(heuristic.evaluate(make_instance(goal, goal).start), 0);
      const std::vector<int> distance = distances_from(goal);
      const std::uint64_t stride = size.cells() < 9 ? 1 : sampled(5);
      for (std::uint64_t r = 0; r < distance.size(); r += stride * thinned) {
        if (distance[r] < 0) continue;
        const Board labels = make_instance(unrank(size, r), goal).start;
        ASSERT_LE(heuristic.evaluate(labels), distance[r]) << to_string(labels);
        if (size != Size{2, 5} || r % 7 == 0) expect_sound_step(heuristic, labels);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(EveryState, IsIncrementalOnLargerBoards) {
  Random random(9);
  for (const Size size : {Size{4, 3}, Size{3, 4}, Size{4, 4}, Size{5, 3}, Size{5, 5}, Size{6, 6},
                          Size{8, 8}, Size{2, 8}, Size{2, 32}, Size{32, 2}}) {
    if (!is_tried(TypeParam::info.name, size)) continue;
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(random_board(goal, random), goal);
      const TypeParam heuristic = made<TypeParam>(instance);
      Board labels = instance.start;
      BytePosition<64> carried(labels);
      auto state = heuristic.start(labels);
      int h = heuristic.evaluate(labels);
      for (int i = 0; i < 60; ++i) {
        expect_sound_step(heuristic, labels);
        if (this->HasFatalFailure()) return;
        const Direction d = all_directions.at(random.below(4));
        const auto next = labels.neighbor(d);
        if (!next) continue;
        // One state is carried all the way.
        const int blank = labels.blank();
        h += heuristic.rise(carried.handle(), static_cast<unsigned>(labels.tile(*next)),
                            Step<int, int, int>{blank, *next, static_cast<int>(d)}, state) -
             1;
        (void)carried.handle().slid(*next, blank);
        labels.move(d);
        ASSERT_EQ(h, heuristic.evaluate(labels)) << to_string(labels);
      }
      // Near the goal lines are full of tiles at home, which is where conflicts are.
      const Board near = make_instance(scrambled(goal, 30, random), goal).start;
      expect_sound_step(heuristic, near);
    }
  }
}

// About the diagonal through the blank's home.
Board mirrored(const Board& labels) {
  const Size size = labels.size();
  const auto mirror = [&](int cell) { return size.column(cell) * size.width + size.row(cell); };
  std::vector<std::int64_t> tiles(static_cast<std::size_t>(size.cells()));
  for (int cell = 0; cell < size.cells(); ++cell) {
    tiles[static_cast<std::size_t>(mirror(cell))] =
        labels.tile(cell) == 0 ? 0 : mirror(labels.tile(cell));
  }
  return Board(size, tiles);
}

TEST(Fringe, IsItsOwnMirrorImage) {
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const Fringe fringe = made<Fringe>(make_instance(goal, goal));
  Random random(12);
  for (int i = 0; i < 500; ++i) {
    const Board labels = random_board(goal, random);
    ASSERT_EQ(fringe.evaluate(labels), fringe.evaluate(mirrored(labels))) << to_string(labels);
  }
}

TEST(Manhattan, IsTheTablesFirstColumnOnKorfsBoards) {
  const BuiltinSet set = builtin_set("korf100:1-5", Metric::single);
  const std::vector<int> known{41, 43, 41, 42, 42};
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Instance instance = make_instance(set.boards[i].board.board, set.goal.board({4, 4}));
    EXPECT_EQ(Manhattan(instance).evaluate(instance.start), known[i]);
  }
}

// The most tiles of a line that can stay: the largest subset without a pair in reversed order.
int oracle(const std::vector<std::uint8_t>& places) {
  int at_home = 0;
  int best = 0;
  for (const auto place : places) at_home += place > 0;
  for (unsigned subset = 0; subset < 1U << places.size(); ++subset) {
    int size = 0;
    int last = 0;
    bool ordered = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      ordered = ordered && places[i] > last;
      last = places[i];
      ++size;
    }
    if (ordered) best = std::max(best, size);
  }
  return 2 * (at_home - best);
}

TEST(LinearConflict, CountsTilesThatMustLeaveNotPairs) {
  const auto leavers = [](std::vector<std::uint8_t> places) {
    return LinearConflict::leavers(places);
  };
  EXPECT_EQ(leavers({3, 2, 1}), 4);  // three pairs, but two tiles leave
  EXPECT_EQ(leavers({2, 1, 4, 3}), 4);
  EXPECT_EQ(leavers({4, 1, 2, 3}), 2);
  EXPECT_EQ(leavers({1, 2, 3, 4}), 0);
  EXPECT_EQ(leavers({0, 2, 0, 1}), 2);
  EXPECT_EQ(leavers({}), 0);
  Random random(8);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint8_t> places(1 + random.below(8));
    for (std::size_t c = 0; c < places.size(); ++c) {
      const auto place = static_cast<std::uint8_t>(random.below(places.size() + 1));
      if (std::find(places.begin(), places.end(), place) == places.end()) places[c] = place;
    }
    EXPECT_EQ(LinearConflict::leavers(places), oracle(places));
  }
}

TEST(Registry, NamesResolveAndTheNearestIsNamed) {
  const Board goal = Goal().board({4, 4});
  EXPECT_EQ(heuristic_infos().size(), std::tuple_size_v<Heuristics>);
  for (const HeuristicInfo& info : heuristic_infos()) {
    EXPECT_EQ(to_string(resolve_heuristic(info.name, goal)), info.name);
    EXPECT_TRUE(is_tried(info.name, {3, 3}));
  }
  EXPECT_STREQ(refused([&] { return resolve_heuristic("manhatten", goal); }).what(),
               "heuristic 'manhatten' is unknown, did you mean manhattan?");
}

}  // namespace
}  // namespace tessera
