// SPDX-License-Identifier: MIT
// --incumbent and --engine beam from the command line.
#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

nlohmann::json row_of(const std::vector<std::string>& more, int code = 0) {
  const Finished run = tessera(with({"solve", "--quiet", "--json", "-"}, more));
  EXPECT_EQ(run.code, code) << run.err;
  const auto rows = json_lines(run.out);
  return rows.empty() ? nlohmann::json() : rows[0];
}

const std::vector<std::string> korf50_first{"--set", "korf50:1", "--heuristic", "manhattan"};

// A random 6x6 board, which nobody can solve optimally.
const std::vector<std::string> hard{
    "33 31 20 6 10 1 23 14 26 18 17 4 29 2 15 7 11 21 12 28 24 13 35 16 3 27 5 8 19 0 34 9 22 25 "
    "30 32",
    "--heuristic", "linear-conflict"};

TEST(Beam, EngineGivesOneSolutionForASeedAndWidthOnAnyThreads) {
  const auto options = with(korf50_first, {"--engine", "beam", "--incumbent", "beam:2000"});
  const nlohmann::json one = row_of(with(options, {"--threads", "1"}));
  const nlohmann::json two = row_of(with(options, {"--threads", "2"}));
  EXPECT_EQ(one["engine"], "beam");
  EXPECT_EQ(one["status"], "solved");
  EXPECT_EQ(one["optimal"], false);
  EXPECT_EQ(one["verified"], true);
  EXPECT_GE(one["length"], 95);
  EXPECT_EQ(one["upper_bound"], one["length"]);
  EXPECT_LT(one["lower_bound"], 95);
  EXPECT_EQ(one["incumbent"]["width"], 2000);
  EXPECT_EQ(one["incumbent"]["length"], one["length"]);
  EXPECT_GT(one["incumbent"]["evaluated"], 100'000);
  EXPECT_EQ(one["nodes"]["expanded"], 0);
  EXPECT_EQ(two["moves"], one["moves"]);
  EXPECT_EQ(two["incumbent"]["evaluated"], one["incumbent"]["evaluated"]);
  const std::vector<std::string> narrow{"--set", "deepcubea48:401", "--engine",
                                        "beam",  "--incumbent",     "beam:50"};
  EXPECT_NE(row_of(with(narrow, {"--seed", "2"}))["moves"], row_of(narrow)["moves"]);
}

TEST(Beam, EngineHasProvenTheOptimumWhereItMeetsTheHeuristic) {
  const nlohmann::json row = row_of({"1 2 3 4 5 6 7 0 8", "--engine", "beam"});
  EXPECT_EQ(row["length"], 1);
  EXPECT_EQ(row["optimal"], true);
  EXPECT_EQ(row["lower_bound"], 1);
  // It has no bounds to show.
  const Finished seen = tessera({"solve", "1 2 3 4 5 6 7 0 8", "--engine", "beam"});
  EXPECT_EQ(seen.err.find("bound"), std::string::npos) << seen.err;
}

TEST(Beam, ASolvedBoardNeedsNoBeam) {
  for (const char* const heuristic : {"auto", "zero"}) {
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--engine", "beam"}, {"--incumbent", "beam:1000"}}) {
      const nlohmann::json row = row_of(with({"1 2 3 0", "--heuristic", heuristic}, options));
      EXPECT_EQ(row["status"], "solved");
      EXPECT_EQ(row["length"], 0);
      EXPECT_EQ(row["moves"], "");
      EXPECT_EQ(row["optimal"], true);
      EXPECT_EQ(row["verified"], true);
      EXPECT_EQ(row["lower_bound"], 0);
      EXPECT_EQ(row["upper_bound"], 0);
      EXPECT_TRUE(row["incumbent"].is_null());
    }
  }
  const Finished seen = tessera({"solve", "1 2 3 0", "--engine", "beam", "--quiet"});
  EXPECT_EQ(seen.out, "1: 0 moves, optimal, verified: \n");
}

TEST(Beam, ProofFromBelowEndsBelowTheIncumbent) {
  const std::vector<std::string> options{"--set", "korf100:12", "--heuristic", "manhattan"};
  const nlohmann::json plain = row_of(options);
  const auto incumbent = with(options, {"--incumbent", "beam:100000"});
  for (const char* const threads : {"1", "2"}) {
    const nlohmann::json proven = row_of(with(incumbent, {"--threads", threads}));
    EXPECT_EQ(proven["length"], 45);
    EXPECT_EQ(proven["optimal"], true);
    EXPECT_EQ(proven["lower_bound"], 45);
    EXPECT_EQ(proven["upper_bound"], 45);
    ASSERT_EQ(proven["iterations"].size(), plain["iterations"].size() - 1);
    EXPECT_EQ(proven["iterations"].back()["bound"], 43);
    EXPECT_EQ(proven["iterations"].back()["expanded"],
              plain["iterations"][proven["iterations"].size() - 1]["expanded"]);
  }
  EXPECT_TRUE(plain["incumbent"].is_null());
  EXPECT_EQ(plain["lower_bound"], 45);
}

TEST(Beam, ALimitLeavesAVerifiedSolutionAndABound) {
  const auto options = with(hard, {"--incumbent", "beam:300", "--node-limit", "300000"});
  const nlohmann::json row = row_of(options, 4);
  EXPECT_EQ(row["status"], "limit");
  EXPECT_EQ(row["optimal"], false);
  EXPECT_EQ(row["verified"], true);
  EXPECT_EQ(row["upper_bound"], row["length"]);
  EXPECT_LT(row["lower_bound"], row["upper_bound"]);
  const TemporaryFile file(row.dump() + "\n");
  EXPECT_EQ(tessera({"verify", file.path()}).code, 0);
  nlohmann::json wrong = row;
  wrong["length"] = 7;
  const TemporaryFile false_file(wrong.dump() + "\n");
  EXPECT_EQ(tessera({"verify", false_file.path()}).code, 1);

  const Finished seen = tessera(with({"solve"}, options));
  EXPECT_EQ(seen.code, 4);
  const std::string bracket = "1: at most " + std::to_string(row["length"].get<int>()) + " moves, ";
  EXPECT_NE(seen.err.find(bracket + "at least "), std::string::npos) << seen.err;
  EXPECT_NE(seen.out.find(bracket), std::string::npos) << seen.out;
}

TEST(Beam, WithoutIncumbentALimitLeavesTheLowerBoundAlone) {
  const nlohmann::json row =
      row_of(with(hard, {"--incumbent", "none", "--node-limit", "300000"}), 4);
  EXPECT_TRUE(row["upper_bound"].is_null());
  EXPECT_TRUE(row["length"].is_null());
  EXPECT_GT(row["lower_bound"], 50);
}

TEST(Beam, AResumedSearchRepeatsNoFinishedWidth) {
  const TemporaryFolder folder;
  const std::string checkpoint = folder.text() + "/checkpoint";
  const auto options = with(
      hard, {"--incumbent", "beam:300", "--checkpoint", checkpoint, "--resume", "--node-limit"});
  const nlohmann::json first = row_of(with(options, {"100000"}), 3);
  const nlohmann::json second = row_of(with(options, {"3000000"}), 3);
  EXPECT_EQ(second["moves"], first["moves"]);
  EXPECT_EQ(second["incumbent"]["seconds"], first["incumbent"]["seconds"]);
  EXPECT_GE(second["lower_bound"], first["lower_bound"]);
  const std::string kept = content_of(checkpoint);
  EXPECT_EQ(kept.find("beam 0 300 "), kept.rfind("beam 0 300 "));
}

TEST(Beam, AResumedSearchShowsTheIncumbentOfAnEarlierRun) {
  const TemporaryFolder folder;
  const auto options = with(hard, {"--checkpoint", folder.text() + "/checkpoint", "--resume",
                                   "--node-limit", "100000", "--prune", "parent"});
  const nlohmann::json first = row_of(with(options, {"--incumbent", "beam:300"}), 3);
  ASSERT_TRUE(first["length"].is_number());
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--incumbent", "none"}, {"--finish-iteration"}}) {
    const nlohmann::json second = row_of(with(options, more), 3);
    for (const char* const field : {"length", "moves", "upper_bound", "incumbent", "verified"}) {
      EXPECT_EQ(second[field], first[field]) << field << " " << more[0];
    }
    EXPECT_EQ(second["optimal"], false);
  }
}

TEST(Beam, AnAnswerThatTheIncumbentWasIsKeptAndItsBoundCanBeSearchedLater) {
  const TemporaryFolder folder;
  const std::vector<std::string> options{"--set", "korf100:12", "--heuristic", "manhattan"};
  const auto kept = with(options, {"--checkpoint", folder.text() + "/checkpoint", "--resume"});
  const nlohmann::json first = row_of(with(kept, {"--incumbent", "beam:100000"}));
  const nlohmann::json again = row_of(with(kept, {"--incumbent", "beam:100000"}));
  EXPECT_EQ(first["optimal"], true);
  for (const char* const field : {"moves", "optimal", "lower_bound", "iterations", "incumbent"}) {
    EXPECT_EQ(again[field], first[field]) << field;
  }
  const nlohmann::json whole = row_of(with(kept, {"--finish-iteration"}));
  EXPECT_EQ(whole["nodes"], row_of(with(options, {"--finish-iteration"}))["nodes"]);
}

// Nor does the kernel matter.
TEST(Beam, BoardsThatNeedNoSearchNeedNone) {
  const std::string unsolvable = "2 1 3 4 5 6 7 8 0";
  EXPECT_EQ(row_of({unsolvable, "--kernel", "block", "--heuristic", "manhattan"})["status"],
            "unsolvable");
  for (const char* kernel : {"block", "bucket"}) {
    EXPECT_EQ(row_of({"1 2 3 4 5 6 7 8 0", "--kernel", kernel, "--heuristic", "walking"})["length"],
              0);
  }
  const std::string solved = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 0";
  EXPECT_EQ(row_of({solved, "--size", "9x2", "--metric", "multi", "--engine", "beam", "--heuristic",
                    "runs"})["length"],
            0);
  // Nor the memory of a beam.
  for (const char* command : {"solve", "estimate"}) {
    EXPECT_EQ(tessera({command, "1 2 3 4 5 6 7 8 0", "--incumbent", "beam:1000000000"}).code, 0)
        << command;
  }
}

TEST(Beam, IsRefusedWhereOptionsExcludeIt) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--all"},
                                             {"--finish-iteration"},
                                             {"--metric", "multi", "--all"},
                                             {"--bounds", "independent"},
                                             {"--engine", "astar"},
                                             {"--batch", "boards"},
                                             {"--incumbent", "beam:0"},
                                             {"--incumbent", "beam"},
                                             {"--incumbent", "bean"}}) {
    const Finished run =
        tessera(with({"solve", "--set", "haskell:1", "--incumbent", "beam:10"}, options));
    EXPECT_EQ(run.code, 2) << options[0];
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
  EXPECT_EQ(tessera({"solve", "--set", "haskell:1", "--engine", "beam", "--all"}).code, 2);
}

TEST(Beam, GivesLargeBoardsABracketInMetricMulti) {
  const nlohmann::json row = row_of({"--set", "korf50:1", "--metric", "multi", "--heuristic",
                                     "runs", "--incumbent", "beam:500", "--node-limit", "100000"},
                                    4);
  EXPECT_EQ(row["verified"], true);
  EXPECT_EQ(row["lengths"]["multi"], row["upper_bound"]);
  EXPECT_LT(row["lower_bound"], row["upper_bound"]);
}

TEST(Beam, AWidthBeyondTheMemoryIsRefusedWithTheFigure) {
  const Finished run =
      tessera(with({"solve", "--incumbent", "beam:100000000", "--memory", "1GiB", "--threads", "1"},
                   korf50_first));
  EXPECT_EQ(run.code, 5);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("GiB on each rank"), std::string::npos) << run.err;

  // Of a later board, before the first one is searched.
  const TemporaryFile boards("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n" +
                             tessera({"generate", "8x8", "--seed", "1"}).out);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"--dry-run"}}) {
    const auto with_memory = [&](const char* memory) {
      return tessera(
          with({"solve", "--incumbent", "beam:200000", "--file", boards.path(), "--heuristic",
                "manhattan", "--threads", "1", "--memory", memory, "--node-limit", "1000"},
               more));
    };
    const Finished refused = with_memory("100MiB");
    EXPECT_EQ(refused.code, 5);
    EXPECT_EQ(refused.out, "");
    ASSERT_EQ(complaints(refused.err).size(), 1U) << refused.err;
    EXPECT_NE(refused.err.find("MiB on each rank"), std::string::npos) << refused.err;
  }
}

TEST(Beam, SidesThatItDoesNotSupportAreRefusedBeforeTheFirstSearch) {
  const TemporaryFile boards("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n" +
                             tessera({"generate", "9x2", "--seed", "1"}).out);
  const std::vector<std::string> multi{"solve", "--file",      boards.path(), "--metric",
                                       "multi", "--heuristic", "runs"};
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--engine", "beam"}, {"--engine", "beam", "--dry-run"}, {"--incumbent", "beam:10"}}) {
    expect_refused(tessera(with(multi, options)), "sides of at most 8, the board has 9x2");
  }
}

}  // namespace
}  // namespace tessera::cli
