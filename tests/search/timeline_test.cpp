// SPDX-License-Identifier: MIT
#include "search/record/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"

namespace tessera {
namespace {

TEST(Timeline, KeepsNothingWithoutRoom) {
  Timeline timeline;
  timeline.note(Activity::search, 1, 2);
  timeline.note_moment(Activity::over);
  EXPECT_FALSE(timeline.records());
  EXPECT_TRUE(timeline.take(0, 0).spans.empty());
}

TEST(Timeline, KeepsAllThatThereIsRoomFor) {
  Timeline timeline;
  timeline.start(4);
  for (int i = 0; i < 4; ++i) timeline.note(Activity::search, 10 * i, 10 * i + 5, 7, i);
  const Track track = timeline.take(2, 3);
  EXPECT_EQ(track.rank, 2);
  EXPECT_EQ(track.thread, 3);
  EXPECT_EQ(track.dropped, 0U);
  ASSERT_EQ(track.spans.size(), 4U);
  EXPECT_EQ(track.spans[2].subject, 2);
  EXPECT_EQ(track.spans[2].busy, 5);
  EXPECT_TRUE(timeline.take(2, 3).spans.empty());
}

// However much is noted, room suffices, no search is lost, and a long wait stays as it was.
TEST(Timeline, MergesAndDropsWhereRoomIsShort) {
  Timeline timeline;
  constexpr std::size_t room = 64;
  timeline.start(room);
  Random random(7);
  std::int64_t now = 0;
  std::int64_t busy = 0;
  std::uint64_t expanded = 0;
  std::uint32_t searches = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> long_waits;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t begin = now;
    now += static_cast<std::int64_t>(1000 + random.below(100'000));
    const std::int64_t share = now;
    timeline.note(Activity::share, begin + 300, begin + 400, 2);
    now += 5000;
    timeline.note(Activity::search, begin, now, 11, i);
    busy += now - begin;
    expanded += 11;
    ++searches;
    if (i % 10 == 0) {
      const std::int64_t wait = i % 5000 == 4990 ? 3'000'000'000 : 30'000;
      timeline.note(Activity::wait, now, now + wait);
      if (wait > 1'000'000) long_waits.emplace_back(now, now + wait);
      now += wait;
    }
    EXPECT_LT(share, now);
  }
  timeline.note_moment(Activity::over, 0, 1);
  const Track track = timeline.take(0, 0);
  EXPECT_LE(track.spans.size(), room);
  EXPECT_GT(track.dropped, 0U);
  ASSERT_EQ(track.spans.back().activity, Activity::over);

  std::int64_t end = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> waits;
  for (const Span& span : track.spans) {
    if (span.activity == Activity::search) {
      EXPECT_GE(span.end - span.begin, span.busy);
      EXPECT_GE(span.begin, end) << "overlaps";
      busy -= span.busy;
      expanded -= span.amount;
      searches -= span.merged;
    }
    if (span.activity == Activity::wait) waits.emplace_back(span.begin, span.end);
    if (!is_moment(span.activity) && span.activity != Activity::share) {
      EXPECT_GE(span.begin, end) << "overlaps";
      end = span.end;
    }
  }
  EXPECT_EQ(busy, 0);
  EXPECT_EQ(expanded, 0U);
  EXPECT_EQ(searches, 0U);
  for (const auto& wait : long_waits) {
    EXPECT_NE(std::find(waits.begin(), waits.end(), wait), waits.end());
  }
  EXPECT_EQ(long_waits.size(), 4U);
}

TEST(Timeline, TellsTheFirstSolutionHoweverMuchFollows) {
  Timeline timeline;
  timeline.start(8);
  timeline.note_moment(Activity::solution);
  for (int i = 0; i < 1000; ++i) timeline.note_moment(Activity::give, 1, 1);
  const Track track = timeline.take(0, 0);
  EXPECT_EQ(track.spans.front().activity, Activity::solution);
  EXPECT_LE(track.spans.size(), 8U);
}

}  // namespace
}  // namespace tessera
