// SPDX-License-Identifier: MIT
#include "heuristic/collection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "heuristic/additive.hpp"
#include "heuristic/collection_steps.hpp"
#include "heuristic/named_collections.hpp"
#include "heuristic/placement_steps.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

std::vector<std::vector<CellSet>> partitions(const std::string& text, const Board& goal) {
  return partitions_of(resolve_heuristic(text, goal));
}

struct ViewValue {
  int h;
  bool exact;
};

std::vector<ViewValue> values(const Collection& collection, const Board& labels) {
  const auto cell_of = cells_by_label(labels);
  std::vector<ViewValue> values;
  for (const View& view : collection.views()) {
    ViewValue value{collection.manhattan().evaluate(labels), true};
    for (const std::uint8_t s : view) {
      const AwareSlot& slot = collection.slots()[s];
      const unsigned excess = slot.excess(slot.placement(cell_of), labels.blank());
      value.h += 2 * static_cast<int>(excess & ~AwareSlot::inexact);
      value.exact = value.exact && (excess & AwareSlot::inexact) == 0;
    }
    values.push_back(value);
  }
  return values;
}

TEST(Collection, AMoveChangesEveryViewByOne) {
  const TemporaryFolder folder;
  Random random(61);
  const std::vector<std::pair<Size, std::string>> cases{
      {{3, 3}, "max(pdb:4-4,pdb:3-5,pdb:2-6)"},
      {{4, 3}, "max(pdb:5-6,pdb:4-4-3,pdb:3-3-5)"},
      {{2, 6}, "max(pdb:4-4-3,pdb:5-6,pdb:3-3-5)"},
      {{4, 4}, "max(pdb:5-5-5,pdb:4-4-4-3)"}};
  for (const auto& [size, text] : cases) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(random_board(goal, random), goal);
      const Collection collection(instance, partitions(text, goal), folder.text());
      Board labels = instance.start;
      std::vector<ViewValue> before = values(collection, labels);
      int checked = 0;
      for (int i = 0; i < 400; ++i) {
        const auto d = all_directions[random.below(4)];
        if (!labels.neighbor(d)) continue;
        labels = labels.moved(d);
        const std::vector<ViewValue> after = values(collection, labels);
        int most = 0;
        for (std::size_t v = 0; v < after.size(); ++v) {
          most = std::max(most, after[v].h);
          if (!before[v].exact || !after[v].exact) continue;
          ASSERT_EQ(std::abs(after[v].h - before[v].h), 1) << text << " view " << v;
          ++checked;
        }
        ASSERT_EQ(collection.evaluate(labels), most);
        before = after;
      }
      EXPECT_GT(checked, 400) << text;
    }
  }
}

TEST(Collection, IsAdmissibleAndAtLeastAsLargeAsPlainTables) {
  const TemporaryFolder folder;
  const Size size{3, 3};
  for (const Board& goal : varied_goals(size)) {
    const std::vector<int> distance = distances_from(goal);
    const auto sets = partitions("max(pdb:4-4,pdb:3-5,pdb:2-3-3)", goal);
    const Instance any = make_instance(goal, goal);
    const Collection collection(any, sets, folder.text());
    const Additive plain(any, sets, folder.text());
    int larger = 0;
    for (std::size_t r = 0; r < distance.size(); r += 7) {
      if (distance[r] < 0) continue;
      const Board labels = make_instance(unrank(size, r), goal).start;
      const int h = collection.evaluate(labels);
      ASSERT_LE(h, distance[r]);
      ASSERT_GE(h, plain.evaluate(labels));
      larger += h > plain.evaluate(labels) ? 1 : 0;
    }
    EXPECT_GT(larger, 0);
  }
}

TEST(Collection, PartitionsShareSlotsAndTables) {
  const TemporaryFolder folder;
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const auto sets = partitions("max(pdb:{1,2}{3,4,5}{6,7,8},pdb:{1,2}{3,4}{5,6,7,8})", goal);
  const Collection collection(make_instance(goal, goal), sets, folder.text());
  ASSERT_EQ(collection.views().size(), 4U);   // with mirror images
  EXPECT_EQ(collection.slots().size(), 10U);  // {1,2} and its mirror image twice
  EXPECT_EQ(collection.views()[0][0], collection.views()[2][0]);
  EXPECT_EQ(folder.entries().size(), collection_requests(sets, {3, 3}, 0).size());
  EXPECT_LE(folder.entries().size(), 5U);
}

TEST(Collection, RefusesMoreViewsThanItHolds) {
  const TemporaryFolder folder;
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  std::vector<std::vector<CellSet>> many;
  for (CellSet homes = 2; homes < 0x1fe; homes += 2) {
    const int tiles = std::popcount(homes);
    if (tiles == 2 || tiles == 3) many.push_back({homes, 0x1fe & ~homes});
  }
  const auto made = [&] { return Collection(make_instance(goal, goal), many, folder.text()); };
  EXPECT_EQ(refused(made).kind(), ErrorKind::input);
}

// Before anything is built.
TEST(Collection, RefusesPatternsOfNineTiles) {
  const Board goal = Goal(Goal::Kind::first).board({4, 3});
  const auto sets = partitions("max(pdb:5-6,pdb:9-2,pdb:2-9)", goal);
  EXPECT_EQ(refused([&] { return collection_requests(sets, {4, 3}, 0); }).kind(), ErrorKind::input);
}

// Along a random walk.
TEST(CollectionSteps, SlidingGivesWhatLookingUpFromScratchGives) {
  const TemporaryFolder folder;
  const Board goal = Goal(Goal::Kind::first).board({4, 4});
  const HeuristicSpec spec = resolve_heuristic("max(pdb:4-4-4-3,pdb:3-4-4-4)", goal);
  using Steps = CollectionSteps<Size::max_cells, 16>;
  const Steps steps(make_instance(goal, goal), spec, folder.text());
  Random random(4);
  Board board = random_board(goal, random);
  Steps::State state = Steps::placed(cells_by_label(board));
  const int h = steps.evaluate(board);
  steps.look_up({&state, 1}, {&h, 1});
  for (int i = 0; i < 3000; ++i) {
    const Direction d = all_directions.at(random.below(4));
    const auto next = board.neighbor(d);
    if (!next) continue;
    const Step<int, int, int> step{board.blank(), *next, static_cast<int>(d)};
    const Steps::Slide slide = steps.slide_of(static_cast<unsigned>(board.tile(*next)), step);
    steps.slide({&state, 1}, {&slide, 1});
    board.move(d);
    ASSERT_EQ(state.h, steps.evaluate(board)) << i;
  }
}

// Every tile once, in patterns of at most six.
void expect_whole(const Partition& partition, Size size, int blank) {
  CellSet all = 0;
  for (const CellSet homes : partition) {
    EXPECT_LE(std::popcount(homes), 6);
    EXPECT_EQ(all & homes, 0U);
    all |= homes;
  }
  EXPECT_EQ(partition.size(), static_cast<std::size_t>(size.cells() / 6));
  EXPECT_EQ(all, Regions(size).all() & ~(CellSet{1} << blank));
}

TEST(NamedCollection, PartitionsHoldEveryTileOnceForEachCorner) {
  for (const NamedCollection& named : named_collections()) {
    const Size own = named.size;
    const bool is_square = own.width == own.height;
    for (const Size size : {own, Size{own.height, own.width}}) {
      for (const int blank : {0, size.width - 1, size.cells() - size.width, size.cells() - 1}) {
        const auto sets = partitions_of(named, size, blank);
        ASSERT_EQ(sets.size(), named.pictures.size());
        // The corners of a square lie on diagonals.
        EXPECT_EQ(with_images(sets, size, blank).size(), sets.size() * (is_square ? 2 : 1));
        for (const auto& partition : sets) expect_whole(partition, size, blank);
        EXPECT_EQ(collection_requests(sets, size, blank).size(),
                  collection_requests(partitions_of(named, own, 0), own, 0).size());
      }
      const Board goal = Goal().board(size);
      const HeuristicSpec spec = resolve_heuristic("pdb:" + std::string(named.name), goal);
      EXPECT_EQ(partitions_of(spec), partitions_of(named, size, goal.blank()));
      EXPECT_EQ(to_string(parse_heuristic(to_string(spec))), to_string(spec));
    }
  }
}

// For any other cell of the blank, too, by all symmetries of the board.
TEST(NamedCollection, MediumHasPartitionsForEveryBlank) {
  const NamedCollection& medium = *find_collection("medium", {5, 5});
  std::set<TableKey> keys;
  for (int blank = 0; blank < 25; ++blank) {
    const auto sets = partitions_of(medium, {5, 5}, blank);
    EXPECT_GE(sets.size(), 2U);
    for (const auto& partition : sets) expect_whole(partition, {5, 5}, blank);
    EXPECT_LE(with_images(sets, {5, 5}, blank).size(), 16U);  // the kernel's fastest form
    for (const TableRequest& table : collection_requests(sets, {5, 5}, blank)) {
      keys.insert(table.key);
    }
  }
  EXPECT_EQ(keys.size(), 38U);
}

// Blocks of 2x3 share the tables of three positions on the board; the fourth holds the corner.
TEST(NamedCollection, BlocksOn6x5ShareTables) {
  for (const Size size : {Size{6, 5}, Size{5, 6}}) {
    const Board goal = Goal().board(size);
    const HeuristicSpec spec = resolve_heuristic("pdb:small", goal);
    EXPECT_EQ(table_requests(spec, size, goal.blank()).size(), 5U);
  }
}

TEST(NamedCollection, AreRefusedForOtherSizesAndGoals) {
  const auto kind_of = [](const std::string& text, const Board& goal) {
    SCOPED_TRACE(text);
    return refused([&] { return resolve_heuristic(text, goal); }).kind();
  };
  EXPECT_EQ(kind_of("pdb:small", Goal().board({4, 4})), ErrorKind::input);
  EXPECT_EQ(kind_of("pdb:smal", Goal().board({5, 5})), ErrorKind::input);
  const Board middle =
      parse_board("1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15 16 17 18 19 20 21 22 23 24", Size{5, 5});
  EXPECT_EQ(kind_of("pdb:small", middle), ErrorKind::input);
}

}  // namespace
}  // namespace tessera
