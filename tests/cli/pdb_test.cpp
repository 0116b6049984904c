// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "small_disk.hpp"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const TemporaryFolder& folder) {
  std::vector<fs::path> files(fs::directory_iterator(folder.path()), fs::directory_iterator{});
  std::sort(files.begin(), files.end());
  return files;
}

Finished build(const TemporaryFolder& folder, const std::string& partition) {
  return tessera({"pdb", "build", "--size", "4x4", "--partition", partition, "--goal", "first",
                  "--pdb-dir", folder.text()});
}

Finished solve_with(const TemporaryFolder& folder, const std::string& heuristic) {
  return tessera({"solve", "--set", "korf100:12", "--heuristic", heuristic, "--pdb-dir",
                  folder.text(), "--quiet"});
}

TEST(Pdb, ListsTheColoringOfTablesOfMetricMulti) {
  const TemporaryFolder folder;
  const auto build = [&](const char* size) {
    return tessera(
        {"pdb", "build", "--size", size, "--metric", "multi", "--pdb-dir", folder.text()});
  };
  EXPECT_EQ(build("6x3").code, 0);
  EXPECT_EQ(build("3x3").code, 0);
  const std::string list = tessera({"pdb", "list", "--pdb-dir", folder.text()}).out;
  const auto row = [&](const char* file) {
    const std::size_t begin = list.find(file);
    return begin == std::string::npos ? "" : list.substr(begin, list.find('\n', begin) - begin);
  };
  EXPECT_TRUE(row("lines-3x3-1-").ends_with("colored in quarters")) << list;
  EXPECT_TRUE(row("lines-3x3-2-").ends_with("colored in a spiral")) << list;
  EXPECT_TRUE(row("lines-6x3-3-").ends_with("colored in blocks on the left")) << list;
  EXPECT_TRUE(row("lines-6x3-4-").ends_with("colored in blocks on the right")) << list;
  EXPECT_TRUE(row("lines-6x3-5-").ends_with("two colors by rows, 6 of 17 tiles")) << list;
  EXPECT_TRUE(row("lines-6x3-10-").ends_with("two colors by falling diagonals, 10 of 17 tiles"))
      << list;
  const Finished none = build("7x6");
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.err, "no tables: heuristic runs needs none on 7x6\n");
}

TEST(Pdb, BuildsListsAndVerifies) {
  const TemporaryFolder folder;
  const Finished first = build(folder, "4-4-4-3");
  EXPECT_EQ(first.code, 0);
  EXPECT_NE(first.out.find("built "), std::string::npos);
  EXPECT_NE(build(folder, "4-4-4-3").out.find("exists "), std::string::npos);
  EXPECT_NE(build(folder, "pdb:4-4-4-3").out.find("exists "), std::string::npos);
  std::vector<std::string> verify{"pdb", "verify"};
  for (const fs::path& file : files_of(folder)) {
    EXPECT_EQ(file.extension(), ".pdb") << "left over: " << file;
    verify.push_back(file);
  }
  EXPECT_EQ(tessera(verify).code, 0);
  const Finished list = tessera({"pdb", "list", "--pdb-dir", folder.text()});
  EXPECT_EQ(list.code, 0);
  EXPECT_NE(list.out.find(files_of(folder).at(0).filename().string()), std::string::npos);
  const auto json = json_lines(
      tessera({"pdb", "list", "--pdb-dir", folder.text(), "--quiet", "--json", "-"}).out);
  ASSERT_EQ(json.size(), 1U);
  ASSERT_EQ(json[0]["tables"].size(), files_of(folder).size());
  EXPECT_EQ(json[0]["tables"][0]["file"], files_of(folder).at(0).filename().string());
  EXPECT_EQ(json[0]["tables"][0]["bytes"], fs::file_size(files_of(folder).at(0)) - 4096);
  EXPECT_EQ(tessera({"pdb", "verify", files_of(folder).at(0), "--json", "-"}).code, 2);
  EXPECT_EQ(solve_with(folder, "pdb:4-4-4-3").code, 0);
}

// Searches of boards beyond 16 cells take both.
TEST(Pdb, BuildsTheAutomatonWithTheTables) {
  const TemporaryFolder folder;
  const std::vector<std::string> build{"pdb",         "build",   "--size",    "6x3",
                                       "--partition", "4-4-4-5", "--pdb-dir", folder.text()};
  const Finished first = tessera(build);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("/automaton-6x3-"), std::string::npos) << first.out;
  const std::vector<fs::path> files = files_of(folder);
  EXPECT_NE(tessera(build).out.find("exists " + files.back().string()), std::string::npos);
  const Finished solved =
      tessera({"solve", "--size", "6x3", "--heuristic", "pdb:4-4-4-5", "--pdb-dir", folder.text(),
               "--quiet", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 17"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(files_of(folder), files);
}

// Another program takes the room that was there when it began.
TEST(Pdb, ADiskThatFillsUpWhileATableIsBuiltIsCodeFive) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "no file system can be mounted here";
  Running running({tessera_program, "pdb", "build", "--size", "5x2", "--partition", "9",
                   "--pdb-dir", disk.path()});
  wait_until([&] { return !disk.folder().entries().empty(); });  // its lock
  running.signal(SIGSTOP);
  disk.fill(1 << 20);
  running.signal(SIGCONT);
  const Finished full = running.wait();
  EXPECT_EQ(full.code, 5);
  ASSERT_EQ(complaints(full.err).size(), 1U) << full.err;
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
  EXPECT_EQ(disk.folder().entries(), std::vector<std::string>{"filler"});
}

TEST(Pdb, ADiskWithoutRoomForAllTablesGetsNone) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "no file system can be mounted here";
  disk.fill(4 << 20);  // each of them would fit
  const Finished full =
      tessera({"pdb", "build", "--size", "4x4", "--partition", "6-6-3", "--pdb-dir", disk.path()});
  EXPECT_EQ(full.code, 5);
  EXPECT_EQ(disk.folder().entries(), std::vector<std::string>{"filler"});
  const Finished search = tessera({"solve", "--set", "korf100:12", "--heuristic", "pdb:6-6-3",
                                   "--pdb-dir", disk.path(), "--quiet"});
  EXPECT_EQ(search.err, full.err);
}

TEST(Pdb, OneTableServesBothCorners) {
  const TemporaryFolder folder;
  ASSERT_EQ(build(folder, "4-4-4-3").code, 0);
  const std::size_t count = files_of(folder).size();
  const Finished last = tessera({"pdb", "build", "--size", "4x4", "--partition", "4-4-4-3",
                                 "--goal", "last", "--pdb-dir", folder.text()});
  EXPECT_EQ(last.code, 0);
  EXPECT_LE(files_of(folder).size(), 2 * count);
}

TEST(Pdb, BuildsTablesForSearchesFromTheGoal) {
  const TemporaryFolder folder;
  const Finished run = tessera({"pdb", "build", "--size", "3x3", "--partition", "4-4",
                                "--search-from", "goal", "--pdb-dir", folder.text()});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto before = files_of(folder);
  EXPECT_GT(before.size(), 2U);
  for (const char* board : {"1 2 3 4 0 5 6 7 8", "8 0 6 5 4 7 2 3 1", "0 8 7 6 5 4 3 2 1"}) {
    EXPECT_EQ(tessera({"solve", board, "--heuristic", "pdb:4-4", "--search-from", "goal",
                       "--pdb-dir", folder.text(), "--quiet"})
                  .code,
              0);
  }
  EXPECT_EQ(files_of(folder), before);
  const Finished both = tessera({"pdb", "build", "--size", "3x3", "--partition", "4-4", "--goal",
                                 "first", "--search-from", "goal"});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(tessera({"pdb", "build", "--size", "3x3", "--partition", "{1,2,3,4}{5,6,7,8}",
                     "--search-from", "goal"})
                .code,
            2);
}

TEST(Pdb, AListNamesADamagedTable) {
  const TemporaryFolder folder;
  ASSERT_EQ(build(folder, "4-4-4-3").code, 0);
  overwrite(files_of(folder).back(), "");
  const Finished run = tessera({"pdb", "list", "--pdb-dir", folder.text()});
  EXPECT_EQ(run.code, 6);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("is not a table of tessera"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("bad\n"), std::string::npos) << run.out;
}

TEST(Pdb, AListNamesATableWithTheNameOfAnother) {
  const TemporaryFolder folder;
  tessera({"pdb", "build", "--size", "2x2", "--partition", "2-1", "--pdb-dir", folder.text()});
  const std::filesystem::path table = *std::filesystem::directory_iterator(folder.text());
  std::filesystem::copy_file(table, folder.text() + "/additive-2x2-1-2.pdb");
  const Finished list = tessera({"pdb", "list", "--pdb-dir", folder.text(), "--json", "-"});
  EXPECT_EQ(list.code, 6);
  EXPECT_NE(list.err.find("holds the table " + table.filename().string() + ", expected that name"),
            std::string::npos)
      << list.err;
}

TEST(Pdb, ADamagedTableIsCodeSixAndNeverAnAnswer) {
  const TemporaryFolder folder;
  ASSERT_EQ(build(folder, "4-4-4-3").code, 0);
  const fs::path file = files_of(folder).back();
  const std::string good = content_of(file);
  const auto expect_refused = [&](const std::string& what) {
    for (const Finished& run :
         {solve_with(folder, "pdb:4-4-4-3"), tessera({"pdb", "verify", file.string()})}) {
      EXPECT_EQ(run.code, 6) << what;
      EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
      EXPECT_EQ(run.out, "") << what;
    }
  };
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{40}, good.size() / 2, good.size() - 1}) {
    overwrite(file, good.substr(0, length));
    expect_refused("truncated to " + std::to_string(length));
  }
  for (const std::size_t at : {std::size_t{9}, std::size_t{17}, std::size_t{4096 + 100}}) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    overwrite(file, flipped);
    expect_refused("a bit at " + std::to_string(at));
  }
  overwrite(file, content_of(files_of(folder).front()));
  expect_refused("another pattern's");
  overwrite(file, good);
  EXPECT_EQ(solve_with(folder, "pdb:4-4-4-3").code, 0);
}

TEST(Pdb, AFolderThatCannotBeWrittenIsCodeTwo) {
  const TemporaryFile no_folder("a file");
  const Finished run = tessera({"solve", "--set", "korf100:12", "--heuristic", "pdb:4-4-4-3",
                                "--pdb-dir", no_folder.path() + "/tables"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_EQ(tessera({"pdb", "build", "--size", "3x3", "--partition", "4-4", "--pdb-dir",
                     no_folder.path()})
                .code,
            2);
  // Left to itself the solver does without.
  EXPECT_EQ(
      tessera({"solve", "--set", "korf100:12", "--pdb-dir", no_folder.path() + "/tables"}).code, 0);
  // What could never fit is said before anything is made.
  const Finished large = tessera({"pdb", "build", "--size", "5x5", "--partition", "12-12"});
  EXPECT_EQ(large.code, 5);
}

TEST(Pdb, BadPartitionsAreCodeTwo) {
  const TemporaryFolder folder;
  EXPECT_EQ(tessera({"pdb", "build", "--size", "9x2", "--partition", "4-4-4-5", "--pdb-dir",
                     folder.text()})
                .code,
            2);
  for (const char* partition : {"7-7", "7-8-", "seven", "{1,2,3}{4,5}", "{1,1}", "{1,16}", ""}) {
    const Finished run = build(folder, partition);
    EXPECT_EQ(run.code, 2) << partition;
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
  EXPECT_EQ(tessera({"pdb", "make"}).code, 2);
  EXPECT_EQ(tessera({"pdb", "build", "--size", "4x4"}).code, 2);
  EXPECT_EQ(tessera({"pdb", "verify"}).code, 2);
  EXPECT_TRUE(files_of(folder).empty());
}

// docs/algorithms.md, What auto chooses; docs/decisions/0018 and 0025.
TEST(Pdb, AutoBuildsTablesThatPayAtOnce) {
  const TemporaryFolder folder;
  for (const auto& [size, heuristic] : {std::pair{"4x2", "manhattan"},
                                        {"6x2", "pdb:6-5"},
                                        {"2x7", "pdb:6-6-1"},
                                        {"5x3", "pdb:6-6-2"},
                                        {"4x4", "pdb:5-5-5"},
                                        {"9x2", "linear-conflict"},
                                        {"6x3", "pdb:6-6-5"},
                                        {"9x3", "linear-conflict"},
                                        {"6x5", "pairwise"},
                                        {"6x6", "pairwise"}}) {
    const Finished boards = tessera({"generate", "--size", size, "--scramble", "8"});
    const Finished run =
        tessera({"solve", "--file", "-", "--quiet", "--json", "-", "--pdb-dir", folder.text()},
                {.input = boards.out});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json_lines(run.out).at(0)["heuristic"], heuristic) << size;
  }
  // The tables of 6-6-3 fit into half of both, but the search thread needs 48 MiB, too.
  for (const auto& [memory, heuristic] :
       {std::pair{"53MiB", "pdb:5-5-5"}, {"58MiB", "pdb:6-6-3"}}) {
    const Finished run =
        tessera({"solve", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", "--size", "8x2", "--memory",
                 memory, "--threads", "1", "--quiet", "--json", "-", "--pdb-dir", folder.text()});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json_lines(run.out).at(0)["heuristic"], heuristic) << memory;
  }
  const Finished without = tessera({"solve", "1 2 3 4 5 6 7 8 9 0 10 11", "--size", "6x2",
                                    "--quiet", "--json", "-", "--pdb-dir", "/proc"});
  EXPECT_EQ(json_lines(without.out).at(0)["heuristic"], "manhattan") << without.err;
}

// The patterns follow the shorter side: a board and its transposed image need the same number of
// nodes.
TEST(Pdb, PartitionsAreCompactOnWideAndOnTallBoards) {
  const TemporaryFolder folder;
  const auto nodes = [&](const char* size, const char* board) {
    const Finished run =
        tessera({"solve", board, "--size", size, "--heuristic", "pdb:6-6-1", "--finish-iteration",
                 "--backend", "serial", "--quiet", "--json", "-", "--pdb-dir", folder.text()});
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out).at(0)["nodes"]["expanded"].get<std::uint64_t>();
  };
  EXPECT_EQ(nodes("7x2", "1 4 12 11 5 2 8 0 7 10 6 13 3 9"),
            nodes("2x7", "1 0 7 13 10 6 8 11 9 12 3 5 2 4"));
}

// Also if each worker solves its own board.
TEST(Pdb, BuildingTablesIsSetup) {
  for (const char* batch : {"tree", "boards"}) {
    const TemporaryFolder folder;
    const Finished run =
        tessera({"solve", "--set", "korf100:79,42", "--heuristic", "pdb:6-6-3", "--batch", batch,
                 "--threads", "2", "--quiet", "--json", "-", "--pdb-dir", folder.text()});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto rows = json_lines(run.out);
    EXPECT_GT(rows.at(0)["setup_seconds"], 0.01) << batch;
    // The second board uses the same tables. A ratio holds on a slow machine, too.
    EXPECT_LT(rows.at(1)["setup_seconds"].get<double>(),
              rows.at(0)["setup_seconds"].get<double>() / 2)
        << batch;
  }
}

TEST(Pdb, APictureNamesThePatterns) {
  const TemporaryFolder folder;
  const TemporaryFile picture("# goal first\n. a a a\n a b b b\nb b c c\nc c c c\n");
  const Finished run = build(folder, picture.path());
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(solve_with(folder, "pdb:" + picture.path()).code, 0);
}

TEST(Pdb, SolutionsAreOptimalWithEveryHeuristic) {
  const TemporaryFolder folder;
  for (const char* heuristic :
       {"pdb:4-4-4-3", "max(pdb:4-4-4-3,walking)", "max(pdb:4-4-4-3,linear-conflict)", "walking",
        "inversion", "pairwise", "max(inversion,manhattan)"}) {
    for (const char* prune : {"parent", "fsm:10"}) {
      const Finished run = tessera({"solve", "--set", "korf100:12", "--heuristic", heuristic,
                                    "--prune", prune, "--pdb-dir", folder.text(), "--quiet"});
      EXPECT_EQ(run.code, 0) << heuristic;
      EXPECT_TRUE(run.out.starts_with("12: 45 moves, optimal, verified")) << run.out;
    }
  }
}

}  // namespace
}  // namespace tessera::cli
