// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "program.hpp"
#include "trace_file.hpp"

namespace tessera::cli {
namespace {

TEST(MpirunTrace, HoldsEveryThreadOfEveryRank) {
  const TemporaryFile file("");
  const Finished run =
      Running(mpirun(3, {"solve", "--set", "korf100:12,30", "--heuristic", "manhattan", "--threads",
                         "2", "--frontier", "200", "--finish-iteration", "--trace", file.path()}))
          .wait();
  ASSERT_EQ(run.code, 0) << run.err;
  const TraceFile trace(file.content());
  EXPECT_EQ(trace.processes.size(), 3U);
  EXPECT_EQ(trace.threads.size(), 1 + 3 * 3U);
  std::set<TraceFile::Thread> expected;
  for (int rank = 0; rank < 3; ++rank) {
    for (int thread = 0; thread < 2; ++thread) expected.insert({rank, 2 + thread});
    EXPECT_TRUE(trace.processes.at(rank).starts_with("rank " + std::to_string(rank) + " on "));
  }
  for (const auto& thread : expected) EXPECT_EQ(trace.searching.count(thread), 1U);
  EXPECT_EQ(trace.unfinished, 0U);
  EXPECT_GE(trace.events.at("b steal"), 1);
  EXPECT_EQ(trace.events.at("b steal"), trace.events.at("e steal"));
  EXPECT_EQ(trace.events.at("b steal"), trace.events.at("i give"));
  EXPECT_EQ(trace.events.at("i over") % 3, 0);
  EXPECT_EQ(trace.events.at("i 45 moves"), 1);

  double average = 0;
  ASSERT_EQ(std::sscanf(run.err.c_str() + run.err.find("  search "), "  search %*f %lf", &average),
            1);
  EXPECT_NEAR(trace.seconds.at("search"), 6 * average, 0.03 * 6 * average + 0.002);
}

}  // namespace
}  // namespace tessera::cli
