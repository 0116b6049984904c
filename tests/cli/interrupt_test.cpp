// SPDX-License-Identifier: MIT
// Whatever the program is doing, it ends soon after it is told to, and loses no answer it has.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::duration<double> soon = 8s;
#else
constexpr std::chrono::duration<double> soon = 1s;
#endif

std::vector<std::string> program(const std::vector<std::string>& arguments) {
  return with({tessera_program}, arguments);
}

// Lets a command run a while, sends the signal and expects its end soon.
Finished ended_by(int signal, Running& running, std::chrono::milliseconds after) {
  std::this_thread::sleep_for(after);
  running.signal(signal);
  const auto sent = std::chrono::steady_clock::now();
  Finished run = running.wait(10s);
  EXPECT_LT(std::chrono::steady_clock::now() - sent, soon) << run.err;
  return run;
}

// The same of a command that stops in order.
Finished interrupted(const std::vector<std::string>& arguments, int signal,
                     std::chrono::milliseconds after = 400ms) {
  Running running(program(arguments));
  running.wait_until_it_handles(signal);
  return ended_by(signal, running, after);
}

const std::vector<std::string> endless_json{"solve", "--set",   "hardest15:1", "--heuristic",
                                            "zero",  "--quiet", "--json",      "-"};

TEST(Interrupt, EndsEveryKindOfSearchSoon) {
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--backend", "serial"},
                                              {"--threads", "2"},
                                              {"--bounds", "independent"},
                                              {"--schedule", "static"},
                                              {"--all"},
                                              {"--frontier", "1"}}) {
    const Finished run = interrupted(with(endless_json, how), SIGINT);
    EXPECT_EQ(run.code, 4) << how[0];
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(complaints(run.err)[0].starts_with("tessera: stopped"));
    EXPECT_EQ(json_lines(run.out).at(0)["status"], "interrupted");
  }
}

// timeout(1), for one, tells the process and then its group.
TEST(Interrupt, ComesTwiceAtOnceFromSome) {
  for (int i = 0; i < 5; ++i) {
    Running running(program(endless_json));
    running.wait_until_it_handles(SIGTERM);
    running.signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::microseconds(50 * i));
    running.signal(SIGTERM);
    const Finished run = running.wait(10s);
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
}

// Cutting the tree deep takes seconds: limits hold there, too.
TEST(Interrupt, EndsTheSplittingSoon) {
  const std::vector<std::string> deep{"solve",         "--set",  "korf100:88",  "--bounds",
                                      "independent",   "--json", "-",           "--quiet",
                                      "--split-depth", "20",     "--heuristic", "manhattan"};
  EXPECT_LT(tessera(with(deep, {"--time-limit", "100ms"})).seconds, 0.1 + soon.count());
  EXPECT_EQ(interrupted(deep, SIGTERM, 300ms).code, 4);
}

TEST(Interrupt, KeepsTheAnswersThatThereAre) {
  const TemporaryFile file(
      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n"
      "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0\n"
      "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15\n");
  const TemporaryFile results("");
  Running running(program({"solve", "--file", file.path(), "--heuristic", "zero", "--threads", "1",
                           "--quiet", "--json", results.path()}));
  wait_for_content(results.path(), "\n");  // the first board's row
  const Finished run = ended_by(SIGTERM, running, 0ms);
  EXPECT_EQ(run.code, 4);
  const auto rows = json_lines(results.content());
  ASSERT_EQ(rows.size(), 2U);  // the third is not begun
  EXPECT_EQ(rows[0]["status"], "solved");
  EXPECT_EQ(rows[1]["status"], "interrupted");
  EXPECT_TRUE(rows[1]["length"].is_null());
  EXPECT_TRUE(rows[1]["moves"].is_null());
  EXPECT_EQ(rows[1]["optimal"], false);
  EXPECT_EQ(tessera({"verify", results.path()}).out, "2 results checked, 0 wrong, 1 unanswered\n");
}

// Two threads solve a board each: what is behind the hard boards and solved is not lost.
TEST(Interrupt, KeepsTheAnswersBehindABoardInProgress) {
  const std::string easy = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n";
  const std::string endless = "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0\n";
  const TemporaryFile file(endless + easy + easy + endless + easy);
  Running running(program({"solve", "--file", file.path(), "--heuristic", "zero", "--batch",
                           "boards", "--threads", "2", "--quiet", "--json", "-"}));
  running.wait_until_it_worked(500ms);
  const Finished run = ended_by(SIGTERM, running, 0ms);
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  std::vector<std::string> status;
  for (const auto& row : json_lines(run.out)) status.push_back(row["status"]);
  EXPECT_EQ(status, (std::vector<std::string>{"interrupted", "solved", "solved", "interrupted"}));
}

TEST(Interrupt, KeepsWhatIsKnownOfAGame) {
  Running running(program({"analyse", "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0", "--moves",
                           "RLRLRLRL", "--heuristic", "zero", "--quiet", "--json", "-"}));
  running.wait_until_it_worked(500ms);
  const Finished run = ended_by(SIGINT, running, 0ms);
  EXPECT_EQ(run.code, 4);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(complaints(run.err)[0].starts_with("tessera: stopped by a signal"));
  const auto game = json_lines(run.out).at(0);
  EXPECT_EQ(game["brackets"].size(), 9U);
  EXPECT_GT(game["brackets"][0][0], 1);
  EXPECT_TRUE(game["optimal_length"].is_null());
}

// Commands without a search end by the signal itself, or as a search does.
TEST(Interrupt, EndsGenerate) {
  Running::Options nowhere;
  nowhere.output = "/dev/null";
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running(program({"generate", "--size", "8x8", "--count", "1000000000"}), nowhere);
    running.wait_until_it_worked(200ms);
    const Finished run = ended_by(signal, running, 0ms);
    EXPECT_TRUE(run.code == 4 || run.code == 128 + signal) << run.code;
  }
}

// Of two machines the first takes milliseconds, the second minutes.
TEST(Interrupt, KeepsTheRowsOfASimulation) {
  const TemporaryFile record("");
  ASSERT_EQ(tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--threads", "2",
                     "--record", record.path(), "--quiet"})
                .code,
            0);
  const TemporaryFile rows("");
  Running running(program({"simulate", record.path(), "--ranks", "4,4096", "--iterations", "1",
                           "--work", "100s", "--quiet", "--json", rows.path()}));
  wait_for_content(rows.path(), "\n");
  const Finished run = ended_by(SIGTERM, running, 0ms);
  EXPECT_EQ(run.code, 4);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_EQ(complaints(run.err)[0],
            "tessera: stopped by a signal; the rows until then are complete");
  EXPECT_EQ(json_lines(rows.content()).size(), 1U);
}

TEST(Interrupt, EndsWaitingForInput) {
  const TemporaryFolder folder;
  const std::string fifo = folder.text() + "/boards";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running(program({"solve", "--file", fifo}));
    const Finished run = ended_by(signal, running, 200ms);
    EXPECT_TRUE(run.code == 4 || run.code == 128 + signal) << run.code << run.err;
    EXPECT_EQ(run.err.find("cannot be read"), std::string::npos) << run.err;
  }
}

TEST(Interrupt, AReaderThatLeavesIsCodeOne) {
  Running::Options closed;
  closed.closed_output = true;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"solve", "--set", "haskell", "--quiet"},
        {"solve", "--set", "haskell", "--quiet", "--json", "-"},
        {"solve", "--help"},
        {"info"}}) {
    const Finished run = tessera(arguments, closed);
    EXPECT_EQ(run.code, 1) << arguments[0];
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
}

// Subtrees with bounds of their own prove nothing about the ones behind them: 45 moves solve this
// board, whatever bound the first subtree has reached.
TEST(Limits, ClaimNoMoreThanIsProven) {
  for (const char* limit : {"2000", "30000", "100000"}) {
    const Finished run =
        tessera({"solve", "--set", "korf100:12", "--bounds", "independent", "--backend", "serial",
                 "--frontier", "20", "--kernel", "plain", "--node-limit", limit, "--quiet"});
    EXPECT_EQ(run.code, 4);
    const std::string claim = " at least ";
    const auto at = run.out.find(claim);
    ASSERT_NE(at, std::string::npos) << run.out;
    EXPECT_LE(std::stoi(run.out.substr(at + claim.size())), 45);
  }
}

}  // namespace
}  // namespace tessera::cli
