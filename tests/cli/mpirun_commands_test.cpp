// SPDX-License-Identifier: MIT
// Everything that works in one process works as ranks of a job, with the same answers.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

// Processes that have `mark` in their environment: those of one job, whoever is their parent by
// now. A dead one that nobody has reaped has no environment any more.
std::vector<pid_t> processes_with(const std::string& mark) {
  std::vector<pid_t> pids;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (content_of(entry.path() / "environ").find(mark) == std::string::npos) continue;
    const auto program = std::filesystem::read_symlink(entry.path() / "exe", gone);
    if (!gone && program.filename() == "tessera") pids.push_back(std::stoi(name));
  }
  return pids;
}

TEST(MpirunCommands, AnswerOnceWhateverTheCommand) {
  const Finished alone =
      tessera({"generate", "--size", "4x4", "--count", "20", "--scramble", "25"});
  const Finished boards =
      run_ranks(3, {"generate", "--size", "4x4", "--count", "20", "--scramble", "25"});
  EXPECT_EQ(boards.code, 0);
  EXPECT_EQ(boards.out, alone.out);

  Running::Options options;
  options.input = boards.out;  // mpirun gives standard input to rank 0
  const TemporaryFile results("");
  const Finished solved = run_ranks(2, {"solve", "--file", "-", "--json", results.path()}, options);
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(json_lines(results.content()).size(), 20U);

  const Finished verified = run_ranks(2, {"verify", results.path()});
  EXPECT_EQ(verified.code, 0);
  EXPECT_EQ(verified.out, "20 results checked, 0 wrong, 0 unanswered\n");

  const Finished unsolvable = run_ranks(2, {"solve", "2 1 3 0", "--quiet", "--json", "-"});
  EXPECT_EQ(unsolvable.code, 0);
  EXPECT_EQ(json_lines(unsolvable.out).at(0)["status"], "unsolvable");
}

// A script as a job; $TESSERA is the program.
Finished run_script(int ranks, const std::string& script,
                    std::map<std::string, std::string> more = {}) {
  std::vector<std::string> command = mpirun(ranks, {});
  Running::Options options;
  options.environment = std::move(more);
  options.environment["TESSERA_ROOT"] = std::exchange(command.back(), "bash");
  return Running(with(command, {"-c", script}), options).wait(60s);
}

// MPI can be started only once there, and commands in a pipe run at the same time.
TEST(MpirunCommands, ScriptsInAJobStartMpiOnlyForRanks) {
  for (const int ranks : {1, 2}) {
    const Finished piped = run_script(
        ranks,
        "$TESSERA_ROOT generate --size 3x3 --count 5 | $TESSERA_ROOT solve --file - --quiet "
        "--json - --backend threads >results-$OMPI_COMM_WORLD_RANK.jsonl; "
        "$TESSERA_ROOT verify results-0.jsonl; rm -f results-$OMPI_COMM_WORLD_RANK.jsonl");
    EXPECT_EQ(piped.code, 0) << piped.err;
    EXPECT_EQ(piped.out, "5 results checked, 0 wrong, 0 unanswered\n");
  }
  const Finished loud = run_script(2,
                                   "$TESSERA_ROOT solve '1 2 0 3' -q --backend THREADS && "
                                   "$TESSERA_ROOT solve '1 2 0 3' -q --backend=Threads");
  EXPECT_EQ(loud.code, 0) << loud.err;
  EXPECT_EQ(run_script(1, "$TESSERA_ROOT solve '1 2 0 3' -q --backend MPI").code, 0);
  const Finished alone =
      run_script(1,
                 "$TESSERA_ROOT generate --size 3x3 | $TESSERA_ROOT solve --file - --quiet && "
                 "$TESSERA_ROOT info --quiet >/dev/null");
  EXPECT_EQ(alone.code, 0) << alone.err;
}

TEST(MpirunCommands, ASecondStartOfMpiIsRefusedInOneLine) {
  const std::string solve = "$TESSERA_ROOT solve --set haskell:3 --quiet";
  const Finished twice = run_script(2, solve + " && " + solve);
  EXPECT_EQ(twice.code, 2);
  ASSERT_EQ(complaints(twice.err).size(), 1U) << twice.err;
  EXPECT_NE(twice.err.find("MPI cannot be started twice"), std::string::npos);
  EXPECT_NE(twice.err.find("--backend threads"), std::string::npos);
}

// MPICH's mpiexec sets these; to Open MPI each process is then a job of one.
TEST(MpirunCommands, AnotherMpisLauncherIsNoticed) {
  for (const char* const rank : {"0", "1"}) {
    Running::Options options;
    options.environment = {{"PMI_RANK", rank}, {"PMI_SIZE", "2"}};
    const Finished run = tessera({"solve", "--set", "haskell:3", "--quiet"}, options);
    const bool first = rank[0] == '0';
    EXPECT_EQ(run.code, first ? 2 : 0) << run.err;
    EXPECT_EQ(complaints(run.err).size(), first ? 1U : 0U) << run.err;
    EXPECT_EQ(run.out, "");
    const Finished generated = tessera({"generate", "--size", "3x3"}, options);
    EXPECT_EQ(generated.out.empty(), !first);
  }
}

TEST(MpirunCommands, WarnsWhereOpenMpi5MayPrintPartsOfLinesOnStandardError) {
  Running::Options by_version_5;
  by_version_5.environment = {{"PRTE_LAUNCHED", "1"}};
  const auto warns = [&](int ranks, const std::vector<std::string>& more) {
    const Finished run =
        run_ranks(ranks, with({"solve", "--set", "haskell:1"}, more), by_version_5);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err.find("warning: mpirun of Open MPI 5") != std::string::npos;
  };
  const TemporaryFile file("");
  EXPECT_TRUE(warns(2, {"--json=-"}));
  EXPECT_TRUE(warns(2, {"--csv=-"}));
  EXPECT_FALSE(warns(2, {"--json", file.path()}));
  EXPECT_FALSE(warns(2, {"--json=-", "--quiet"}));
  EXPECT_FALSE(warns(1, {"--json=-"}));
}

TEST(MpirunCommands, AllSolutionsAndIndependentBoundsAgreeWithOneProcess) {
  const std::string count = thinned > 1 ? "5" : "8";
  const TemporaryFile boards(
      tessera({"generate", "--size", "3x3", "--count", count, "--seed", "5", "--format", "json"})
          .out +
      tessera(
          {"generate", "--size", "4x3", "--count", count, "--scramble", "60", "--format", "json"})
          .out);
  const auto column = [](const std::string& out, const char* key) {
    nlohmann::json values;
    for (const auto& row : json_lines(out)) values.push_back(row[key]);
    return values;
  };
  const std::vector<std::string> solve{"solve", "--file", boards.path(), "--quiet", "--json", "-"};
  const Finished serial = tessera(with(solve, {"--backend", "serial", "--all", "--good-moves"}));
  ASSERT_EQ(serial.code, 0);
  struct Case {
    int ranks;
    const char* schedule;
  };
  for (const auto& [ranks, schedule] :
       {Case{2, "static"}, Case{4, "dynamic"}, Case{3, "stealing"}}) {
    const Finished all =
        run_ranks(ranks, with(solve, {"--all", "--good-moves", "--backend", "mpi", "--threads", "2",
                                      "--frontier", "50", "--schedule", schedule}));
    for (const char* key : {"solutions", "length", "nodes", "moves", "all_moves", "good_moves"}) {
      EXPECT_EQ(column(all.out, key), column(serial.out, key)) << ranks << schedule << key;
    }
    const Finished independent =
        run_ranks(ranks, with(solve, {"--bounds", "independent", "--backend", "mpi", "--threads",
                                      "1", "--frontier", "37", "--schedule", schedule}));
    for (const char* key : {"length", "optimal", "verified"}) {
      EXPECT_EQ(column(independent.out, key), column(serial.out, key)) << ranks << schedule << key;
    }
  }
}

TEST(MpirunCommands, KeepGoingAndLimitsHaveTheirCodes) {
  const TemporaryFile file("1 2 3 0\n1 1 1 1\n1 2 0 3\n");
  const Finished bad =
      run_ranks(2, {"solve", "--file", file.path(), "--keep-going", "--quiet", "--json", "-"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(json_lines(bad.out).size(), 2U);
  EXPECT_EQ(complaints(bad.err).size(), 1U) << bad.err;
  const Finished memory =
      run_ranks(2, {"solve", "1 2 0 3", "--memory", "1MiB", "--threads", "2", "--backend", "mpi"});
  EXPECT_EQ(memory.code, 5);
  EXPECT_EQ(complaints(memory.err).size(), 1U) << memory.err;
  // Each rank has its part, in which one of the tables, 1237 MiB, cannot be built.
  const TemporaryFolder tables;
  const Finished part =
      run_ranks(2, {"solve", "--set", "korf100:12", "--heuristic", "pdb:7-8", "--memory", "2000MiB",
                    "--threads", "1", "--pdb-dir", tables.text()});
  EXPECT_EQ(part.code, 5);
  ASSERT_EQ(complaints(part.err).size(), 1U) << part.err;
  EXPECT_NE(part.err.find("of memory while it is built"), std::string::npos) << part.err;
  const Finished nodes = run_ranks(3, {"solve", "--set", "hardest15:1", "--heuristic", "zero",
                                       "--node-limit", "5000000", "--quiet", "--json", "-"});
  EXPECT_EQ(nodes.code, 4);
  const auto row = json_lines(nodes.out).at(0);
  EXPECT_EQ(row["status"], "limit");
  EXPECT_GE(row["nodes"]["generated"], 5'000'000);
}

class Ending : public testing::TestWithParam<int> {};

// Ctrl-C reaches mpirun, and mpirun every rank; a scheduler sends SIGTERM; kill -9 of mpirun leaves
// the ranks to find out themselves.
TEST_P(Ending, OfTheLauncherLeavesNobody) {
  Running::Options options;
  const std::string mark =
      "TESSERA_TEST_JOB=" + std::to_string(getpid()) + "-" + std::to_string(GetParam());
  options.environment["TESSERA_TEST_JOB"] = mark.substr(mark.find('=') + 1);
  Running running(
      mpirun(3, {"solve", "--set", "hardest15:1", "--heuristic", "zero", "--threads", "1"}),
      options);
  running.wait_for("\n    20 ");  // the row of a bound
  EXPECT_EQ(processes_with(mark).size(), 3U);
  running.signal(GetParam());
  const auto sent = std::chrono::steady_clock::now();
  const Finished run = running.wait(20s);
  EXPECT_NE(run.code, 0);
  while (!processes_with(mark).empty()) {
    ASSERT_LT(std::chrono::steady_clock::now() - sent, 5s) << "orphan ranks";
    std::this_thread::sleep_for(20ms);
  }
  if (GetParam() == SIGKILL) return;
  EXPECT_GE(complaints(run.err).size(), fewest_last_words) << run.err;
  EXPECT_LE(complaints(run.err).size(), 1U) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Signals, Ending, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGKILL));

TEST(MpirunCommands, AReaderThatLeavesEndsTheJob) {
  Running::Options closed;
  closed.closed_output = true;
  // mpirun reads the ranks' output: its end is mpirun's own.
  Running(mpirun(2, {"generate", "--size", "4x4", "--count", "200000"}), closed).wait(30s);
}

}  // namespace
}  // namespace tessera::cli
