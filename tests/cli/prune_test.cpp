// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "signature.hpp"

namespace tessera::cli {
namespace {

// 44 moves from its goal: beyond 16 cells, and easy without tables.
constexpr const char* pruned_board = "7 3 4 5 10 0 2 15 16 8 6 1 17 14 19 12 13 11 9 18";

Finished solve(const TemporaryFolder& folder, const std::vector<std::string>& options) {
  return tessera(with({"solve", pruned_board, "--size", "5x4", "--heuristic", "linear-conflict",
                       "--pdb-dir", folder.text(), "--quiet", "--json", "-"},
                      options));
}

nlohmann::json row_of(const Finished& run) {
  EXPECT_EQ(run.code, 0) << run.err;
  return json_lines(run.out).at(0);
}

TEST(Prune, AutoLeavesOutDuplicatesBeyond16CellsOnly) {
  const TemporaryFolder folder;
  const auto automatic = row_of(solve(folder, {"--incumbent", "none"}));
  const auto parent = row_of(solve(folder, {"--incumbent", "none", "--prune", "parent"}));
  EXPECT_EQ(automatic["length"], parent["length"]);
  EXPECT_LT(automatic["nodes"]["expanded"], parent["nodes"]["expanded"]);
  // Where every node or every solution counts it is parent.
  for (const char* option : {"--finish-iteration", "--all"}) {
    EXPECT_EQ(signature(row_of(solve(folder, {option}))),
              signature(row_of(solve(folder, {option, "--prune", "parent"}))))
        << option;
  }
  // 4x4, too.
  const auto of_4x4 = [](const std::vector<std::string>& options) {
    return signature(
        row_of(tessera(with({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                             "--backend", "serial", "--quiet", "--json", "-"},
                            options))));
  };
  EXPECT_EQ(of_4x4({}), of_4x4({"--prune", "parent"}));
}

TEST(SearchFrom, TheGoalFindsSolutionsOfTheSameLength) {
  const auto row_with = [](const std::vector<std::string>& options) {
    return row_of(tessera(with({"solve", "--quiet", "--json", "-", "--threads", "2"}, options)));
  };
  const std::vector<std::vector<std::string>> boards{
      {"8 6 7 2 5 4 3 0 1"},
      {"8 6 7 2 5 4 3 0 1", "--metric", "multi"},
      {"6 8 7 2 5 4 3 0 1", "--goal", "spiral"},
      {pruned_board, "--size", "5x4", "--heuristic", "linear-conflict"},
      {pruned_board, "--size", "5x4", "--heuristic", "pairwise", "--incumbent", "none"},
      {"--set", "korf100:12", "--heuristic", "pdb:5-5-5", "--finish-iteration"}};
  for (const std::vector<std::string>& board : boards) {
    const auto from_start = row_with(board);
    EXPECT_FALSE(from_start.contains("search_from"));
    const auto from_goal = row_with(with(board, {"--search-from", "goal"}));
    EXPECT_EQ(from_goal["search_from"], "goal");
    EXPECT_EQ(from_goal["length"], from_start["length"]) << board.front();
    EXPECT_TRUE(from_goal["verified"]);
    EXPECT_NE(from_goal["nodes"], from_start["nodes"]);
    if (board[0] == "--set") {
      const auto serial = row_with(with(board, {"--search-from", "goal", "--backend", "serial"}));
      EXPECT_EQ(serial["nodes"], from_goal["nodes"]);
    }
  }
  for (const char* option : {"--all", "--good-moves", "--engine=astar", "--record=work"}) {
    EXPECT_EQ(tessera({"solve", "8 6 7 2 5 4 3 0 1", "--search-from", "goal", option}).code, 2);
  }
}

// One of these boards has the larger tree from each end.
TEST(SearchFrom, AutoTakesTheSmallerTreeOfEachBoard) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/boards";
  std::ofstream(path) << "21 13 35 12 23 4 16 31 17 34 26 3 18 24 9 6 33 1 30 32 11 28 22 27 20 7 "
                         "19 8 10 15 2 25 29 0 14 5\n29 20 5 23 6 17 24 0 3 35 21 25 2 15 11 19 14 "
                         "1 13 27 32 28 33 30 22 18 4 16 26 9 12 8 7 31 34 10\n";
  const auto rows_of = [&](const std::vector<std::string>& arguments) {
    return json_lines(
        tessera(with(arguments, {"--file", path, "--threads", "2", "--quiet", "--json", "-"})).out);
  };
  for (const char* batch : {"tree", "auto"}) {  // after one worker has tried, with auto
    const auto rows =
        rows_of({"solve", "--incumbent", "none", "--batch", batch, "--node-limit", "5000000"});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_FALSE(rows[0].contains("search_from")) << batch;
    EXPECT_TRUE(rows[1].contains("search_from")) << batch;
  }
  const auto estimates = rows_of({"estimate", "--sample", "1000"});
  ASSERT_EQ(estimates.size(), 2U);
  EXPECT_FALSE(estimates[0].contains("search_from"));
  EXPECT_EQ(estimates[1]["search_from"], "goal");
}

TEST(Prune, MirrorSearchesOneHalfOfASymmetricBoard) {
  const auto row_with = [](const std::string& rule, const std::vector<std::string>& backend) {
    const Finished run =
        tessera(with({"solve", "0 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1", "--prune", rule, "--quiet",
                      "--json", "-", "--heuristic", "manhattan", "--node-limit", "100000"},
                     backend));
    return json_lines(run.out).at(0);
  };
  // The bounds that the limit lets end.
  const auto expanded = [](const nlohmann::json& row) {
    std::vector<std::uint64_t> counts;
    for (const auto& bound : row["iterations"]) {
      if (bound["complete"]) counts.push_back(bound["expanded"]);
    }
    return counts;
  };
  const auto whole = expanded(row_with("parent", {"--backend", "serial"}));
  const auto row = row_with("parent+mirror", {"--backend", "serial"});
  EXPECT_EQ(row["prune"], "parent+mirror");
  const auto half = expanded(row);
  ASSERT_GE(whole.size(), 4U);
  ASSERT_GE(half.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(2 * (half[i] - 1), whole[i] - 1);
  // Another kernel takes the bucket kernel's place.
  EXPECT_EQ(expanded(row_with("parent+mirror", {"--backend", "serial", "--kernel", "bucket"})),
            half);
}

TEST(Prune, MirrorChangesNothingOnOtherBoards) {
  const auto signature_with = [](const std::string& rule) {
    return signature(row_of(tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                                     "--kernel", "bucket", "--prune", rule, "--backend", "serial",
                                     "--finish-iteration", "--quiet", "--json", "-"})));
  };
  EXPECT_EQ(signature_with("parent+mirror"), signature_with("parent"));
}

TEST(Prune, ADeepAutomatonIsKeptBesideTheTables) {
  const TemporaryFolder folder;
  const auto built = row_of(solve(folder, {"--prune", "fsm:13"}));
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"automaton-5x4-d-0.pdb"});
  const std::string path = (folder.path() / "automaton-5x4-d-0.pdb").string();
  (void)folder.file(".automaton-5x4-d-0.pdb.lock", "process 1 on nowhere\n");  // of a killed build
  EXPECT_EQ(signature(row_of(solve(folder, {"--prune", "fsm:13"}))), signature(built));
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"automaton-5x4-d-0.pdb"});
  EXPECT_EQ(tessera({"pdb", "verify", path}).code, 0);
  const Finished listed = tessera({"pdb", "list", "--pdb-dir", folder.text()});
  EXPECT_NE(listed.out.find("--prune fsm:13"), std::string::npos) << listed.out;
}

TEST(Prune, ADamagedAutomatonIsRebuilt) {
  const TemporaryFolder folder;
  const auto built = row_of(solve(folder, {"--prune", "fsm:13"}));
  const std::string path = (folder.path() / "automaton-5x4-d-0.pdb").string();
  const std::string whole = content_of(path);
  std::string flipped = whole;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  (void)row_of(solve(folder, {"--prune", "fsm:14"}));
  const std::string other = content_of((folder.path() / "automaton-5x4-e-0.pdb").string());
  for (const std::string& damaged :
       {flipped, whole.substr(0, whole.size() / 2), std::string(), other}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_EQ(signature(row_of(solve(folder, {"--prune", "fsm:13"}))), signature(built));
    EXPECT_EQ(content_of(path), whole);
  }
}

TEST(Prune, AFolderThatCannotBeWrittenDoesNotMatter) {
  const TemporaryFolder folder;
  const std::string file = folder.file("file", "");
  const Finished run =
      tessera({"solve", pruned_board, "--size", "5x4", "--heuristic", "linear-conflict", "--prune",
               "fsm:13", "--pdb-dir", file + "/tables", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Prune, CountsAreEqualOverBackends) {
  const TemporaryFolder folder;
  const auto counts = [&](const std::vector<std::string>& options) {
    return signature(
        row_of(solve(folder, with(options, {"--prune", "fsm:14", "--finish-iteration"}))));
  };
  const auto serial = counts({"--backend", "serial"});
  EXPECT_EQ(counts({"--threads", "3", "--frontier", "200"}), serial);
  EXPECT_EQ(counts({"--threads", "2", "--schedule", "dynamic"}), serial);
}

TEST(Prune, TheRuleIsCheckedBeforeTheSearch) {
  EXPECT_EQ(tessera({"solve", "--set", "haskell:8", "--prune", "fsm:1"}).code, 2);
  EXPECT_EQ(tessera({"solve", "--set", "haskell:8", "--prune", "child"}).code, 2);
  EXPECT_EQ(tessera({"solve", "--set", "haskell:8", "--prune", "fsm:8", "--all"}).code, 2);
  EXPECT_EQ(tessera({"solve", "--set", "korf50:1", "--prune", "fsm:21"}).code, 2);
}

}  // namespace
}  // namespace tessera::cli
