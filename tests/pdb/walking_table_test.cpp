// SPDX-License-Identifier: MIT
#include "pdb/walking_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <vector>

#include "base/temporary_folder.hpp"

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

const std::vector<WalkingKey> walking_keys{{2, 2, 0}, {2, 3, 0}, {2, 9, 0}, {3, 2, 1}, {3, 3, 0},
                                           {3, 3, 1}, {3, 5, 0}, {4, 2, 1}, {4, 3, 0}, {4, 4, 0},
                                           {5, 2, 0}, {5, 2, 2}, {6, 2, 1}};

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
void expect_distances(const WalkingKey& key, const WalkingTable& table) {
  const auto distances = all_distances(key);
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
    expect_distances(key, WalkingTable(key, nullptr));
    // The same states, stored as a large table is.
    const LargeBuffer bits = build_walking_table(key, 2);
    const TableKey name{TableKind::walking, {key.length, key.lines}, Metric::single, 0, 1};
    TableFile::write(folder.path(), name, bits.bytes());
    const auto file = std::make_shared<const Table>(folder.path() / file_name(name));
    expect_distances(key, WalkingTable(key, file));
    if (HasFatalFailure()) return;
  }
}

TEST(WalkingTable, IsTheSameWithAnyNumberOfThreads) {
  const WalkingKey key{5, 3, 1};
  const LargeBuffer alone = build_walking_table(key, 1);
  const LargeBuffer together = build_walking_table(key, 3);
  EXPECT_TRUE(std::ranges::equal(alone.bytes(), together.bytes()));
}

TEST(WalkingTable, IsStoredIfItIsLarge) {
  EXPECT_TRUE(walking_requests({4, 4, 0}).empty());
  const std::vector<TableRequest> requests = walking_requests({5, 5, 0});
  ASSERT_EQ(requests.size(), 1);
  EXPECT_EQ(requests[0].cost.entries, 65'650'495);
  EXPECT_EQ(requests[0].cost.file_bytes, 8'206'312);
  EXPECT_LE(requests[0].cost.build_bytes, 80'000'000);
}

TEST(WalkingTable, StopsWhenAsked) {
  EXPECT_TRUE(build_walking_table({4, 4, 0}, 2, [](double) { return false; }).bytes().empty());
}

}  // namespace
}  // namespace tessera
