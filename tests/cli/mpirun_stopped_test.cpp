// SPDX-License-Identifier: MIT
// A rank that stops in the midst of any phase is named, and the job goes on when it does: signals
// reach all its ranks again.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

struct Phase {
  std::string step;  // at which the last rank stops itself (cluster/job/step.hpp)
  std::vector<std::string> arguments;
};

class StoppedRank : public testing::TestWithParam<Phase> {};

TEST_P(StoppedRank, IsNamedAndWaitedFor) {
  const auto& [step, arguments] = GetParam();
  const TemporaryFolder folder;
  Running::Options options;
  options.environment = {{"TESSERA_INJECT", step + ":2:stop"},
                         {"TESSERA_SILENCE_MS", "1000"},
                         {"TESSERA_PDB_DIR", folder.text() + "/tables"}};
  std::vector<std::string> all = arguments;
  if (all.back() == "--disk") all.push_back(folder.text());
  std::vector<std::string> command = mpirun(3, all);
  std::ranges::replace(command, std::string(tessera_program), std::string(injecting_program));
  Running running(command, options);
  running.wait_for("rank 2");
  for (const pid_t rank : ranks_of(running.pid())) kill(rank, SIGCONT);
  running.wait_for("note: all ranks answer again");
  const bool is_endless = step == "search";
  if (is_endless) running.signal(SIGUSR1);
  const Finished run = running.wait();
  EXPECT_EQ(run.code, is_endless ? 4 : 0) << run.err;
  EXPECT_NE(run.err.find("warning: no answer for half a minute from "), std::string::npos)
      << run.err;
}

const std::vector<Phase> phases{
    {"set-up", {"solve", "--set", "haskell:3"}},
    {"search", {"solve", "--set", "hardest15:1", "--heuristic", "zero", "--threads", "1"}},
    {"tables", {"solve", "--set", "korf100:12", "--heuristic", "pdb:4-4-4-3", "--threads", "1"}},
    {"best-first", {"solve", "--set", "haskell:6", "--engine", "astar"}},
    {"transfer",
     {"solve", "--set", "korf100:12", "--engine", "beam", "--incumbent", "beam:20000",
      "--heuristic", "manhattan", "--threads", "1"}},
    {"boards", {"solve", "--set", "haskell", "--batch", "boards"}},
    {"team", {"compare", "--set", "haskell:8", "--backends", "mpi", "--workers", "3"}},
    {"sum", {"census", "3x3"}},
    {"sum", {"census", "3x3", "--threads", "1", "--disk"}},
};

INSTANTIATE_TEST_SUITE_P(Phases, StoppedRank, testing::ValuesIn(phases), [](const auto& phase) {
  std::string name = phase.param.step + std::to_string(phase.index);
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace tessera::cli
