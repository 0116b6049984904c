// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/machine.hpp"
#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "base/thinned.hpp"
#include "program.hpp"
#include "signature.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

// In main, which catches these signals before MPI starts.
bool has_begun(pid_t pid) {
  return has_signal(pid, "SigCgt:", SIGUSR1) && has_signal(pid, "SigCgt:", SIGUSR2);
}

bool alive(pid_t pid) {
  std::error_code error;
  return !std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error).empty();
}

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, SearchFromTheGoal) {
  const std::vector<std::string> board{"solve",
                                       "--set",
                                       "korf100:12",
                                       "--heuristic",
                                       "manhattan",
                                       "--finish-iteration",
                                       "--search-from",
                                       "goal",
                                       "--frontier",
                                       "100",
                                       "--quiet",
                                       "--json",
                                       "-"};
  const Finished alone = tessera(board);
  const Finished ranks = run_ranks(GetParam(), board);
  ASSERT_EQ(ranks.code, 0) << ranks.err;
  const auto row = json_lines(ranks.out).at(0);
  EXPECT_EQ(row["nodes"], json_lines(alone.out).at(0)["nodes"]);
  EXPECT_EQ(row["length"], 45);
  EXPECT_EQ(row["search_from"], "goal");
}

TEST_P(Ranks, SolveTheHaskellBoards) {
  for (const char* threads : {"1", "2"}) {
    const Finished run = run_ranks(GetParam(), {"solve", "--set", "haskell", "--backend", "mpi",
                                                "--threads", threads, "--quiet", "--json", "-"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::vector<int> lengths;
    for (const auto& row : json_lines(run.out)) {
      lengths.push_back(row["length"]);
      EXPECT_EQ(row["ranks"], GetParam());
      EXPECT_EQ(row["backend"], "mpi");
    }
    EXPECT_EQ(lengths, (std::vector<int>{3, 8, 16, 17, 30, 36, 38, 40}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Ranks, testing::Values(1, 2, 3, 4, 8));

TEST(Mpirun, TheSignatureIsTheSameOnRanks) {
  // Every number of ranks meets every schedule, with one thread under one heuristic and with two
  // under the other.
  std::uint64_t run = 0;
  for (const char* heuristic : {"manhattan", "pdb:5-5-5"}) {
    const std::vector<std::string> arguments{"solve",
                                             "--set",
                                             "korf100:9,12,42",
                                             "--finish-iteration",
                                             "--heuristic",
                                             heuristic,
                                             "--quiet",
                                             "--json",
                                             "-"};
    const auto expected = signature(tessera(with(arguments, {"--backend", "serial"})).out);
    for (const int ranks : {1, 2, 4}) {
      for (const char* schedule : {"static", "dynamic", "stealing"}) {
        const char* const threads = ++run % 2 == 0 ? "1" : "2";
        if (run % std::min<std::uint64_t>(thinned, 5) != 0) continue;
        const auto all = with(arguments, {"--backend", "mpi", "--threads", threads, "--schedule",
                                          schedule, "--frontier", "200"});
        EXPECT_EQ(signature(run_ranks(ranks, all).out), expected)
            << heuristic << " " << ranks << " x " << threads << " " << schedule;
      }
    }
  }
}

// Patterns are shared out among ranks, and each file is made once.
TEST(Mpirun, RanksMakeTablesTogether) {
  const TemporaryFolder folder;
  const Finished built = run_ranks(3, {"pdb", "build", "--size", "4x4", "--partition", "4-4-4-3",
                                       "--pdb-dir", folder.text(), "--threads", "1"});
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(count_of("built ", built.out), 4U) << built.out;
  EXPECT_EQ(folder.entries().size(), 4U);
  for (const std::string& file : folder.entries()) {
    EXPECT_TRUE(file.ends_with(".pdb")) << "left over: " << file;
  }
  const Finished again = run_ranks(2, {"pdb", "--size", "4x4", "--partition", "4-4-4-3",
                                       "--pdb-dir", folder.text(), "--backend", "mpi", "build"});
  EXPECT_EQ(again.code, 0) << again.err;
  const Finished solved = run_ranks(3, {"solve", "--set", "korf100:12", "--heuristic",
                                        "pdb:4-4-4-3", "--pdb-dir", folder.text(), "--quiet"});
  EXPECT_TRUE(solved.out.starts_with("12: 45 moves, optimal, verified")) << solved.out;
}

TEST(Mpirun, EverythingIsSaidOnce) {
  const Finished help = run_ranks(3, {"solve", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(count_of("Examples:", help.out), 1U);
  EXPECT_EQ(count_of("tessera 0.", run_ranks(2, {"--version"}).out), 1U);
  EXPECT_NE(run_ranks(2, {"info"}).out.find("2 ranks on 1 host"), std::string::npos);
  const Finished bad = run_ranks(3, {"solve", "1 2 3 3"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(complaints(bad.err).size(), 1U);
  EXPECT_EQ(bad.out, "");
}

TEST(Mpirun, OtherBackendsLeaveTheOtherRanksAsleep) {
  for (const char* backend : {"serial", "threads"}) {
    const Finished run =
        run_ranks(3, {"solve", "--set", "haskell", "--backend", backend, "--quiet", "--json", "-"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(json_lines(run.out).at(7)["length"], 40);
    EXPECT_EQ(json_lines(run.out).at(7)["ranks"], 1);
  }
}

TEST(Mpirun, ABindingThatIsTooSmallIsWarnedOf) {
  const std::string err =
      run_ranks(1, {"solve", "--set", "haskell:1", "--threads", "64", "--backend", "mpi"}).err;
  const Finished info = run_ranks(1, {"info", "--quiet", "--json", "-"});
  const int cpus = json_lines(info.out).at(0)["ranks"][0]["cpus"];
  // Where one core with its hardware threads is the whole machine, binding takes nothing away.
  const std::string expected =
      cpus < host_cpus()
          ? "--bind-to none or --map-by slot:pe=64"
          : "1 rank on " + host_name() + ": 64 search threads for " + counted(host_cpus(), "CPU");
  EXPECT_NE(err.find(expected), std::string::npos) << err;
}

TEST(Mpirun, RanksThatShareTooFewCpusAreWarnedOf) {
  const std::size_t allowed = allowed_cpus().size();
  const std::string cpus = counted(allowed, "CPU");
  const std::string each = std::to_string(allowed);
  const auto unbound = [&each](int ranks) {
    std::vector<std::string> command =
        mpirun(ranks, {"solve", "--set", "haskell:1", "--threads", each});
    command.insert(command.begin() + 1, {"--bind-to", "none"});
    return Running(command).wait();
  };
  const Finished crowded = unbound(2);
  EXPECT_NE(crowded.err.find(", " + cpus + " per host, "), std::string::npos) << crowded.err;
  EXPECT_NE(crowded.err.find(": " + std::to_string(2 * allowed) + " search threads for " + cpus +
                             "; try "),
            std::string::npos)
      << crowded.err;
  const Finished alone = unbound(1);
  EXPECT_EQ(alone.err.find("warning:"), std::string::npos) << alone.err;
}

// Of programs that a launcher starts as one job: mpirun A : B.
TEST(Mpirun, RanksMustHaveTheSameArguments) {
  if (OPEN_MPI >= 5) GTEST_SKIP() << "mpirun of Open MPI 5.0.7 crashes on any two programs";
  const Finished run = run_ranks(1, {"solve", "--set", "haskell:1", "--quiet", ":", "-np", "1",
                                     tessera_program, "solve", "--set", "haskell:2", "--quiet"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(complaints(run.err)[0].find("rank 1 was started with other arguments than rank 0"),
            std::string::npos)
      << run.err;
}

TEST(Mpirun, FailuresOfOutputEndTheJob) {
  Running::Options full;
  full.output = "/dev/full";
  EXPECT_EQ(run_ranks(2, {"solve", "--set", "haskell", "--quiet", "--json", "/dev/full"}).code, 1);
  const Finished late = run_ranks(
      2, {"solve", "--set", "korf100:12", "--frontier", "50", "--quiet", "--json", "/dev/full"});
  EXPECT_EQ(late.code, 1);
  EXPECT_EQ(complaints(late.err).size(), 1U) << late.err;
}

TEST(Mpirun, LimitsStopAllRanks) {
  const Finished run = run_ranks(4, {"solve", "--set", "hardest15:1", "--heuristic", "zero",
                                     "--time-limit", "500ms", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(json_lines(run.out).at(0)["status"], "limit");
  EXPECT_LT(run.seconds, 20);
}

TEST(Mpirun, ATimeLimitPerBoardReachesAllRanks) {
  const TemporaryFile file(
      "15 11 8 12 14 10 9 13 2 6 1 4 3 7 5 0\n1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
      "15 11 13 12 14 10 9 5 2 6 8 1 3 7 4 0\n");
  for (const char* batch : {"boards", "tree"}) {
    const Finished run = run_ranks(
        2, {"solve", "--file", file.path(), "--goal", "first", "--heuristic", "zero", "--threads",
            "1", "--batch", batch, "--board-time-limit", "300ms", "--quiet", "--json", "-"});
    EXPECT_EQ(run.code, 4) << run.err;
    std::vector<std::string> statuses;
    for (const auto& row : json_lines(run.out)) statuses.push_back(row["status"]);
    EXPECT_EQ(statuses, (std::vector<std::string>{"limit", "solved", "limit"})) << batch;
    EXPECT_LT(run.seconds, 20);
  }
}

// A job deep in a search, and its ranks.
struct Job {
  Job()
      : running(
            mpirun(3, {"solve", "--set", "hardest15:1", "--heuristic", "zero", "--threads", "1"})) {
    wait_until([&] { return (ranks = ranks_of(running.pid())).size() == 3; });
    running.wait_for("    20 ");  // the row of a bound: the ranks search
  }
  void expect_all_gone_within(std::chrono::seconds most) {
    EXPECT_EQ(ranks.size(), 3U);
    const auto start = std::chrono::steady_clock::now();
    while (std::any_of(ranks.begin(), ranks.end(), alive)) {
      ASSERT_LT(std::chrono::steady_clock::now() - start, most) << "orphan ranks";
      std::this_thread::sleep_for(20ms);
    }
  }
  Running running;
  std::vector<pid_t> ranks;
};

TEST(Mpirun, TerminatingTheLauncherLeavesNoOrphans) {
  Job job;
  job.running.signal(SIGTERM);
  const Finished run = job.running.wait(20s);
  EXPECT_NE(run.code, 0);
  job.expect_all_gone_within(5s);
  EXPECT_GE(complaints(run.err).size(), fewest_last_words) << run.err;
  EXPECT_LE(complaints(run.err).size(), 1U) << run.err;
}

TEST(Mpirun, AKilledWorkerEndsTheJob) {
  Job job;
  ASSERT_EQ(job.ranks.size(), 3U);
  kill(*std::max_element(job.ranks.begin(), job.ranks.end()), SIGKILL);
  const auto start = std::chrono::steady_clock::now();
  const Finished run = job.running.wait(30s);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_NE(run.code, 0);
  job.expect_all_gone_within(5s);
}

TEST(Mpirun, UserSignalsStopAndAnswer) {
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    Job job;
    job.running.signal(signal);
    const Finished run = job.running.wait(20s);
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
}

TEST(Mpirun, UserSignalsKillNoRankThatStarts) {
  for (const int signal : {SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR2}) {
    Running running(
        mpirun(2, {"solve", "--set", "hardest15:1", "--heuristic", "zero", "--time-limit", "10s"}));
    wait_until([&] {
      const std::vector<pid_t> ranks = ranks_of(running.pid());
      return ranks.size() == 2 && std::all_of(ranks.begin(), ranks.end(), has_begun);
    });
    running.signal(signal);
    const Finished run = running.wait(20s);
    EXPECT_EQ(run.code, 4) << run.err;
  }
}

// Also one that only another rank has mapped, as where hosts share no folder.
TEST(Mpirun, NothingIsProvedWithATableThatWasOverwritten) {
  const TemporaryFolder folder;
  const auto of_rank = [&](int rank) { return folder.path() / std::to_string(rank); };
  for (const int rank : {0, 1}) {
    ASSERT_EQ(tessera({"pdb", "build", "--size", "4x4", "--goal", "first", "--partition", "4-4-4-3",
                       "--pdb-dir", of_rank(rank) / "tables"})
                  .code,
              0);
  }
  Running running({MPIRUN, "-np", "2", "sh", "-c", in_folder_of_rank, folder.text(),
                   tessera_program, "solve", "--set", "korf100:88", "--threads", "1", "--heuristic",
                   "pdb:4-4-4-3", "--pdb-dir", "tables", "--progress", "none"});
  running.wait_for("%");
  for (const auto& table : std::filesystem::directory_iterator(of_rank(1) / "tables")) {
    std::fstream file(table.path(), std::ios::binary | std::ios::in | std::ios::out);
    file << 'T';  // as it is
  }
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 6) << run.err;
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("tessera: rank 1: tables/"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(": was overwritten"), std::string::npos);
}

TEST(Mpirun, AFailureOnOneRankIsTheJobsOnce) {
  Running running({MPIRUN, "-np", "3", failing_rank_program});
  Finished run = running.wait(20s);
  EXPECT_NE(run.code, 0);
  // Open MPI 5's launcher ends its own notices with a null byte.
  if (OPEN_MPI >= 5) std::erase(run.err, '\0');
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("tessera: rank 2: a subtree's path leaves the board"), std::string::npos);
  EXPECT_LT(run.seconds, 10);
}

}  // namespace
}  // namespace tessera::cli
