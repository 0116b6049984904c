// SPDX-License-Identifier: MIT
#include "base/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/thread_team.hpp"

namespace tessera {
namespace {

// The system allows this process so many further threads.
class FewThreads {
 public:
  explicit FewThreads(int threads) { most_threads = threads; }
  ~FewThreads() { most_threads = std::numeric_limits<int>::max(); }
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;
};

TEST(Threads, ARefusedOneEndsTheOthersAndNamesHowManyFit) {
  for (int fitting = 0; fitting < 8; ++fitting) {
    const FewThreads few(fitting);
    std::atomic<int> ended{0};
    std::atomic<bool> woken{false};
    const auto start = [&] {
      const Threads threads(
          8,
          [&](int, const std::stop_token&) {
            woken.wait(false);
            ++ended;
          },
          [&] {
            woken = true;
            woken.notify_all();
          });
    };
    const Error error = refused(start);
    EXPECT_EQ(error.kind(), ErrorKind::resource);
    const std::string text = error.what();
    EXPECT_NE(text.find("only " + std::to_string(fitting) + " of 8 threads"), text.npos) << text;
    EXPECT_NE(text.find("; try --threads " + std::to_string(std::max(1, (fitting + 1) / 2))),
              text.npos)
        << text;
    EXPECT_EQ(ended, fitting);
  }
}

TEST(ThreadTeam, LeavesNoFailureForTheNextRun) {
  ThreadTeam team(4);
  EXPECT_THROW(team.run([](int) { throw std::runtime_error("each of them"); }), std::runtime_error);
  EXPECT_NO_THROW(team.run([](int) {}));
}

TEST(ThreadTeam, IsRefusedAsAWholeAndLaterWorks) {
  for (int fitting = 0; fitting < 5; ++fitting) {
    const FewThreads few(fitting);
    EXPECT_THROW(ThreadTeam(6), Error);
    ThreadTeam team(fitting + 1);
    std::atomic<int> calls{0};
    team.run([&](int) { ++calls; });
    EXPECT_EQ(calls, fitting + 1);
  }
}

}  // namespace
}  // namespace tessera
