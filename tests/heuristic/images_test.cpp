// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"

namespace tessera {
namespace {

// A partition with its images beside the same partition alone.
class Images {
 public:
  Images(const Board& goal, const std::string& text, const std::string& folder)
      : goal_(goal),
        instance_(make_instance(goal, goal)),
        spec_(resolve_heuristic(text, goal)),
        tables_(instance_, spec_, folder),
        one_(instance_, partitions_of(spec_), folder) {}

  void expect_between(const Board& board, int distance) {
    const Board labels = make_instance(board, goal_).start;
    unsigned excess = 0;
    for (const std::size_t s : one_.views()[0]) {
      const PatternSlot& slot = one_.slots()[s];
      excess += slot.excess(slot.index_of(cells_by_label(labels)));
    }
    const int alone = one_.manhattan().evaluate(labels) + 2 * static_cast<int>(excess);
    const int h = tables_.evaluate(labels);
    ASSERT_GE(h, alone) << to_string(board);
    ASSERT_LE(h, distance) << to_string(board);
    larger_ += h > alone ? 1 : 0;
  }
  [[nodiscard]] std::size_t count() const {
    return with_images(partitions_of(spec_), goal_.size(), goal_.blank()).size();
  }
  [[nodiscard]] bool is_collection() const { return tables_.collection() != nullptr; }
  [[nodiscard]] int larger() const { return larger_; }

 private:
  Board goal_;
  Instance instance_;
  HeuristicSpec spec_;
  TableHeuristic tables_;
  Additive one_;
  int larger_ = 0;
};

TEST(Images, NeverExceedTheDistanceWhereverTheBlankEnds) {
  const TemporaryFolder folder;
  const Size size{3, 3};
  for (int blank = 0; blank < size.cells(); ++blank) {
    const Board goal = ordered_board(size, blank);
    const std::vector<int> distance = distances_from(goal);
    Images images(goal, "pdb:{1,2,5}{3,4,6,7,8}", folder.text());
    EXPECT_EQ(images.count(), blank == 4 ? 8U : 2U) << blank;
    EXPECT_EQ(images.is_collection(), blank == 4);
    for (std::size_t r = 0; r < distance.size(); r += thinned * sampled(5)) {
      if (distance[r] < 0) continue;
      images.expect_between(unrank(size, r), distance[r]);
      if (HasFatalFailure()) FAIL() << blank;
    }
    EXPECT_GT(images.larger(), 0) << blank;
  }
}

// All boards up to so many moves from the goal.
std::vector<std::pair<Board, int>> near(const Board& goal, int most) {
  std::vector<std::pair<Board, int>> boards{{goal, 0}};
  std::set<std::string> known{to_string(goal)};
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto [board, moves] = boards[i];
    if (moves == most) break;
    for (const Direction d : all_directions) {
      if (!board.neighbor(d)) continue;
      const Board child = board.moved(d);
      if (known.insert(to_string(child)).second) boards.emplace_back(child, moves + 1);
    }
  }
  return boards;
}

TEST(Images, AreThoseThatGoalAndSizeAllow) {
  const TemporaryFolder folder;
  const auto images = [](Size size, int blank) -> std::size_t {
    // Two tiles beside each other off every axis tell all symmetries apart.
    const int tile = blank < size.cells() / 2 ? size.cells() - 3 : 1;
    return with_images({{CellSet{3} << tile}}, size, blank).size();
  };
  EXPECT_EQ(images({4, 4}, 0), 2U);
  EXPECT_EQ(images({4, 4}, 3), 2U);
  EXPECT_EQ(images({4, 4}, 9), 2U);
  EXPECT_EQ(images({4, 4}, 1), 1U);
  EXPECT_EQ(images({5, 5}, 12), 8U);
  EXPECT_EQ(images({5, 3}, 7), 4U);
  EXPECT_EQ(images({5, 4}, 2), 2U);
  EXPECT_EQ(images({4, 3}, 4), 2U);
  EXPECT_EQ(images({4, 3}, 0), 1U);
  for (const Size size : {Size{4, 4}, Size{4, 3}, Size{5, 3}}) {
    const std::string text = size.cells() == 16   ? "pdb:3-3-3-3-3"
                             : size.cells() == 12 ? "pdb:4-4-3"
                                                  : "pdb:4-4-3-3";
    for (int blank = 0; blank < size.cells(); ++blank) {
      const Board goal = ordered_board(size, blank);
      Images tables(goal, text, folder.text());
      for (const auto& [board, moves] : near(goal, 10)) {
        tables.expect_between(board, moves);
        if (HasFatalFailure()) FAIL() << to_string(goal);
      }
    }
  }
}

// Patterns of nine tiles have no zero-aware tables.
TEST(Images, OfLargePatternsAreTwo) {
  const Size size{5, 3};
  const Partition large{0b10000'10011'11111, 0b01111'01000'00000};
  EXPECT_EQ(with_images({large}, size, 7).size(), 4U);
  EXPECT_FALSE(is_collection({large}, size, 7));
  EXPECT_GT(additive_requests({large}, size, 7).size(), 0U);
}

TEST(Images, AreLeftOutWhereThereAreNoSlotsForThem) {
  const TemporaryFolder folder;
  const Size size{6, 5};
  const Board goal = ordered_board(size, 12);  // at the left end of the middle row
  const auto slots = [&](const std::string& text) {
    const HeuristicSpec spec = resolve_heuristic(text, goal);
    EXPECT_EQ(with_images(partitions_of(spec), size, 12).size(), 2U);
    return Additive(make_instance(goal, goal), partitions_of(spec), folder.text()).slots().size();
  };
  EXPECT_EQ(slots("pdb:2-2-2-2-2-2-2-2-2-2-2-2-2-1-1-1"), 14U);
  EXPECT_EQ(slots("pdb:2-2-2-2-2-2-2-2-2-2-1-1-1-1-1-1-1-1-1"), 22U);
}

}  // namespace
}  // namespace tessera
