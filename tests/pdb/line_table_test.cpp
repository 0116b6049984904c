// SPDX-License-Identifier: MIT
#include "pdb/line_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

#include "puzzle/all_boards.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

template <class Colors>
class LineTables : public testing::Test {
 protected:
  using Sequence = typename Colors::Sequence;
  using Counts = typename LineIndex<Colors>::Counts;

  static std::vector<Counts> counts() {
    if constexpr (Colors::colors == 4) {
      return {{0, 1, 1, 1}, {2, 2, 2, 2}, {3, 2, 0, 2}, {2, 3, 3, 3}, {0, 0, 1, 9}};
    } else if constexpr (Colors::colors == 3) {
      return {{1, 1, 1}, {0, 3, 2}, {5, 4, 4}, {8, 0, 3}, {14, 2, 1}, {21, 2, 1}};
    } else {
      std::vector<Counts> counts{{1, 2}, {0, 5}, {6, 7}, {14, 5}, {20, 4}};
      if (Colors::max_cells == 36) counts.insert(counts.end(), {{15, 3}, {30, 5}, {4, 31}});
      return counts;
    }
  }
  static std::vector<Size> sizes() {
    std::vector<Size> sizes{{2, 2}, {3, 3}, {4, 3}, {3, 4}, {4, 4}, {8, 2}, {2, 8}, {5, 3}};
    if constexpr (Colors::colors < 4) sizes.insert(sizes.end(), {{5, 4}, {4, 5}, {5, 5}, {12, 2}});
    if constexpr (Colors::max_cells == 36) sizes.insert(sizes.end(), {{6, 5}, {6, 6}, {18, 2}});
    return sizes;
  }
};
using AllColors = testing::Types<FourColors, ThreeColors, TwoColors, TwoColorsOfMany>;
TYPED_TEST_SUITE(LineTables, AllColors);

TYPED_TEST(LineTables, NumberEveryArrangementOnce) {
  for (const auto& counts : TestFixture::counts()) {
    const LineIndex<TypeParam> index(counts);
    std::vector<unsigned> symbols;
    for (unsigned color = 0; color < TypeParam::colors; ++color) {
      symbols.insert(symbols.end(), static_cast<std::size_t>(counts[color]), color);
    }
    std::vector<bool> seen(index.size());
    std::uint32_t arrangements = 0;
    do {
      typename TypeParam::Sequence sequence = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        sequence |= TypeParam::only(static_cast<int>(i), symbols[i]);
      }
      ASSERT_LT(index.rank(sequence), index.size());
      EXPECT_FALSE(seen[index.rank(sequence)]);
      seen[index.rank(sequence)] = true;
      ++arrangements;
    } while (std::next_permutation(symbols.begin(), symbols.end()));
    EXPECT_EQ(arrangements, index.size());

    std::uint32_t next = 0;
    for (std::uint32_t upper = 0; upper < index.upper_halves(); ++upper) {
      for (const auto lower : index.lower_halves(upper)) {
        ASSERT_EQ(index.rank(index.upper_half(upper) | lower), next++);
      }
    }
    EXPECT_EQ(next, index.size());
  }
}

// Colors in reading order without the blank.
template <class Colors>
typename Colors::Sequence sequence_of(const Board& labels, const Instance& goal,
                                      const LineSpace<Colors>& space) {
  typename Colors::Sequence sequence = 0;
  int place = 0;
  for (int cell = 0; cell < labels.size().cells(); ++cell) {
    const int label = labels.tile(cell);
    if (label == 0) continue;
    sequence |= Colors::only(place++, space.colors[static_cast<std::size_t>(goal.home(label))]);
  }
  return sequence;
}

TYPED_TEST(LineTables, StepsAreWhatMovesDoToTheSequences) {
  Random random(5);
  for (const Size size : TestFixture::sizes()) {
    const LineStep<TypeParam> step(size.width);
    for (const Board& goal : varied_goals(size)) {
      const LineSpace<TypeParam> a({size, goal.blank(), TypeParam::colorings[0]});
      const LineSpace<TypeParam> b({size, goal.blank(), TypeParam::colorings[1]});
      const Instance instance = make_instance(random_board(goal, random), goal);
      Board board = instance.start;
      const auto words = [&] {
        typename TypeParam::Sequences sequences{};
        sequences.add(0, sequence_of(board, instance, a));
        sequences.add(1, sequence_of(board, instance, b));
        return sequences;
      };
      for (int i = 0; i < 200; ++i) {
        const Direction d = all_directions.at(random.below(4));
        if (!board.neighbor(d)) continue;
        auto expected = words();
        const int blank = board.blank();
        board.move(d);
        for (std::uint64_t& word : expected.words) {
          if (d == Direction::up) word = step.up(word, board.blank());
          if (d == Direction::down) word = step.down(word, blank);
        }
        ASSERT_TRUE(words() == expected);
      }
    }
  }
}

// The vertical moves of every coloring of the cells that moves lead to, on the board itself: steps
// to the side cost nothing. Boards are texts of colors, '.' the blank.
std::map<std::string, int> truth(Size size, const std::string& goal) {
  std::map<std::string, int> cost{{goal, 0}};
  std::deque<std::string> open{goal};
  const auto reach = [&](const std::string& board, int moves, bool is_free) {
    const auto [known, is_new] = cost.try_emplace(board, moves);
    if (!is_new && known->second <= moves) return;
    known->second = moves;
    if (is_free) open.push_front(board);
    else open.push_back(board);
  };
  while (!open.empty()) {
    const std::string board = open.front();
    open.pop_front();
    const int moves = cost[board];
    const auto blank = static_cast<int>(board.find('.'));
    for (const int offset : {-1, 1, -size.width, size.width}) {
      std::string run = board;
      for (int cell = blank; true; cell += offset) {
        const int next = cell + offset;
        if (next < 0 || next >= size.cells()) break;
        const bool sideways = offset == 1 || offset == -1;
        if (sideways && size.row(next) != size.row(cell)) break;
        std::swap(run[static_cast<std::size_t>(cell)], run[static_cast<std::size_t>(next)]);
        reach(run, moves + (sideways ? 0 : 1), sideways);
      }
    }
  }
  return cost;
}

TYPED_TEST(LineTables, HoldTheVerticalMovesOfColoredTiles) {
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{2, 3}, Size{3, 3}, Size{4, 2}, Size{2, 4}}) {
    for (int goal_blank = 0; goal_blank < size.cells(); ++goal_blank) {
      for (const LineColoring coloring : TypeParam::colorings) {
        const LineTableKey key{size, goal_blank, coloring};
        const LineSpace<TypeParam> space(key);
        const LargeBuffer table = line_request(key).build(1, {});
        const auto values = table.bytes();
        EXPECT_EQ(values.size(), line_request(key).cost.entries);
        std::string goal;
        for (int cell = 0; cell < size.cells(); ++cell) {
          const auto color = space.colors[static_cast<std::size_t>(cell)];
          goal += cell == goal_blank ? '.' : static_cast<char>('0' + color);
        }
        std::vector<bool> met(values.size());
        for (const auto& [board, moves] : truth(size, goal)) {
          typename TypeParam::Sequence sequence = 0;
          int place = 0;
          int row = 0;
          for (int cell = 0; cell < size.cells(); ++cell) {
            const char color = board[static_cast<std::size_t>(cell)];
            if (color == '.') row = size.row(cell);
            else sequence |= TypeParam::only(place++, static_cast<unsigned>(color - '0'));
          }
          const auto at =
              static_cast<std::size_t>(row) * space.index->size() + space.index->rank(sequence);
          ASSERT_EQ(values[at], moves) << to_string(size) << " " << goal << " " << board;
          met[at] = true;
        }
        for (std::size_t at = 0; at < values.size(); ++at) {
          ASSERT_TRUE(met[at] || values[at] == unreached);
        }
      }
    }
  }
}

std::string drawn(const LineTableKey& key) {
  const auto colors = line_colors(key);
  std::string text;
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell > 0 && key.size.column(cell) == 0) text += ' ';
    text += cell == key.goal_blank
                ? '.'
                : static_cast<char>('0' + colors.at(static_cast<std::size_t>(cell)));
  }
  return text;
}

TEST(LineColors, HalvesBeginAtTheGoalsEnd) {
  using Order = CellOrder;
  const auto half = [](Size size, int goal_blank, Order order, int tiles) {
    const auto same = [&](const TwoColorShape& shape) {
      return shape.order == order && shape.tiles == tiles;
    };
    const auto at = std::ranges::find_if(half_shapes, same) - half_shapes.begin();
    return drawn({size, goal_blank, TwoColors::colorings.at(static_cast<std::size_t>(at))});
  };
  EXPECT_EQ(half({5, 5}, 0, Order::rows, 12), ".1111 11111 11100 00000 00000");
  EXPECT_EQ(half({5, 5}, 24, Order::rows, 12), "00000 00000 00111 11111 1111.");
  EXPECT_EQ(half({5, 5}, 0, Order::columns, 10), ".1100 11000 11000 11000 11000");
  EXPECT_EQ(half({5, 5}, 0, Order::diagonals, 12), ".1111 11110 11100 10000 00000");
  EXPECT_EQ(half({5, 4}, 19, Order::falling, 10), "00000 10000 11100 1111.");
}

TEST(LineColors, SidesHaveAsManyTilesAsATableAllows) {
  const auto side = [](Size size, int goal_blank, std::size_t number) {
    return drawn({size, goal_blank, TwoColorsOfMany::colorings.at(number)});
  };
  EXPECT_EQ(side({6, 6}, 0, 0), ".11111 100000 000000 000000 000000 000000");
  EXPECT_EQ(side({6, 6}, 0, 1), ".00000 000000 000000 000000 000000 111111");
  EXPECT_EQ(side({6, 6}, 35, 1), "111111 000000 000000 000000 000000 00000.");
  EXPECT_EQ(side({6, 5}, 29, 4), "000000 000000 000001 000111 00111.");
  EXPECT_EQ(side({6, 5}, 29, 7), "001111 000011 000001 000000 00000.");
  EXPECT_EQ(side({3, 3}, 8, 3), "110 100 10.");  // half of them
}

TEST(LineTable, ThreadsDoNotChangeIt) {
  const LineTableKey key{{4, 3}, 0, LineColoring::spiral};
  const LargeBuffer first = line_request(key).build(1, {});
  const auto one = first.bytes();
  double last = 0;
  const auto report = [&](double part) {
    EXPECT_GE(part, last);
    last = part;
    return true;
  };
  const LargeBuffer second = line_request(key).build(3, {report});
  EXPECT_TRUE(std::equal(one.begin(), one.end(), second.bytes().begin(), second.bytes().end()));
  EXPECT_EQ(last, 1);
  EXPECT_EQ(std::count(one.begin(), one.end(), 0), 1);
}

TEST(LineTable, EndsWhereToldTo) {
  const LineTableKey key{{4, 3}, 0, LineColoring::quarters};
  int calls = 0;
  EXPECT_TRUE(line_request(key).build(2, {[&](double) { return ++calls < 3; }}).bytes().empty());
  EXPECT_EQ(calls, 3);
}

TEST(LineTable, ASquareBoardWithItsBlankOnTheDiagonalNeedsOneForBothAxes) {
  const auto keys = [](Size size, int goal_blank) {
    return std::pair(line_table_key(size, goal_blank, LineAxis::vertical, LineColoring::spiral),
                     line_table_key(size, goal_blank, LineAxis::horizontal, LineColoring::spiral));
  };
  for (const int cell : {0, 5, 15}) {
    EXPECT_EQ(keys({4, 4}, cell).first, keys({4, 4}, cell).second);
  }
  EXPECT_NE(keys({4, 4}, 3).first, keys({4, 4}, 3).second);
  EXPECT_EQ(keys({4, 3}, 6).second, (LineTableKey{{3, 4}, 7, LineColoring::spiral}));
}

TEST(LineTable, EntriesAreKnownBeforeItIsMade) {
  const auto entries = [](const LineTableKey& key) { return line_request(key).cost.entries; };
  for (const LineColoring coloring : FourColors::colorings) {
    EXPECT_EQ(entries({{4, 4}, 0, coloring}), 63'063'000U);
    EXPECT_EQ(entries({{4, 4}, 15, coloring}), 63'063'000U);
    EXPECT_EQ(entries({{8, 2}, 0, coloring}), 31'531'500U);
    EXPECT_EQ(entries({{2, 8}, 0, coloring}), 126'126'000U);
    EXPECT_EQ(entries({{4, 3}, 0, coloring}), 277'200U);
  }
  const auto requests = [](Size size, int goal_blank) {
    return line_requests(size, goal_blank, FourColors::colorings).size();
  };
  EXPECT_EQ(requests({4, 4}, 0), 2U);
  EXPECT_EQ(requests({4, 4}, 3), 4U);
  EXPECT_EQ(requests({4, 3}, 0), 4U);
  // The blocks take as many tiles as fit.
  EXPECT_EQ(entries({{5, 5}, 24, LineColoring::left}), 257'414'850U);
  EXPECT_EQ(entries({{5, 4}, 19, LineColoring::left}), 186'234'048U);
  EXPECT_EQ(line_requests({5, 5}, 24, ThreeColors::colorings).size(), 2U);
  EXPECT_EQ(line_requests({5, 4}, 19, ThreeColors::colorings).size(), 4U);
  // Half of 24 tiles, and a third.
  EXPECT_EQ(entries({{5, 5}, 24, TwoColors::colorings[1]}), 13'520'780U);
  EXPECT_EQ(entries({{5, 5}, 24, TwoColors::colorings[0]}), 3'677'355U);
}

}  // namespace
}  // namespace tessera
