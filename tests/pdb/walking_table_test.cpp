// SPDX-License-Identifier: MIT
#include "pdb/walking_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"

namespace tessera {
namespace {

using Counts = std::vector<std::vector<int>>;  // tiles by line and home line

Counts goal_counts(const WalkingKey& key) {
  const auto lines = static_cast<std::size_t>(key.lines);
  Counts counts(lines, std::vector<int>(lines));
  for (std::size_t line = 0; line < lines; ++line) {
    counts[line][line] = key.length - (static_cast<int>(line) == key.blank_home ? 1 : 0);
  }
  return counts;
}

std::vector<WalkingIndex::Row> rows_of(const Counts& counts) {
  std::vector<WalkingIndex::Row> rows;
  for (const std::vector<int>& line : counts) {
    WalkingIndex::Row& row = rows.emplace_back(0);
    for (std::size_t home = 0; home < line.size(); ++home) {
      row += static_cast<WalkingIndex::Row>(line[home]) << (8 * home);
    }
  }
  return rows;
}

// Every state with its distance, by plain breadth-first search.
std::map<Counts, int> all_distances(const WalkingKey& key) {
  std::map<Counts, int> distances{{goal_counts(key), 0}};
  std::deque<std::pair<Counts, std::size_t>> queue{
      {goal_counts(key), static_cast<std::size_t>(key.blank_home)}};
  while (!queue.empty()) {
    const auto [counts, blank] = std::move(queue.front());
    queue.pop_front();
    const int distance = distances.at(counts);
    for (const std::size_t next : {blank - 1, blank + 1}) {
      if (next >= counts.size()) continue;
      for (std::size_t home = 0; home < counts.size(); ++home) {
        if (counts[next][home] == 0) continue;
        Counts after = counts;
        --after[next][home];
        ++after[blank][home];
        if (distances.emplace(after, distance + 1).second) queue.emplace_back(after, next);
      }
    }
  }
  return distances;
}

// The last has by far the most states.
const std::vector<WalkingKey> all_walking_keys{
    {2, 2, 0}, {2, 3, 0}, {2, 9, 0}, {3, 2, 1}, {3, 3, 0}, {3, 3, 1}, {3, 5, 0},
    {4, 2, 1}, {4, 3, 0}, {4, 4, 0}, {5, 2, 0}, {5, 2, 2}, {6, 2, 1}};
const std::span walking_keys =
    std::span(all_walking_keys).first(all_walking_keys.size() - (thinned > 1 ? 1 : 0));

TEST(WalkingIndex, NumbersEveryStateOnce) {
  for (const WalkingKey& key : walking_keys) {
    const WalkingIndex index(key);
    const auto distances = all_distances(key);
    EXPECT_EQ(index.size(), distances.size());
    std::vector<bool> seen(index.size());
    for (const auto& [counts, distance] : distances) {
      const std::uint32_t rank = index.rank(index.state_of(rows_of(counts)));
      ASSERT_LT(rank, index.size());
      ASSERT_FALSE(seen[rank]);
      seen[rank] = true;
    }
  }
  EXPECT_EQ(WalkingIndex({4, 4, 0}).size(), 24'964);
}

// The distances of a sample of states, and of those one step from them.
void expect_distances(const WalkingKey& key, const std::map<Counts, int>& distances,
                      const WalkingTable& table) {
  std::size_t number = 0;
  for (const auto& [counts, distance] : distances) {
    if (number++ % (distances.size() / 5'000 + 1) != 0) continue;
    const WalkingTable::State state = table.start(rows_of(counts));
    ASSERT_EQ(WalkingTable::distance(state), distance);
    const auto blank = std::ranges::find_if(counts, [&](const std::vector<int>& line) {
      return std::accumulate(line.begin(), line.end(), 0) < key.length;
    });
    const int line = static_cast<int>(blank - counts.begin());
    for (const int next : {line - 1, line + 1}) {
      for (int home = 0; home < key.lines && next >= 0 && next < key.lines; ++home) {
        Counts after = counts;
        if (--after[static_cast<std::size_t>(next)][static_cast<std::size_t>(home)] < 0) continue;
        ++after[static_cast<std::size_t>(line)][static_cast<std::size_t>(home)];
        const WalkingTable::State slid = table.slid(state, line, next, home);
        const WalkingTable::State stepped = table.stepped(slid, table.prefetched(slid));
        ASSERT_EQ(WalkingTable::distance(stepped), distances.at(after));
        ASSERT_EQ(stepped, table.start(rows_of(after)));
      }
    }
  }
}

TEST(WalkingTable, HoldsTheDistancesOfABreadthFirstSearch) {
  const TemporaryFolder folder;
  for (const WalkingKey& key : walking_keys) {
    const auto distances = all_distances(key);
    expect_distances(key, distances, WalkingTable(key, nullptr));
    // The same states, stored as a large table is.
    const LargeBuffer bits = build_walking_table(key, 2);
    const TableKey name{TableKind::walking, {key.length, key.lines}, Metric::single, 0, 1};
    Table::write(folder.path(), name, bits.bytes());
    const auto file = std::make_shared<const Table>(folder.path() / file_name(name));
    expect_distances(key, distances, WalkingTable(key, file));
    if (HasFatalFailure()) return;
  }
}

// For each state, the shortest ways to the goal on which a tile at home in `line` leaves it at
// least 0, 1, ... times: by breadth-first search from the goal, over states and such moves so far.
std::map<Counts, std::array<int, 5>> ways_with_escapes(const WalkingKey& key, std::size_t line) {
  constexpr int unknown = 1'000;
  using Node = std::pair<Counts, std::size_t>;
  std::map<Node, int> distances{{{goal_counts(key), 0}, 0}};
  std::deque<std::pair<Node, std::size_t>> queue{
      {{goal_counts(key), 0}, static_cast<std::size_t>(key.blank_home)}};
  std::map<Counts, std::array<int, 5>> ways;
  while (!queue.empty()) {
    const auto [node, blank] = std::move(queue.front());
    queue.pop_front();
    const int distance = distances.at(node);
    auto& of_state = ways.try_emplace(node.first).first->second;
    if (of_state == std::array<int, 5>{}) of_state.fill(unknown);
    for (std::size_t times = 0; times <= node.second; ++times)
      of_state.at(times) = std::min(of_state.at(times), distance);
    for (const std::size_t next : {blank - 1, blank + 1}) {
      if (next >= node.first.size()) continue;
      for (std::size_t home = 0; home < node.first.size(); ++home) {
        if (node.first[next][home] == 0) continue;
        // Backwards: on the way to the goal, the tile leaves the line that the blank is in now.
        const bool escapes = home == line && blank == line;
        Node before{node.first, std::min<std::size_t>(node.second + (escapes ? 1 : 0), 4)};
        --before.first[next][home];
        ++before.first[blank][home];
        if (distances.emplace(before, distance + 1).second) queue.emplace_back(before, next);
      }
    }
  }
  return ways;
}

TEST(WalkingTable, WithEscapesHoldsTheShortestWaysThatMeetTheDemands) {
  const TemporaryFolder folder;
  for (const WalkingKey& key :
       {WalkingKey{2, 3, 0}, {3, 3, 0}, {3, 3, 1}, {3, 4, 0}, {4, 3, 1}, {5, 2, 0}}) {
    const TableRequest request = walking_request(key, true).value();
    const WalkingTable table(key, open_table(folder.text(), request, 3));
    for (int line = 0; line < key.lines; ++line) {
      for (const auto& [counts, ways] : ways_with_escapes(key, static_cast<std::size_t>(line))) {
        for (int tiles = 0; tiles < key.length; ++tiles) {
          const auto state = table.start(rows_of(counts), WalkingTable::demanding(0, line, tiles));
          // A table holds what is up to six moves longer.
          ASSERT_EQ(WalkingTable::distance(state),
                    std::min(ways.at(static_cast<std::size_t>(tiles)), ways[0] + 6));
        }
      }
    }
  }
}

TEST(WalkingTable, WithEscapesIsTheSameWithAnyNumberOfThreads) {
  const TableRequest request = walking_request({5, 3, 1}, true).value();
  EXPECT_TRUE(std::ranges::equal(request.build(1, {}).bytes(), request.build(3, {}).bytes()));
  EXPECT_TRUE(request.build(2, {[](double) { return false; }}).bytes().empty());
}

TEST(WalkingTable, IsTheSameWithAnyNumberOfThreads) {
  const WalkingKey key{5, 3, 1};
  const LargeBuffer alone = build_walking_table(key, 1);
  const LargeBuffer together = build_walking_table(key, 3);
  EXPECT_TRUE(std::ranges::equal(alone.bytes(), together.bytes()));
}

TEST(WalkingTable, IsStoredIfItIsLarge) {
  EXPECT_FALSE(walking_request({4, 4, 0}, false));
  const std::optional<TableRequest> request = walking_request({5, 5, 0}, false);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->cost.entries, 65'650'495);
  EXPECT_EQ(request->cost.file_bytes, 8'206'312);
  EXPECT_LE(request->cost.build_bytes, 80'000'000);
}

TEST(WalkingTable, StopsWhenAsked) {
  EXPECT_TRUE(build_walking_table({4, 4, 0}, 2, {[](double) { return false; }}).bytes().empty());
}

}  // namespace
}  // namespace tessera
