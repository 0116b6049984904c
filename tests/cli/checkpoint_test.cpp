// SPDX-License-Identifier: MIT
// Runs that end early leave what they did, and others go on from there as if nothing had been.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "signature.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;
using Arguments = std::vector<std::string>;

// Searched at an emulated speed it takes some seconds, on whatever machine.
const Arguments slowly{"--emulate", "100000000"};
const Arguments cut_board{
    "solve",   "--set",  "korf100:1", "--finish-iteration", "--heuristic", "manhattan",
    "--quiet", "--json", "-"};
const Arguments small{"solve",     "--set",   "korf100:12", "--heuristic",
                      "manhattan", "--quiet", "--json",     "-"};

class Checkpoints : public testing::Test {
 protected:
  [[nodiscard]] Arguments kept(const std::string& every = "50ms") const {
    return {"--checkpoint", path_, "--checkpoint-every", every};
  }
  [[nodiscard]] Arguments resumed() const { return with(kept(), {"--resume"}); }

  TemporaryFolder folder_;
  std::string path_ = folder_.text() + "/checkpoint";
};

// Which rule `auto` chooses depends on the memory that is allowed, and on the version.
TEST_F(Checkpoints, KeepThePruningRuleOfTheirSearch) {
  const Arguments board{"solve",
                        "7 3 4 5 10 0 2 15 16 8 6 1 17 14 19 12 13 11 9 18",
                        "--size",
                        "5x4",
                        "--heuristic",
                        "linear-conflict",
                        "--incumbent",
                        "none",
                        "--quiet",
                        "--json",
                        "-"};
  const Finished cut = tessera(with(board, kept(), {"--prune", "fsm:8", "--node-limit", "20000"}));
  ASSERT_EQ(cut.code, 3) << cut.err;
  const Finished other = tessera(with(board, resumed(), {"--finish-iteration"}));
  EXPECT_EQ(other.code, 6);
  EXPECT_NE(other.err.find("is a checkpoint of another prune"), std::string::npos) << other.err;
  const Finished run = tessera(with(board, resumed()));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json_lines(run.out).at(0)["prune"], "fsm:8");
}

// Whatever `auto` would choose now, and without naming it again.
TEST_F(Checkpoints, KeepTheEndThatASearchIsFrom) {
  for (const char* const heuristic : {"auto", "pairwise"}) {
    const Arguments board{"solve",
                          "1 2 3 4 12 5 7 9 10 22 6 18 13 8 15 17 11 29 19 26 20 16 28 23 31 25 14 "
                          "27 0 30 32 33 34 21 35 24",
                          "--heuristic",
                          heuristic,
                          "--incumbent",
                          "none",
                          "--prune",
                          "parent",
                          "--quiet",
                          "--json",
                          "-"};
    const Arguments from_goal{"--search-from", "goal"};
    const auto whole = json_lines(tessera(with(board, from_goal)).out).at(0);
    ASSERT_EQ(whole["status"], "solved");
    ASSERT_EQ(whole["length"], 50);
    std::filesystem::remove(path_);
    const Finished cut = tessera(with(board, from_goal, kept(), {"--node-limit", "20000"}));
    ASSERT_EQ(cut.code, 3) << cut.err;
    for (const Arguments& other : {Arguments{"--search-from", "start"}, Arguments{"--all"}}) {
      const Finished refused = tessera(with(board, resumed(), other));
      EXPECT_EQ(refused.code, 6);
      EXPECT_NE(refused.err.find("is a checkpoint of another board or goal"), std::string::npos);
    }
    const Finished run = tessera(with(board, resumed()));
    ASSERT_EQ(run.code, 0) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["search_from"], "goal");
    EXPECT_EQ(signature(row), signature(whole));
    const Finished answered = tessera(with(board, resumed()));
    ASSERT_EQ(answered.code, 0) << answered.err;
    EXPECT_EQ(json_lines(answered.out).at(0)["moves"], row["moves"]);
  }
}

TEST_F(Checkpoints, AStoppedRunGoesOnAnyhowAnywhere) {
  const auto expected = signature(tessera(cut_board).out);
  struct Way {
    int signal;
    Arguments first;
    Arguments then;
  };
  for (const Way& way :
       {Way{SIGUSR1, {"--threads", "2"}, {"--backend", "serial"}},
        Way{SIGTERM, {"--backend", "serial"}, {"--threads", "2", "--schedule", "dynamic"}},
        Way{SIGTERM, {"--threads", "3", "--schedule", "static"}, {"--threads", "1"}},
        Way{0, {"--time-limit", "300ms", "--threads", "2"}, {"--threads", "2"}},
        Way{0, {"--node-limit", "30000000"}, {"--kernel", "plain", "--frontier", "300"}}}) {
    std::filesystem::remove(path_);
    Running running(with({tessera_program}, with(cut_board, slowly), way.first, kept()));
    if (way.signal != 0) {
      wait_for_content(path_, " done 0 ", 3);
      running.signal(way.signal);
    }
    const Finished first = running.wait();
    ASSERT_EQ(first.code, 3) << first.err;
    ASSERT_EQ(complaints(first.err).size(), 1U) << first.err;
    EXPECT_NE(first.err.find(path_ + " holds the progress, --resume continues"), std::string::npos);
    const auto row = json_lines(first.out).at(0);
    EXPECT_EQ(row["status"], way.signal != 0 ? "interrupted" : "limit");
    EXPECT_EQ(row["iterations"].back()["complete"], false);

    const Finished last = tessera(with(cut_board, way.then, resumed()));
    ASSERT_EQ(last.code, 0) << last.err;
    ASSERT_EQ(signature(last.out), expected) << way.first[1];
  }
}

TEST_F(Checkpoints, AResumedRunTellsWhereItGoesOn) {
  const Arguments half = with(cut_board, {"--node-limit", "30000000"}, resumed());
  ASSERT_EQ(tessera(half).code, 3);
  const Finished last = tessera(with(cut_board, {"--no-quiet"}, resumed()));
  EXPECT_EQ(last.code, 0);
  EXPECT_NE(last.err.find("resumed: 7 bounds and "), std::string::npos) << last.err;
  EXPECT_EQ(tessera(with(small, {"--no-quiet"})).err.find("resumed: "), std::string::npos);
}

TEST_F(Checkpoints, ANodeLimitCountsTheSubtreesOfEarlierRuns) {
  const Arguments limited = with(cut_board, {"--node-limit", "30000000"}, resumed());
  const auto generated = [&] {
    const Finished run = tessera(limited);
    EXPECT_EQ(run.code, 3) << run.err;
    return json_lines(run.out).at(0)["nodes"]["generated"].get<double>();
  };
  generated();
  // Of subtrees that were not finished nothing is kept: their nodes are searched again.
  EXPECT_LT(generated(), 1.2 * 30e6);
}

TEST_F(Checkpoints, AResumedRunHasTheTimeOfItsBeams) {
  const Arguments limited = with({"solve", "--set", "korf50:10", "--heuristic", "manhattan",
                                  "--incumbent", "beam:3000", "--quiet", "--json", "-"},
                                 {"--node-limit", "1000000"}, resumed());
  for (int run = 0; run < 2; ++run) {
    const auto row = json_lines(tessera(limited).out).at(0);
    EXPECT_GE(row["seconds"], row["incumbent"]["seconds"]) << run;
  }
}

// Stopped again and again, a little is done each time.
TEST_F(Checkpoints, ManyShortRunsAreOneLongOne) {
  const auto expected = signature(tessera(cut_board).out);
  int stops = 0;
  Finished run;
  do {
    run = tessera(with(cut_board, slowly, resumed(), {"--threads", "2", "--time-limit", "250ms"}));
    ASSERT_TRUE(run.code == 3 || run.code == 0) << run.err;
  } while (run.code == 3 && ++stops < 200);
  EXPECT_GT(stops, 1);
  EXPECT_EQ(signature(run.out), expected);
}

TEST_F(Checkpoints, AFinishedOneAnswersAgain) {
  const auto row_of = [](const Finished& run) {
    EXPECT_EQ(run.code, 0) << run.err;
    auto row = json_lines(run.out).at(0);
    for (const char* name : {"seconds", "earlier_seconds", "setup_seconds", "version"}) {
      row.erase(name);
    }
    return row;
  };
  const auto first = row_of(tessera(with(small, resumed())));  // no file: starts
  const std::string file = content_of(path_);
  EXPECT_EQ(row_of(tessera(with(small, resumed()))), first);
  EXPECT_EQ(content_of(path_), file);
  // More is asked for than was answered.
  const auto all = row_of(tessera(with(small, resumed(), {"--all"})));
  EXPECT_EQ(all["solutions"], row_of(tessera(with(small, {"--all"})))["solutions"]);
  EXPECT_EQ(signature(all), signature(row_of(tessera(with(small, {"--all"})))));
  // It keeps the number of solutions, and they are listed again.
  const auto listed = row_of(tessera(with(small, resumed(), {"--all", "--good-moves"})));
  EXPECT_EQ(listed["all_moves"], all["all_moves"]);
  EXPECT_EQ(listed["all_moves"].size(), all["solutions"]);
  EXPECT_FALSE(listed["good_moves"].empty());
}

TEST_F(Checkpoints, WithoutResumeAnOldOneIsKept) {
  EXPECT_EQ(tessera(with(small, kept())).code, 0);
  const std::string file = content_of(path_);
  EXPECT_EQ(tessera({"solve", "--set", "haskell:3", "--quiet", "--checkpoint", path_}).code, 0);
  EXPECT_EQ(content_of(path_ + "~"), file);
  EXPECT_NE(content_of(path_), file);
}

TEST_F(Checkpoints, AnUnfinishedOneIsNotReplacedInSilence) {
  EXPECT_EQ(tessera(with(cut_board, kept(), {"--node-limit", "1000000"})).code, 3);
  const Arguments other{"solve", "--set", "haskell:3", "--quiet", "--checkpoint", path_};
  const Finished anew = tessera(other);
  EXPECT_EQ(anew.code, 0);
  EXPECT_EQ(anew.err, "tessera: " + path_ + " held an unfinished search, kept as " + path_ +
                          "~; without --resume the search starts over\n");
  // One that is finished is.
  EXPECT_EQ(tessera(other).err, "");
}

TEST_F(Checkpoints, BoardsThatAreDoneAreNotSolvedAgain) {
  Arguments command{"solve",  "--set", "korf100:12,4,79,1,42", "--finish-iteration",
                    "--json", "-",     "--heuristic",          "manhattan",
                    "--quiet"};
  const auto expected = signature(tessera(command).out);
  Running running(with({tessera_program}, command, slowly, kept()));
  wait_for_content(path_, " done 3 ", 1);
  running.signal(SIGTERM);
  const Finished first = running.wait();
  ASSERT_EQ(first.code, 3) << first.err;
  const auto begun = json_lines(first.out);
  ASSERT_EQ(begun.size(), 4U);
  EXPECT_EQ(begun[3]["status"], "interrupted");

  const Finished last = tessera(with(command, resumed()));
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(signature(last.out), expected);
  const auto rows = json_lines(last.out);
  ASSERT_EQ(rows.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i]["moves"], begun[i]["moves"]);
    EXPECT_EQ(rows[i]["iterations"], begun[i]["iterations"]);  // the seconds of then
  }
  std::erase(command, "--quiet");
  const Finished again = tessera(with(command, resumed()));
  EXPECT_NE(again.err.find("5 of 5 boards answered from " + path_ + "\n"), std::string::npos)
      << again.err;
}

TEST_F(Checkpoints, AnotherSearchIsCodeSix) {
  ASSERT_EQ(tessera(with(small, kept())).code, 0);
  const std::string file = content_of(path_);
  const Arguments from{"solve", "--quiet", "--checkpoint", path_, "--resume"};
  for (const Arguments& other :
       {Arguments{"--set", "korf100:9", "--heuristic", "manhattan"},
        {"--set", "korf100:12", "--heuristic", "linear-conflict"},
        {"--set", "korf100:12", "--heuristic", "manhattan", "--prune", "fsm:10"},
        {"--set", "korf50:1", "--heuristic", "manhattan"},
        {"--set", "haskell:1"}}) {
    const Finished run = tessera(with(from, other));
    EXPECT_EQ(run.code, 6) << other[1];
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(complaints(run.err)[0].starts_with("tessera: " + path_ + ": ")) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(content_of(path_), file);
  }
}

// Minutes of work, were it begun.
TEST_F(Checkpoints, WhatCannotBeKeptIsNotBegun) {
  const Arguments endless{"solve", "--set", "hardest15:1", "--heuristic", "zero"};
  for (const Arguments& bad : {Arguments{"--checkpoint", folder_.text()},
                               {"--checkpoint", folder_.text() + "/no/such"},
                               {"--checkpoint", "/dev/null"},
                               {"--checkpoint", path_, "--bounds", "independent"},
                               {"--checkpoint", path_, "--checkpoint-every", "0s"},
                               {"--resume"}}) {
    const Finished run = tessera(with(endless, bad));
    EXPECT_EQ(run.code, 2) << bad.back() << run.err;
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
  overwrite(path_, "my only copy\n");
  EXPECT_EQ(tessera(with(endless, kept())).code, 6);
  EXPECT_EQ(content_of(path_), "my only copy\n");

  std::filesystem::remove(path_);
  Running running(with({tessera_program}, endless, kept()));
  wait_for_content(path_, " board 0 ", 1);
  const Finished second = tessera(with(endless, resumed()));
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find(path_ + ": another run has it open"), std::string::npos) << second.err;
  running.signal(SIGTERM);
  EXPECT_EQ(running.wait().code, 3);
}

TEST_F(Checkpoints, AResumedRunKeepsTheNameThatAutoChose) {
  const Arguments board{"solve",
                        "10 8 14 5 1 6 11 7 2 0 4 12 13 9 3",
                        "--size",
                        "3x5",
                        "--threads",
                        "1",
                        "--quiet",
                        "--json",
                        "-",
                        "--pdb-dir",
                        folder_.text() + "/tables"};
  const Finished first = tessera(with(board, kept(), {"--memory", "50MiB", "--node-limit", "100"}));
  ASSERT_EQ(first.code, 3) << first.err;
  EXPECT_EQ(json_lines(first.out).at(0)["heuristic"], "pdb:5-5-4");
  const Finished last = tessera(with(board, resumed()));
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json_lines(last.out).at(0)["heuristic"], "pdb:5-5-4");
}

TEST_F(Checkpoints, AFullDiskLosesNothing) {
  const auto expected = signature(tessera(cut_board).out);
  // A file of this process may have 16 KiB, half of what is to be kept: on a busy machine the first
  // part alone can have more than a few.
  const Finished full =
      Running(with({"bash", "-c", "ulimit -f 16; exec \"$@\"", "bash", tessera_program}, cut_board,
                   slowly, kept("20ms")))
          .wait();
  EXPECT_EQ(full.code, 5) << full.err;
  EXPECT_EQ(json_lines(full.out).at(0)["status"], "error");
  ASSERT_EQ(complaints(full.err).size(), 1U) << full.err;
  EXPECT_TRUE(complaints(full.err)[0].starts_with("tessera: " + path_ + ": cannot be written, "));
  EXPECT_NE(content_of(path_).find(" done 0 "), std::string::npos);
  EXPECT_EQ(content_of(path_).back(), '\n');
  const Finished last = tessera(with(cut_board, resumed()));
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(signature(last.out), expected);
}

// Neither their number nor that it is optimal is known.
TEST_F(Checkpoints, ABeamOfAnEarlierRunIsNoCountOfSolutions) {
  const Arguments board{
      "solve", "1 2 3/4 0 6/7 5 8", "--heuristic", "manhattan", "--quiet", "--json", "-"};
  for (const std::string all : {"--all", "--finish-iteration"}) {
    ASSERT_EQ(tessera(with(board, {"--incumbent", "beam:1000"}, kept())).code, 0);
    const Finished cut = tessera(with(board, resumed(), {all, "--node-limit", "1"}));
    const auto row = json_lines(cut.out).at(0);
    EXPECT_EQ(row["status"], "limit") << all;
    for (const char* key : {"length", "lower_bound", "upper_bound"}) {
      EXPECT_EQ(row[key], 2) << all << " " << key;
    }
    EXPECT_EQ(row["optimal"], false) << all;
    EXPECT_TRUE(row["solutions"].is_null()) << all;
    const TemporaryFile rows(cut.out);
    EXPECT_EQ(tessera({"verify", rows.path()}).code, 0) << all;
    const auto whole = json_lines(tessera(with(board, resumed(), {all})).out).at(0);
    EXPECT_EQ(whole["length"], 2) << all;
    EXPECT_EQ(whole["solutions"], all == "--all" ? nlohmann::json(1) : nlohmann::json());
  }
}

TEST_F(Checkpoints, ASolutionOfAnUnfinishedLastBoundIsTheAnswerIfOneIsEnough) {
  const Arguments board{"solve",     "--set",     "korf100:79", "--heuristic",
                        "manhattan", "--backend", "serial",     "--frontier",
                        "20",        "--quiet",   "--json",     "-"};
  const auto whole = json_lines(tessera(with(board, {"--finish-iteration"})).out).at(0);
  const auto generated = whole["nodes"]["generated"].get<std::uint64_t>();
  const auto last = whole["iterations"].back()["generated"].get<std::uint64_t>();
  const std::string limit = std::to_string(generated - last / 10);
  ASSERT_EQ(tessera(with(board, kept("1ms"), {"--finish-iteration", "--node-limit", limit})).code,
            3);
  const Finished run = tessera(with(board, resumed(), {"--node-limit", "1"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto row = json_lines(run.out).at(0);
  for (const char* key :
       {"length", "moves", "optimal", "lower_bound", "upper_bound", "solutions"}) {
    EXPECT_EQ(row[key], whole[key]) << key;
  }
  EXPECT_EQ(row["iterations"].back()["complete"], true);
  EXPECT_LT(row["nodes"]["generated"], generated);
  const TemporaryFile rows(run.out);
  EXPECT_EQ(tessera({"verify", rows.path()}).code, 0);
  const auto finished = json_lines(tessera(with(board, resumed(), {"--finish-iteration"})).out);
  EXPECT_EQ(signature(finished.at(0)), signature(whole));
}

TEST_F(Checkpoints, TheTimeLimitOfABoardCountsEarlierRuns) {
  const Arguments board{"solve",   "--set",  "korf50:1", "--heuristic", "manhattan",
                        "--quiet", "--json", "-",        "--incumbent", "none"};
  const auto first =
      json_lines(tessera(with(board, kept("1ms"), {"--node-limit", "100000000"})).out).at(0);
  // Half of the time that it has spent.
  const auto limit = static_cast<int>(500 * first["seconds"].get<double>()) + 1;
  const auto again =
      json_lines(
          tessera(with(board, resumed(), {"--board-time-limit", std::to_string(limit) + "ms"})).out)
          .at(0);
  EXPECT_EQ(again["status"], "limit");
  EXPECT_LT(again["nodes"]["generated"], 1.1 * first["nodes"]["generated"].get<double>());
}

TEST_F(Checkpoints, WhereverItIsCutItGoesOn) {
  const Arguments whole = with(small, {"--finish-iteration", "--frontier", "20"});
  const auto expected = signature(tessera(whole).out);
  ASSERT_EQ(tessera(with(whole, kept("1ms"))).code, 0);
  const std::string file = content_of(path_);
  const std::size_t first_record = file.find('\n', file.find('\n') + 1);  // its end
  const auto dropped = [&](std::size_t length) {
    return "tessera: " + path_ +
           (length <= first_record ? ": no record was written completely, the search starts over"
                                   : ": the last record was not written completely and is ignored");
  };
  for (std::size_t length = 0; length < file.size(); length += 1 + file.size() / 40) {
    overwrite(path_, file.substr(0, length));
    const Finished run = tessera(with(whole, resumed()));
    ASSERT_EQ(run.code, 0) << run.err;
    ASSERT_EQ(signature(run.out), expected) << length;
    const bool cut = length > 0 && file[length - 1] != '\n';
    EXPECT_EQ(run.err.find("written completely") != std::string::npos, cut);
    if (cut) {
      EXPECT_EQ(complaints(run.err).at(0), dropped(length));
    }
  }
  for (const std::size_t length : {std::size_t{1}, first_record, first_record + 2}) {
    overwrite(path_, file.substr(0, length));
    EXPECT_EQ(complaints(tessera(with(whole, resumed())).err).at(0), dropped(length));
  }
  std::string damaged = file;
  damaged[file.size() / 2] = damaged[file.size() / 2] == 'x' ? 'y' : 'x';
  overwrite(path_, damaged);
  const Finished run = tessera(with(whole, resumed()));
  EXPECT_EQ(run.code, 6);
  EXPECT_TRUE(complaints(run.err).at(0).starts_with("tessera: " + path_ + ":")) << run.err;
  EXPECT_EQ(content_of(path_), damaged);
}

TEST_F(Checkpoints, WhatCannotBeginIsTheOnlyLine) {
  ASSERT_EQ(tessera({"solve", "--set", "korf100:1", "--heuristic", "manhattan", "--node-limit",
                     "1000", "--checkpoint", path_})
                .code,
            3);
  const auto expect_line = [](const Finished& run, int code, const std::string& expected) {
    EXPECT_EQ(run.code, code);
    EXPECT_TRUE(run.err.starts_with("tessera: ")) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
  };
  expect_line(tessera({"solve", "--set", "korf100:2", "--heuristic", "manhattan", "--checkpoint",
                       path_, "--resume"}),
              6, "is a checkpoint of another board");
  expect_line(tessera({"solve", "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "--heuristic", "manhattan",
                       "--checkpoint", path_, "--resume"}),
              6, "is a checkpoint of another board");  // an unsolvable one
  expect_line(tessera({"solve", "--set", "korf100:1", "--heuristic", "walking", "--checkpoint",
                       path_, "--resume"}),
              6, "is a checkpoint of another heuristic");
  expect_line(tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:5-5-5", "--pdb-dir",
                       "/dev/null/tables"}),
              2, "/dev/null/tables");
}

TEST_F(Checkpoints, AnsweredBoardsKeepTheirRun) {
  const Arguments boards{"solve", "--set", "haskell:1-3", "--quiet", "--json", "-"};
  const auto first = json_lines(tessera(with(boards, {"--threads", "2"}, kept())).out);
  const auto again = json_lines(tessera(with(boards, {"--threads", "1"}, resumed())).out);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0]["threads"], 2);
  ASSERT_EQ(again.size(), 3U);
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (const char* key : {"run", "workers", "begin_seconds", "end_seconds", "cpu_share", "date",
                            "revision", "cpu", "backend", "ranks", "threads", "hosts"}) {
      EXPECT_EQ(first[i][key], again[i][key]) << key;
    }
  }
}

}  // namespace
}  // namespace tessera::cli
