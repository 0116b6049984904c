// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "signature.hpp"

namespace tessera::cli {
namespace {

TEST(MpirunCheckpoint, SignalsLeaveOneThatOtherRanksGoOnFrom) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/checkpoint";
  const std::vector<std::string> board{
      "solve",   "--set",  "korf100:3", "--finish-iteration", "--heuristic", "manhattan",
      "--quiet", "--json", "-"};
  const auto kept = with(
      board, {"--checkpoint", path, "--checkpoint-every", "50ms", "--resume", "--threads", "1"});
  const auto expected = signature(tessera(board).out);
  struct Way {
    int signal;
    int ranks;
    int then;  // ranks; 0: without mpirun
  };
  for (const Way& way : {Way{SIGUSR1, 3, 0}, Way{SIGUSR1, 2, 4}, Way{SIGTERM, 2, 3}}) {
    std::filesystem::remove(path);
    Running running(mpirun(way.ranks, kept));
    wait_for_content(path, " done 0 ", 5);
    running.signal(way.signal);
    const Finished first = running.wait();
    if (way.signal == SIGUSR1) {
      EXPECT_EQ(first.code, 3) << first.err;
      EXPECT_EQ(complaints(first.err).size(), 1U) << first.err;
      EXPECT_EQ(json_lines(first.out).at(0)["status"], "interrupted");
    } else {
      EXPECT_NE(first.code, 0);  // mpirun's own
    }
    const Finished last = way.then > 0 ? run_ranks(way.then, kept) : tessera(kept);
    ASSERT_EQ(last.code, 0) << last.err;
    ASSERT_EQ(signature(last.out), expected) << way.ranks << " then " << way.then;
  }
}

}  // namespace
}  // namespace tessera::cli
