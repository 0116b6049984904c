// SPDX-License-Identifier: MIT
#include "heuristic/additive.hpp"
#include "base/thinned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "heuristic/maximum.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

CellSet bit(int cell) {
  return CellSet{1} << cell;
}

// The spec's text names tiles of a goal; the goals of `varied_goals` have them out of order.
std::vector<CellSet> partition(const std::string& text, const Board& goal) {
  return partitions_of(resolve_heuristic("pdb:" + text, goal)).at(0);
}

// h along the step that the blank takes, with what was carried along, is h from scratch.
template <class H>
void expect_incremental_walk(const H& heuristic, Board labels, int steps, Random& random) {
  BytePosition<Size::max_cells> bytes(labels);
  typename H::State state = heuristic.start(labels);
  int h = heuristic.evaluate(labels);
  for (int i = 0; i < steps; ++i) {
    const Direction d = all_directions.at(random.below(4));
    const auto next = labels.neighbor(d);
    if (!next) continue;
    const Step<int, int, int> step{labels.blank(), *next, static_cast<int>(d)};
    const auto label = static_cast<unsigned>(labels.tile(*next));
    typename H::State packed = state;
    const int rise = heuristic.rise(bytes.handle(), label, step, state);
    if (labels.size().cells() <= NibblePosition::max_cells) {
      ASSERT_EQ(heuristic.rise(NibblePosition(labels), label, step, packed), rise);
    }
    (void)bytes.handle().slid(step.next, step.blank);
    labels.move(d);
    h += rise - 1;
    ASSERT_EQ(h, heuristic.evaluate(labels)) << to_string(labels) << " after " << letter(d);
  }
}

TEST(Additive, IsAdmissibleOnEveryStateOfThreeByThree) {
  const TemporaryFolder folder;
  for (const Board& goal : varied_goals({3, 3})) {
    const std::vector<int> distance = distances_from(goal);
    const Manhattan manhattan(make_instance(goal, goal));
    struct State {
      Board labels;
      int distance, manhattan;
    };
    std::vector<State> states;
    for (std::uint64_t r = 0; r < distance.size(); r += thinned * sampled(5)) {
      if (distance[r] < 0) continue;
      const Board labels = make_instance(unrank({3, 3}, r), goal).start;
      states.push_back({labels, distance[r], manhattan.evaluate(labels)});
    }
    for (const std::string text : {"4-4", "5-3", "1-7", "1-1-1-1-1-1-1-1", "8",
                                   "{1,2,3,8}{4,5}{6,7}", "{8,6,4,2}{7,5,3,1}"}) {
      const Additive heuristic(make_instance(goal, goal), {partition(text, goal)}, folder.text());
      std::uint64_t better = 0;
      for (const State& state : states) {
        const int h = heuristic.evaluate(state.labels);
        ASSERT_LE(h, state.distance) << text << " " << to_string(state.labels);
        ASSERT_GE(h, state.manhattan) << text << " " << to_string(state.labels);
        ASSERT_EQ((state.distance - h) % 2, 0);
        // All tiles in one pattern leave the blank one cell: nothing is abstract.
        if (text == "8") {
          ASSERT_EQ(h, state.distance) << to_string(state.labels);
        }
        better += h > state.manhattan ? 1 : 0;
      }
      if (text == "1-1-1-1-1-1-1-1") EXPECT_EQ(better, 0U);
      else EXPECT_GT(better, 10'000U / thinned / sampled(5)) << text;
    }
  }
}

TEST(Additive, IsAdmissibleWhereOnlyShapesOfOtherSizesAreStored) {
  const TemporaryFolder folder;
  for (const Size size : {Size{4, 2}, Size{2, 4}}) {
    for (const Board& goal : varied_goals(size)) {
      const std::vector<int> distance = distances_from(goal);
      for (const std::string text : {"3-4", "7"}) {
        const Additive heuristic(make_instance(goal, goal), {partition(text, goal)}, folder.text());
        for (std::uint64_t r = 0; r < distance.size(); r += thinned) {
          if (distance[r] < 0) continue;
          const int h = heuristic.evaluate(make_instance(unrank(size, r), goal).start);
          ASSERT_LE(h, distance[r]) << to_string(unrank(size, r));
          if (text == "7") {
            ASSERT_EQ(h, distance[r]) << to_string(unrank(size, r));
          }
        }
      }
    }
  }
  for (const std::string& name : folder.entries()) EXPECT_TRUE(name.starts_with("additive-4x2-"));
}

struct Case {
  Size size;
  std::string partition;
};

TEST(Additive, CarriesIndicesAlongRandomWalks) {
  const TemporaryFolder folder;
  Random random(31);
  const std::vector<Case> cases{
      {{3, 3}, "5-3"},     {{4, 3}, "5-6"},       {{3, 4}, "4-4-3"},          {{5, 2}, "5-4"},
      {{2, 6}, "5-3-3"},   {{6, 2}, "4-4-3"},     {{4, 4}, "5-5-5"},          {{8, 2}, "3-4-4-4"},
      {{2, 8}, "4-4-4-3"}, {{3, 6}, "4-4-4-3-2"}, {{5, 5}, "3-3-3-3-3-3-3-3"}};
  for (const auto& [size, text] : cases) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(random_board(goal, random), goal);
      const Additive heuristic(instance, {partition(text, goal)}, folder.text());
      expect_incremental_walk(heuristic, instance.start, 600, random);
      // Near the goal entries change from zero and back.
      expect_incremental_walk(heuristic, instance.goal(), 200, random);
      if (HasFatalFailure()) FAIL() << to_string(size) << " " << text;
      EXPECT_EQ(heuristic.evaluate(instance.goal()), 0);
    }
  }
}

TEST(Additive, ATileAtTheRimOfEveryPatternIsCarriedAlong) {
  // Patterns of many shapes, each turned into its table's own orientation.
  const TemporaryFolder folder;
  Random random(32);
  for (int i = 0; i < 12; ++i) {
    const Size size = i % 2 == 0 ? Size{4, 3} : Size{3, 4};
    const Board goal = varied_goals(size)[static_cast<std::size_t>(i) % 4];
    std::vector<CellSet> patterns(4);
    for (int cell = 0; cell < size.cells(); ++cell) {
      if (cell != goal.blank()) patterns[random.below(4)] |= bit(cell);
    }
    std::erase(patterns, CellSet{0});
    if (std::any_of(patterns.begin(), patterns.end(),
                    [](CellSet p) { return std::popcount(p) > 5; })) {
      continue;
    }
    const Instance instance = make_instance(random_board(goal, random), goal);
    expect_incremental_walk(Additive(instance, {patterns}, folder.text()), instance.start, 400,
                            random);
    if (HasFatalFailure()) return;
  }
}

TEST(Additive, LooksTheMirrorImageUpWhereTheGoalAllows) {
  const TemporaryFolder folder;
  const Size size{4, 3};
  const Board corner = Goal(Goal::Kind::first).board({3, 3});
  const auto halves = partition("{1,2,3,4}{5,6,7,8}", corner);
  const Additive both(make_instance(corner, corner), {halves}, folder.text());
  ASSERT_EQ(both.views().size(), 2U);
  EXPECT_EQ(both.slots().size(), 4U);
  // A board and its own mirror image are equally far for all that is looked up.
  Random random(33);
  const Symmetry mirror = symmetries({3, 3}).at(4);  // rows become columns
  for (int i = 0; i < 300; ++i) {
    const Board board = random_board(corner, random);
    std::vector<std::int64_t> image(9);
    for (int cell = 0; cell < 9; ++cell) {
      // Tiles of this goal are their home cells.
      image[static_cast<std::size_t>(mirror(cell))] = mirror(board.tile(cell));
    }
    const auto labels = [&](const Board& b) { return make_instance(b, corner).start; };
    ASSERT_EQ(both.evaluate(labels(board)), both.evaluate(labels(Board({3, 3}, image))));
  }
  // Its own image, a goal on an axis, one on none, and a size without one.
  EXPECT_EQ(Additive(make_instance(corner, corner), {partition("8", corner)}, folder.text())
                .views()
                .size(),
            1U);
  const Board edge = varied_goals({3, 3})[2];
  ASSERT_EQ(edge.blank(), 1);
  EXPECT_EQ(
      Additive(make_instance(edge, edge), {partition("4-4", edge)}, folder.text()).views().size(),
      2U);
  const Board side = varied_goals({4, 4})[2];
  ASSERT_EQ(side.blank(), 1);
  EXPECT_EQ(Additive(make_instance(side, side), {partition("3-3-3-3-3", side)}, folder.text())
                .views()
                .size(),
            1U);
  const Board wide = Goal().board(size);
  EXPECT_EQ(
      Additive(make_instance(wide, wide), {partition("5-6", wide)}, folder.text()).views().size(),
      1U);
}

TEST(Additive, TablesAreSharedAndRequestedOnce) {
  const TemporaryFolder folder;
  const Board goal = Goal().board({4, 4});
  // 5-5-5 of the left corner and its mirror image: three shapes or fewer.
  const auto parts = partition("5-5-5", goal);
  const auto requests = additive_requests({parts, parts}, {4, 4}, goal.blank());
  EXPECT_LE(requests.size(), 3U);
  for (const TableRequest& request : requests) {
    EXPECT_EQ(request.key.size, (Size{4, 4}));
    EXPECT_EQ(request.cost.entries, 524'160U);
  }
  EXPECT_EQ(with_images({parts, parts}, {4, 4}, goal.blank()).size(),
            with_images({parts}, {4, 4}, goal.blank()).size());
  const Additive heuristic(make_instance(goal, goal), {parts}, folder.text());
  std::vector<std::string> expected;
  for (const TableRequest& request : requests) expected.push_back(file_name(request.key));
  std::vector<std::string> made = folder.entries();
  std::sort(expected.begin(), expected.end());
  std::sort(made.begin(), made.end());
  EXPECT_EQ(made, expected);
  // Single tiles need none.
  EXPECT_TRUE(additive_requests({{bit(1), bit(2)}}, {3, 3}, 0).empty());
}

TEST(Additive, RefusesWhatItCannotLookUp) {
  const TemporaryFolder folder;
  const auto kind_of = [&](Size size, const std::vector<std::vector<CellSet>>& partitions) {
    const Board goal = Goal(Goal::Kind::first).board(size);
    SCOPED_TRACE(to_string(size));
    const auto made = [&] {
      return Additive(make_instance(goal, goal), partitions, folder.text());
    };
    return refused(made).kind();
  };
  EXPECT_EQ(kind_of({9, 2}, {{0x6}}), ErrorKind::input);
  EXPECT_EQ(kind_of({2, 9}, {{0x6}}), ErrorKind::input);
  EXPECT_EQ(kind_of({4, 4}, {{0xfffe}}), ErrorKind::input);     // fifteen tiles
  EXPECT_EQ(kind_of({6, 6}, {{0x1ffe}}), ErrorKind::resource);  // 36!/24! placements
  std::vector<std::vector<CellSet>> many;
  for (int i = 0; i < 25; ++i) many.push_back({bit(1 + i) | bit(2 + i)});
  EXPECT_EQ(kind_of({6, 6}, many), ErrorKind::input);
}

// ---- the maximum of several

TEST(Maximum, IsTheLargestOfItsPartsAndIncremental) {
  const TemporaryFolder folder;
  Random random(34);
  const std::vector<std::pair<Size, std::string>> cases{
      {{3, 3}, "max(pdb:4-4,pdb:3-5,walking,linear-conflict)"},
      {{4, 3}, "max(misplaced,linear-conflict,pdb:5-6)"},
      {{3, 4}, "max(zero,manhattan)"},
      {{4, 4}, "max(walking,linear-conflict,pdb:5-5-5)"},
      {{5, 5}, "max(linear-conflict,pdb:3-3-3-3-3-3-3-3)"},
      {{4, 4}, "max(linear-conflict,pdb:2-2-2-2-2-2-2-1,pdb:3-3-3-3-3)"}};
  for (const auto& [size, text] : cases) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(random_board(goal, random), goal);
      const HeuristicSpec spec = resolve_heuristic(text, goal);
      (void)table_requests(spec, size, goal.blank());  // does not refuse it
      const Maximum heuristic(instance, spec, folder.text());
      std::vector<std::unique_ptr<Maximum>> parts;
      for (const HeuristicSpec::Part& part : spec.parts) {
        parts.push_back(std::make_unique<Maximum>(instance, HeuristicSpec{{part}}, folder.text()));
      }
      for (int i = 0; i < 60; ++i) {
        const Board board = i % 2 == 0 ? random_board(goal, random) : scrambled(goal, 25, random);
        const Board labels = make_instance(board, goal).start;
        int most = 0;
        for (const auto& part : parts) most = std::max(most, part->evaluate(labels));
        ASSERT_EQ(heuristic.evaluate(labels), most) << text;
      }
      expect_incremental_walk(heuristic, instance.start, 400, random);
      expect_incremental_walk(heuristic, instance.goal(), 100, random);
      if (HasFatalFailure()) FAIL() << text;
    }
  }
}

TEST(Maximum, ItsPartsAreThemselves) {
  const TemporaryFolder folder;
  Random random(35);
  const Board goal = Goal().board({3, 3});
  for (int i = 0; i < 200; ++i) {
    const Instance instance = make_instance(random_board(goal, random), goal);
    const Board& labels = instance.start;
    const auto value = [&](const std::string& text) {
      return Maximum(instance, resolve_heuristic(text, goal), folder.text()).evaluate(labels);
    };
    const int walking = Walking(instance).evaluate(labels);
    const int conflict = LinearConflict(instance).evaluate(labels);
    const int additive =
        Additive(instance, {partition("4-4", goal)}, folder.text()).evaluate(labels);
    EXPECT_EQ(value("walking"), walking);
    EXPECT_EQ(value("linear-conflict"), conflict);
    EXPECT_EQ(value("pdb:4-4"), additive);
    EXPECT_EQ(value("max(walking,pdb:4-4,linear-conflict)"),
              std::max({walking, conflict, additive}));
  }
}

TEST(Maximum, RefusesMorePartsThanItCarries) {
  const TemporaryFolder folder;
  const Board goal = Goal().board({3, 3});
  const Instance instance = make_instance(goal, goal);
  for (const std::string text :
       {"max(zero,zero,zero,zero,zero,zero,zero,zero,zero)", "max(pdb:4-4,pdb:3-5,pdb:8)"}) {
    SCOPED_TRACE(text);
    const auto made = [&] {
      return Maximum(instance, resolve_heuristic(text, goal), folder.text());
    };
    EXPECT_EQ(refused(made).kind(), ErrorKind::input);
  }
  // Resolving one inside the other must not overflow the stack.
  std::string nested = "zero";
  for (int i = 0; i < 20'000; ++i) nested = "max(" + nested + ")";
  EXPECT_STREQ(refused([&] { return resolve_heuristic(nested, goal); }).what(),
               "heuristic of 20000 max(...), expected at most 8");
  EXPECT_EQ(resolve_heuristic("max(max(zero),misplaced)", goal),
            resolve_heuristic("max(zero,misplaced)", goal));
}

TEST(TableHeuristic, IsTheMaximumOfItsPartitionsAndWalking) {
  const TemporaryFolder folder;
  Random random(36);
  for (const Board& goal : varied_goals({3, 3})) {
    const Instance any = make_instance(goal, goal);
    for (const std::string text : {"pdb:4-4", "max(pdb:4-4,pdb:2-6)", "max(walking,pdb:4-4)",
                                   "max(manhattan,pdb:3-5,walking,pdb:2-6)"}) {
      const HeuristicSpec spec = resolve_heuristic(text, goal);
      ASSERT_TRUE(is_table_heuristic(spec));
      const TableHeuristic tables(any, spec, folder.text());
      for (int i = 0; i < 100; ++i) {
        const Instance instance = make_instance(random_board(goal, random), goal);
        const Maximum maximum(instance, spec, folder.text());
        const int h = tables.evaluate(instance.start);
        // The tables of a collection are zero-aware.
        if (tables.collection() != nullptr) ASSERT_GE(h, maximum.evaluate(instance.start)) << text;
        else ASSERT_EQ(h, maximum.evaluate(instance.start)) << text;
      }
    }
  }
  const Board goal = Goal().board({3, 3});
  for (const char* text : {"walking", "max(walking,manhattan)", "max(pdb:4-4,linear-conflict)"}) {
    EXPECT_FALSE(is_table_heuristic(resolve_heuristic(text, goal))) << text;
  }
}

TEST(TableHeuristic, OpensTablesAgainThatWereOverwritten) {
  const Board goal = Goal().board({3, 3});
  const Instance instance = make_instance(goal, goal);
  for (const char* text : {"max(pdb:4-4,escapes)", "max(pdb:4-4,pdb:2-6)"}) {
    const TemporaryFolder folder;
    const HeuristicSpec spec = resolve_heuristic(text, goal);
    // Whether it is mapped, and not known to have changed before.
    const auto is_noticed = [&](const std::string& name) {
      const std::uint64_t earlier = noticed_file_changes();
      const std::filesystem::path path = folder.path() / name;
      const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(1);
      std::filesystem::last_write_time(path, later);
      return changed_mapped_file(earlier) == path;
    };
    const TableHeuristic first(instance, spec, folder.text());
    const std::vector<std::string> tables = folder.entries();
    EXPECT_GT(tables.size(), 1U);
    for (const std::string& table : tables) EXPECT_TRUE(is_noticed(table)) << table;
    for (const std::string& table : tables) EXPECT_FALSE(is_noticed(table)) << table;
    const TableHeuristic second(instance, spec, folder.text());
    for (const std::string& table : tables) EXPECT_TRUE(is_noticed(table)) << table;
  }
}

// ---- names

TEST(HeuristicSpec, TextLeadsBackToIt) {
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  EXPECT_EQ(to_string(resolve_heuristic("pdb:{1,2,3,4}{5,6,7,8}", goal)), "pdb:1e-1e0");
  EXPECT_EQ(to_string(resolve_heuristic("max(walking, pdb:{1,2,3,4}{5,6,7,8})", goal)),
            "max(walking,pdb:1e-1e0)");
  EXPECT_EQ(to_string(resolve_heuristic("max(zero,max(walking,max(manhattan)),misplaced)", goal)),
            "max(zero,walking,manhattan,misplaced)");
  EXPECT_EQ(to_string(resolve_heuristic("max(walking)", goal)), "walking");
  for (const std::string text :
       {"manhattan", "pdb:1e-1e0", "max(walking,pdb:1e-1e0,pdb:fe-100)", "pdb:ffffffffffffffff"}) {
    EXPECT_EQ(to_string(parse_heuristic(text)), text);
  }
  for (const char* bad : {"pdb:xyz", "pdb:", "pdb:1-", "pdb:11111111111111111", "max(pdb:g)"}) {
    EXPECT_THROW((void)parse_heuristic(bad), Error) << bad;
  }
}

TEST(HeuristicSpec, RefusesWhatIsNoHeuristic) {
  const Board goal = Goal().board({3, 3});
  for (const std::string text :
       {"", "pdb", "pdb:", "pdb:4-5", "pdb:{1,2}", "pdb:nosuchfile", "max", "max()", "max(,)",
        "max(manhattan,)", "max(manhattan", "max(manhattan))", "max(pdb:4-4,nonsense)",
        "max(pdb:{1,2,3,4},walking)", "max(pdb:{1,2,3,4}{5,6,7,8,8})", "Manhattan", "pdb:4-4)"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(refused([&] { return resolve_heuristic(text, goal); }).kind(), ErrorKind::input);
  }
}

}  // namespace
}  // namespace tessera
