// SPDX-License-Identifier: MIT
// Threads, ranks and one process compared in one job.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "compared.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

double cpu_seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST(MpirunCompare, TakesSoManyOfTheRanks) {
  const Finished run =
      run_ranks(3, {"compare", "--set", "haskell:8", "--heuristics", "manhattan", "--engines",
                    "ida,astar", "--workers", "1,2,4", "--repeat", "2", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = json_lines(run.out).at(0);
  int on_ranks = 0;
  for (const auto& c : json["configurations"]) {
    expect_whole(c, 2);
    EXPECT_EQ(c["boards"][0]["length"], 40);
    if (c["backend"] != "mpi") continue;
    ++on_ranks;
    EXPECT_EQ(c["ranks"], c["workers"]);
    EXPECT_EQ(c["threads"], 1);
  }
  EXPECT_EQ(on_ranks, 4);  // 1 and 2 of each engine
  EXPECT_NE(run.err.find("mpi with 4 workers is left out: there are 3 ranks"), std::string::npos);
}

TEST(MpirunCompare, HybridsAndAllRanksByDefault) {
  const Finished run =
      run_ranks(2, {"compare", "--set", "haskell:5", "--heuristics", "manhattan", "--threads", "2",
                    "--split-depth", "3", "--repeat", "2", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto all = json_lines(run.out).at(0)["configurations"];
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1]["name"], "ida manhattan, 4 threads, depth 3");
  EXPECT_EQ(all[2]["name"], "ida manhattan, 2 ranks x 2 threads, depth 3");
  for (const auto& c : all) expect_whole(c, 2);
}

// While one process searches, the others' CPU time stays far below it. It is emulated, so that it
// sleeps too: what is used then is the start of the job, and whoever spins.
TEST(MpirunCompare, OtherRanksSleepMeanwhile) {
  const auto cpu_seconds = [](const std::string& nodes_per_second, double& wall) {
    const double before = cpu_seconds_of_children();
    const Finished run = run_ranks(
        4, {"compare", "--set", "haskell:5", "--heuristics", "manhattan", "--backends", "serial",
            "--repeat", "1", "--emulate", nodes_per_second, "--quiet", "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    if (run.code == 0) wall = json_lines(run.out).at(0)["configurations"][0]["wall"];
    return cpu_seconds_of_children() - before;
  };
  double shortly = 0;
  double long_wall = 0;
  const double start = cpu_seconds("100000000", shortly);
  const double longer = cpu_seconds("4000", long_wall);
  ASSERT_GT(long_wall, shortly + 0.8);
  // Three ranks that spin would use three times the difference.
  EXPECT_LT(longer - start, 0.5 * (long_wall - shortly)) << start << " s, then " << longer << " s";
}

}  // namespace
}  // namespace tessera::cli
