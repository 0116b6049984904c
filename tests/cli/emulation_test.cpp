// SPDX-License-Identifier: MIT
// Many real ranks that sleep as slow machines would: the real protocol at a size that this machine
// does not have. bench/emulate does the same with 64 ranks and a board of two thousand million
// nodes, and prints the figures.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

// Efficiency of the last iteration: nodes over what all machines could have expanded.
struct Emulated {
  std::uint64_t expanded = 0;
  double efficiency = 0;
};
Emulated emulate(int ranks, const std::string& schedule, const std::string& speed,
                 double nodes_per_second) {
  const Finished run = run_ranks(ranks, {"solve", "--set", "korf100:28", "--heuristic", "manhattan",
                                         "--finish-iteration", "--threads", "1", "--schedule",
                                         schedule, "--emulate", speed, "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto rows = json_lines(run.out);
  if (rows.size() != 1) return {};
  const auto last = rows[0].at("iterations").back();
  const auto expanded = last.at("expanded").get<std::uint64_t>();
  return {expanded,
          static_cast<double>(expanded) / (nodes_per_second * last.at("seconds").get<double>())};
}

// Other work on the machine only lowers the efficiency: the best of up to three.
Emulated emulate_well(int ranks, const std::string& speed, double nodes_per_second, double least) {
  Emulated best = emulate(ranks, "stealing", speed, nodes_per_second);
  for (int again = 0; again < 2 && best.efficiency <= least; ++again) {
    const Emulated next = emulate(ranks, "stealing", speed, nodes_per_second);
    EXPECT_EQ(next.expanded, best.expanded);
    best.efficiency = std::max(best.efficiency, next.efficiency);
  }
  return best;
}

constexpr std::uint64_t last_expanded = 13'943'603;

// A sanitizer's kernel may be slower than the machine that it emulates.
constexpr bool is_timed = thinned == 1;

// The bounds leave room for a machine on which other tests run; alone it is above 0.9.
TEST(Emulation, RanksShareTheWorkToTheEnd) {
  constexpr double least = is_timed ? 0.75 : 0;
  const Emulated stealing = emulate_well(24, "200000", 24 * 2e5, least);
  EXPECT_EQ(stealing.expanded, last_expanded);
  EXPECT_GT(stealing.efficiency, least);
  EXPECT_LE(stealing.efficiency, 1.02);  // else it would not sleep what it says
}

TEST(Emulation, ASlowRankIsHelped) {
  constexpr double least = is_timed ? 0.72 : 0;
  const Emulated slow = emulate_well(24, "200000/5:4", 23.25 * 2e5, least);
  EXPECT_EQ(slow.expanded, last_expanded);
  EXPECT_GT(slow.efficiency, least);
  // Dealt once, all wait for it.
  const Emulated dealt = emulate(24, "static", "200000/5:4", 23.25 * 2e5);
  EXPECT_EQ(dealt.expanded, last_expanded);
  if (is_timed) {
    EXPECT_LT(dealt.efficiency, slow.efficiency);
  }
}

TEST(Emulation, RefusesWhatIsNoSpeed) {
  for (const char* speed : {"0", "fast", "1000/2", "1000/x:2", "1000/1:0"}) {
    const Finished run = tessera({"solve", "--set", "haskell:1", "--emulate", speed});
    EXPECT_EQ(run.code, 2) << speed;
    EXPECT_NE(run.err.find("--emulate"), std::string::npos) << run.err;
  }
}

}  // namespace
}  // namespace tessera::cli
