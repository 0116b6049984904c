// SPDX-License-Identifier: MIT
#include "base/shared_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace tessera {
namespace {

class SharedCacheTest : public testing::Test {
 protected:
  std::shared_ptr<const int> get(SharedCache<int, int>& cache, int key) {
    return cache.get(key, [&] {
      ++made_;
      return std::make_shared<const int>(10 * key);
    });
  }
  int made_ = 0;
};

TEST_F(SharedCacheTest, KeepsWhatIsUsedAndTheLastOnesAskedFor) {
  SharedCache<int, int> cache(2);
  const auto used = get(cache, 1);
  for (const int key : {2, 3, 2, 4}) EXPECT_EQ(*get(cache, key), 10 * key);
  EXPECT_EQ(made_, 4);
  EXPECT_EQ(get(cache, 1), used);  // in use, though not among the last two
  (void)get(cache, 4);
  EXPECT_EQ(made_, 4);
  (void)get(cache, 3);
  EXPECT_EQ(made_, 5);
}

TEST_F(SharedCacheTest, ReleasesWhatNobodyUsesTheOldestFirst) {
  SharedCache<int, int> cache(8);
  const auto used = get(cache, 1);
  const std::weak_ptr<const int> second = get(cache, 2);
  const std::weak_ptr<const int> third = get(cache, 3);
  const auto ten_bytes = [](int) { return 10; };
  cache.release(30, ten_bytes);
  EXPECT_FALSE(second.expired());
  cache.release(20, ten_bytes);
  EXPECT_TRUE(second.expired());
  EXPECT_FALSE(third.expired());
  cache.release(0, ten_bytes);
  EXPECT_TRUE(third.expired());
  EXPECT_EQ(get(cache, 1), used);
}

TEST_F(SharedCacheTest, ForgetsNullAndWhatThrew) {
  SharedCache<int, int> cache(2);
  EXPECT_EQ(cache.get(1, [] { return std::shared_ptr<const int>(); }), nullptr);
  EXPECT_THROW(
      (void)cache.get(1, []() -> std::shared_ptr<const int> { throw std::runtime_error("no"); }),
      std::runtime_error);
  EXPECT_EQ(*get(cache, 1), 10);
}

TEST_F(SharedCacheTest, MakesAgainAndDropsWhatIsNotUsable) {
  SharedCache<int, int> cache(2);
  const std::weak_ptr<const int> old = get(cache, 1);
  const auto make = [] { return std::make_shared<const int>(11); };
  const auto is_new = [](int value) { return value > 10; };
  const auto second = cache.get(1, make, is_new);
  EXPECT_EQ(*second, 11);
  EXPECT_EQ(cache.find(1), second);
  EXPECT_TRUE(old.expired());
  EXPECT_EQ(cache.get(1, make, is_new), second);
}

TEST_F(SharedCacheTest, MakesAValueOnceWhileOthersAreMade) {
  SharedCache<int, int> cache(2);
  std::atomic<int> made = 0;
  std::atomic<bool> second_is_made = false;
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < 4; ++i) {
      team.emplace_back([&] {
        const auto value = cache.get(1, [&] {
          ++made;
          second_is_made.wait(false);
          return std::make_shared<const int>(1);
        });
        EXPECT_EQ(*value, 1);
      });
    }
    (void)get(cache, 2);  // does not wait for the first
    EXPECT_EQ(cache.find(1), nullptr);
    second_is_made = true;
    second_is_made.notify_all();
  }
  EXPECT_EQ(made, 1);
}

TEST_F(SharedCacheTest, ManyThreadsAndKeys) {
  SharedCache<int, int> cache(3);
  std::vector<std::jthread> team;
  for (int i = 0; i < 4; ++i) {
    team.emplace_back([&cache, i] {
      for (int n = 0; n < 3000; ++n) {
        const int key = (7 * n + i) % 11;
        ASSERT_EQ(*cache.get(key, [&] { return std::make_shared<const int>(key); }), key);
        if (n % 100 == 0) cache.release(1, [](int) { return 1; });
      }
    });
  }
}

}  // namespace
}  // namespace tessera
