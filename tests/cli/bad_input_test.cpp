// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(BadInput, OnTheCommandLine) {
  const std::string board = "1 2 3 4 5 6 7 0 8";
  const TemporaryFolder folder;
  const std::string missing = folder.text() + "/missing";
  struct Case {
    std::vector<std::string> arguments;
    std::string expected;
  };
  for (const Case& c : {
           Case{{"solve", "1 2 3 4 5 6 7 8 8"}, "tile 8 appears twice"},
           Case{{"solve", "1 2 3 4 5 6 7 8 10"}, "tile 10 is out of range"},
           Case{{"solve", "1 2 3 4 5 6 7 8"}, "8 tiles"},
           Case{{"solve", "1 2 3 4 5 6 7 8 9 0"}, "10 tiles"},
           Case{{"solve", "1 2 3 4 5 6 seven 0 8"}, "'seven' is not a number"},
           Case{{"solve", ""}, "no tiles"},
           Case{{"solve", "1,2, ,0"}, "tile 0 appears twice"},
           Case{{"solve", "1 2 3 -0"}, "'-0' is not a number"},
           Case{{"compare", board, "--heuristics", "manhattan,manhatan"},
                "did you mean manhattan?"},
           Case{{"compare", board, "--workers", "5000"}, "--workers: '5000' is not valid"},
           Case{{"compare", board, "--workers", "4", "--threads", "1,2"},
                "--workers and --threads exclude each other, expected one of them"},
           Case{{"solve", "--file", "-", "--stream", "--summary", "-"},
                "--stream: rows and --summary - both use standard output"},
           Case{{"solve", board, "--json", "same.txt", "--trace", "./same.txt"},
                "--trace: ./same.txt is also --json"},
           Case{{"solve", board, "--size", "4x4"}, "9 tiles, expected 16"},
           Case{{"solve", board, "--size", "9x9"}, "--size: size '9x9'"},
           Case{{"solve", board, "--goal", "middle"}, "goal 'middle' is unknown"},
           Case{{"solve", board, "--goal", "1 2 3 0"}, "4 tiles, expected 9"},
           Case{{"solve", board, "--threads", "-1"}, "--threads: '-1' is not valid"},
           Case{{"solve", board, "--threads", "two"}, "--threads: 'two' is not valid"},
           Case{{"solve", board, "--heuristic", "manhatan"}, "did you mean manhattan?"},
           Case{{"solve", board, "--heuristic", "xyzzy"}, "expected one of auto zero"},
           Case{{"solve", board, "--heuristic", "max(auto,manhattan)"},
                "heuristic auto stands alone, expected named heuristics in 'max(auto,manhattan)'"},
           Case{{"solve", "--set", "korf50:1", "--heuristic", "pdb:smal"},
                "partition 'smal' is unknown, did you mean small?"},
           Case{{"solve", "--set", "korf50:1", "--heuristic", "max(pdb:smal,manhattan)"},
                "partition 'smal' is unknown, did you mean small?"},
           Case{{"pdb", "build", "--size", "5x5", "--partition", "lrage"}, "did you mean large?"},
           Case{{"pdb", "build", "--size", "5x5", "--partition", "pdb:lrage"},
                "did you mean large?"},
           Case{{"pdb", "build", "--size", "5x5", "--partition", "xyzzy"},
                "partition 'xyzzy' is unknown, expected small, medium, large, huge, sizes such as"},
           Case{{"pdb", "build", "--size", "5x5", "--partition", std::string(300, 'a')},
                "is unknown, expected small, medium"},
           Case{{"pdb", "build", "4x4"}, "'4x4' is not expected, write such as --size 4x4"},
           Case{{"generate", "3x3", "5"}, "'5' is not expected, the number of boards is --count N"},
           Case{{"solve", board, "--memory", "8XB"},
                "expected a number and a unit such as 512MiB, 8GiB or 8GB"},
           Case{{"solve", board, "--time", "5"}, "did you mean --time-limit?"},
           Case{{"pdb", "buid"}, "pdb: 'buid' is unknown, did you mean build?"},
           Case{{"pdb", "list", "--partition", "7-8"}, "--partition is for pdb build"},
           Case{{"solve", board, "--memory", "8"}, "--memory: '8' has no unit"},
           Case{{"solve", board, "--memory", "1.5"}, "--memory: '1.5' has no unit"},
           Case{{"solve", board, "--engine", "beam", "--incumbent", "none"},
                "--engine beam: not with --incumbent none"},
           Case{{"pdb", "buid", "x"}, "pdb: 'buid' is unknown, did you mean build?"},
           Case{{"pdb"}, "pdb: no action, expected build, list or verify"},
           Case{{"pdb", "xyzzy"}, "pdb: 'xyzzy' is unknown, expected build, list or verify"},
           Case{{"solve", board, "--incumbent", "bean:10"},
                "--incumbent: 'bean:10' is unknown, did you mean beam:WIDTH?"},
           Case{{"solve", board, "--prune", "parnt"},
                "--prune: 'parnt' is unknown, did you mean parent?"},
           Case{{"solve", board, "--prune", "fms:8"}, "did you mean fsm:DEPTH?"},
           Case{{"solve", board, "--engine", "IDAA"}, "'IDAA' is unknown, did you mean ida?"},
           Case{{"solve", "--set", "KORF10:1"}, "'KORF10' is unknown, did you mean korf100?"},
           Case{{"census", "3x3", "--goal", "cel:3"}, "did you mean cell:K?"},
           Case{{"census", "3x3", "--goal", "cell:9"},
                "expected last, first or cell:K with K from"},
           Case{{"solve", board, "--prune", "bogus"}, "expected auto, parent or fsm:DEPTH"},
           Case{{"solve", board, "--prune", "fsm:99"}, "a depth of 2 to 20 on 3x3"},
           Case{{"solve", board, "--parallel", "bogus"},
                "expected none, neighbors, distance or queues:K"},
           Case{{"solve", board, "--parallel", "queus:2"}, "did you mean queues:K?"},
           Case{{"solve", board, "--engine", "idaa"}, "did you mean ida?"},
           Case{{"solve", board, "--backend", "thread"}, "did you mean threads?"},
           Case{{"solve", board, "--schedule", "steeling"}, "did you mean stealing?"},
           Case{{"solve", board, "--bounds", "own"}, "expected shared or independent"},
           Case{{"solve", board, "--metric", "double"}, "expected single or multi"},
           Case{{"solve", board, "--metric", "multi", "--heuristic", "manhattan"},
                "heuristic manhattan is for --metric single, expected one of auto zero lines"},
           Case{{"solve", board, "--heuristic", "lines"}, "lines is for --metric multi"},
           Case{{"solve", board, "--metric", "multi", "--heuristic", "liens"},
                "did you mean lines?"},
           Case{{"solve", "--set", "korf50:1", "--metric", "multi", "--heuristic", "lines"},
                "at most 16 cells, the board has 25, expected blocks"},
           Case{{"solve", board, "--metric", "multi", "--kernel", "bucket"}, "one kernel"},
           Case{{"solve", board, "--metric", "multi", "--prune", "fsm:8"},
                "--prune fsm:8: not with"},
           Case{{"pdb", "build", "--size", "3x3", "--metric", "multi", "--partition", "4-4"},
                "--partition: not with --metric multi"},
           Case{{"solve", board, "--time-limit", "soon"}, "--time-limit: 'soon' is not a duration"},
           Case{{"solve", board, "--board-time-limit", "0"},
                "'0' is not a duration of more than 0"},
           Case{{"solve", board, "--node-limit", "0"}, "--node-limit: '0' is not valid"},
           Case{{"solve", board, "--memory", "much"}, "--memory: 'much' is not a size"},
           Case{{"solve", board, "--time-limit", "99999999h"},
                "--time-limit: '99999999h' is too large, expected at most 31 years"},
           Case{{"solve", board, "--memory", "99999999TiB"},
                "--memory: '99999999TiB' is too large"},
           Case{{"solve", board, "--thread", "2"}, "did you mean --threads?"},
           Case{{"solve", board, "--frobnicate"}, "option '--frobnicate' is unknown"},
           Case{{"estimate", board, "--csv", "x"},
                "option --csv: not with estimate, only with solve, compare, analyse, optimize or"},
           Case{{"verify", "-t2"}, "option -t: not with verify, only with solve"},
           Case{{"solve", board, "--threads"}, "--threads: no value, expected N"},
           Case{{"solve", board, "--config"}, "--config: no value, expected FILE"},
           Case{{"solve", board, "--slice"}, "--slice: no value, expected K/N"},
           Case{{"solve", board, "--slice="}, "--slice: no value, expected K/N"},
           Case{{"solve", board, "--json", ""}, "--json: no value, expected FILE"},
           Case{{"solve", board, "--pdb-dir", ""}, "--pdb-dir: no value, expected FOLDER"},
           Case{{"report", "x", "-o"}, "-o: no value, expected FILE"},
           Case{{"verify", ""}, "an argument is empty"},
           Case{{"solve", board, "--config", "a", "--config", "b"}, "--config: given twice"},
           Case{{"solve", board, "--log-dir", "-"}, "--log-dir: expected a folder"},
           Case{{"pdb", "list", "--pdb-dir", "-"}, "--pdb-dir: expected a folder"},
           Case{{"pdb", "list", "--pdb-dir", "/dev/null"}, "/dev/null is not a folder"},
           Case{{"pdb", "list", "--size", "4x4"}, "--size is for pdb build"},
           Case{{"pdb", "build", "--collections"}, "--collections is for pdb list"},
           Case{{"generate", "--size", "3x3", "--goal", "foo"}, "--goal: goal 'foo' is unknown"},
           Case{{"solve", board, "--node-limit", "99999999999999999999"}, "' is too large"},
           Case{{"solve", board, "--dry-run", "--resume"}, "--resume: needs --checkpoint"},
           Case{{"solve", board, "--dry-run", "--csv", "-"}, "--csv: not with --dry-run"},
           Case{{"solve", board, "--dry-run", "--summary", "-"}, "--summary: not with --dry-run"},
           Case{{"estimate", board, "--bounds", "independent", "--all"}, "--bounds independent"},
           Case{{"solve", "--set", "haskell", "--dry-run", "--record", "x"}, "takes one board"},
           Case{{"solve", board, "--record", "x", "--engine", "astar"}, "--record: not with"},
           Case{{"solve", board, "--config", "--quiet"}, "--config: no value, expected FILE"},
           Case{{"solve", board, "--pdb-dir", "--quiet"}, "--pdb-dir: no value, expected "},
           Case{{"solve", board, "--json", "--quiet"}, "--json: no value, expected FILE"},
           Case{{"solve", board, "--quiet=maybe"}, "--quiet: 'maybe' is unknown, expected true"},
           Case{{"solve", board, "--no-quiet=maybe"},
                "--no-quiet: 'maybe' is unknown, expected true"},
           Case{{"solve", board, "--trace", "-"}, "--trace: expected a file, not standard output"},
           Case{{"solve", board, "--record", "-"}, "--record: expected a file"},
           Case{{"solve", board, "--checkpoint", "-"}, "--checkpoint: expected a file"},
           Case{{"solve", board, "--heuristic", "max(manhattan,zero"},
                "heuristic 'max(manhattan,zero' does not end with )"},
           Case{{"solve", board, "--kernel", "bucket", "--heuristic", "zero"}, "--kernel bucket"},
           Case{{"solve", board, "--kernel", "bucket", "--heuristic", "manhattan", "--prune",
                 "fsm:8"},
                "--kernel bucket: needs --heuristic manhattan, --prune parent"},
           Case{{"solve", board, "--bounds", "independent", "--all"}, "--bounds independent"},
           Case{{"solve", board, "--json", "/dev/null/x"}, "/dev/null/x: cannot be written"},
           Case{{"solve", board, "--config", missing}, missing + ": cannot be read"},
           Case{{"solve", board, "--set", "haskell"}, "BOARD and --set: two sources of boards"},
           Case{{"compare", board, "--file", "x"}, "BOARD and --file: two sources of boards"},
           Case{{"estimate", "--file", "x", "--set", "haskell"}, "--file and --set: two sources"},
           Case{{"solve", "--set", "haskell:1", "--set", "haskell:2"},
                "--set: given twice, expected one source of boards"},
           Case{{"compare", "--file", "x", "--file", "y"}, "--file: given twice"},
           Case{{"solve", "--set", "korf100:1", "--heuristic", "pdb:15"},
                "a pattern of 15 tiles, expected 1 to 12"},
           Case{{"solve", "--set", "haskell", "--size", "3x3"},
                "--size 3x3: --set haskell has boards of 4x4"},
           Case{{"solve", board, board}, "2 boards, expected one; --file takes several"},
           Case{{"solve"}, "no board"},
           Case{{"solve", "--set", "korf10"}, "did you mean korf100?"},
           Case{{"solve", "--set", "korf100:101"}, "expected ids from 1 to 100"},
           Case{{"solve", "--set", "deep24:d1"}, "expected ids from R to c11, or positions"},
           Case{{"solve", board, "--engine", "beam", "--good-moves"}, "not with --good-moves"},
           Case{{"solve", "--file", missing}, missing + ": cannot be read"},
           Case{{"slove", board}, "did you mean solve?"},
           Case{{"frobnicate"}, "command 'frobnicate' is unknown"},
           Case{{"generate"}, "no size"},
           Case{{"generate", "--size", "4x4", "--count", "-3"}, "--count: '-3' is not valid"},
           Case{{"generate", "--size", "1x4"}, "--size: size '1x4'"},
           Case{{"generate", "--size", "4x4", "extra"}, "size 'extra' is not valid"},
           Case{{"generate", "4x4", "extra"}, "'extra' is not expected"},
           Case{{"verify"}, "no file"},
           Case{{"verify", missing}, missing + ": cannot be read"},
           Case{{"report"}, "no file, expected tessera report FILE... -o page.html"},
           Case{{"report", "results.jsonl"}, "results.jsonl: cannot be read"},
           Case{{"report", missing, "-o", "-"}, missing + ": cannot be read"},
           Case{{"report", missing, "-o", "/dev/null/x"}, "/dev/null/x: cannot be written"},
           Case{{"report", missing, "--outptu", "x"}, "did you mean --output?"},
       }) {
    expect_refused(tessera(c.arguments), c.expected);
  }
}

TEST(BadInput, AKernelThatALaterBoardDoesNotHave) {
  const TemporaryFile boards("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n1 2 3 4 5 6 7 0 8\n");
  const std::vector<std::string> block{"solve", "--file", boards.path(), "--kernel", "block"};
  expect_refused(tessera(block), "the block kernel has no manhattan");
  expect_refused(tessera(with(block, {"--dry-run"})), "the block kernel has no manhattan");
}

TEST(BadInput, AMaximumOfTooMany) {
  std::string nested = "zero";
  for (int i = 0; i < 8; ++i) nested = "max(zero," + nested + ")";
  expect_refused(tessera({"solve", "1 2 3 0", "--heuristic", nested, "--quiet"}),
                 "heuristic max(...) of 9 heuristics, expected at most 8");
  expect_refused(tessera({"solve", "1 2 3 0", "--heuristic", "2-1", "--quiet"}),
                 "heuristic '2-1' is unknown, did you mean pdb:2-1?");
}

TEST(BadInput, AMaximumOfTooManyIsRefusedBeforeItsTablesAreBuilt) {
  const TemporaryFolder folder;
  std::string partitions;
  for (int a = 1; a <= 5; ++a) {
    for (int b = 1; b <= 7; ++b) {
      partitions += "pdb:" + std::to_string(a) + "-" + std::to_string(b) + "-" +
                    std::to_string(15 - a - b) + (b < 7 || a < 5 ? "," : "");
    }
  }
  const std::string zeros = "zero,zero,zero,zero,zero,zero,zero,zero";
  for (const auto& [set, heuristic, expected] :
       {std::array<std::string, 3>{"korf50:1", "pdb:small,linear-conflict", "keeps 488 bytes"},
        {"korf100:1", "fringe," + zeros, "of 9 heuristics, expected at most 8"},
        {"korf100:1", partitions, "a collection of 70 partitions"}}) {
    for (const char* dry_run : {"--dry-run", "--no-dry-run"}) {
      expect_refused(tessera({"solve", "--set", set, "--heuristic", "max(" + heuristic + ")",
                              "--pdb-dir", folder.text(), "--quiet", dry_run}),
                     expected);
    }
  }
  EXPECT_TRUE(folder.entries().empty());
}

TEST(BadInput, AFileOrASizeInThePlaceOfABoard) {
  const TemporaryFile file("1 2 3 4 5 6 7 0 8\n");
  expect_refused(tessera({"solve", file.path()}), "did you mean --file ");
  expect_refused(tessera({"solve", "3x3"}), "BOARD: 3x3 is a size, did you mean --size 3x3?");
  EXPECT_EQ(tessera({"solve", "--set", "haskell:1", "--size", "4x4", "--quiet"}).code, 0);
}

// Before the search, and before anything else is written over: minutes of work, were it begun.
TEST(BadInput, OutputsThatCannotBeWrittenAreFoundFirst) {
  const TemporaryFile kept("mine\n");
  const TemporaryFile file("");
  const std::string under_file = file.path() + "/x";
  const std::string folder = std::filesystem::temp_directory_path().string();
  const std::vector<std::string> endless{"--set", "hardest15:1", "--heuristic", "zero"};
  for (const auto& [command, option] :
       std::vector<std::pair<std::string, std::string>>{{"solve", "--json"},
                                                        {"solve", "--trace"},
                                                        {"solve", "--record"},
                                                        {"solve", "--checkpoint"},
                                                        {"solve", "--log-dir"},
                                                        {"compare", "--json"},
                                                        {"compare", "--csv"}}) {
    for (const std::string& path : {under_file, std::string("/proc/none/x"), folder}) {
      const bool wants_folder = option == "--log-dir";
      if (wants_folder && path == folder) continue;
      std::vector<std::string> arguments = with({command, option, path}, endless);
      if (command == "compare") arguments[5] = "--heuristics";
      if (option != "--json") arguments = with(arguments, {"--json", kept.path()});
      expect_refused(tessera(arguments), path + ": cannot be written (");
      EXPECT_EQ(kept.content(), "mine\n") << option;
    }
  }
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"census", "3x3", "--csv", under_file},
                                             {"census", "3x3", "--checkpoint", under_file},
                                             {"census", "3x3", "--checkpoint", file.path()},
                                             {"census", "3x3", "--disk", under_file},
                                             {"census", "3x3", "--disk", "/proc/none/x"},
                                             {"report", kept.path(), "-o", under_file},
                                             {"report", kept.path(), "-o", folder},
                                             {"simulate", kept.path(), "--json", under_file}}) {
    expect_refused(tessera(arguments), arguments.back() + ": cannot be written (");
  }
  // What was tried leaves nothing behind, and a pipe is not waited for.
  const std::string fresh = file.path() + "-fresh";
  (void)tessera({"solve", "1 2 3 3", "--json", fresh, "--log-dir", fresh + "-logs/a/b"});
  EXPECT_FALSE(std::filesystem::exists(fresh));
  EXPECT_FALSE(std::filesystem::exists(fresh + "-logs"));
  EXPECT_EQ(tessera({"solve", "1 2 0 3", "--json", "/dev/null", "--quiet"}).code, 0);
}

TEST(BadInput, InFilesWithTheirLine) {
  struct Case {
    std::string content;
    std::string expected;
  };
  for (const Case& c : {
           Case{"1 2 3 0\n1 2 2 0\n", ":2: tile 2 appears twice"},
           Case{"1 2 3 0\n\n# fine\n1 2 3\n", ":4: 3 tiles"},
           Case{"1 2 3 5\n", ":1: tile 5 is out of range"},
           Case{"1 2 3 y!\n", ":1: 'y!' is not a number"},
           Case{"9 1 2 3 4 5 6 7 8 0\n", ":1: two readings: id '9' and a board of 3x3"},
           Case{"123456708 123456780\n", ":1: two readings: id '123456708' and a board of 3x3"},
           Case{"1 2 3 3\n", "there is no blank"},
           Case{"", ":1: no board in this file"},
           Case{std::string("\0\x7f\x45LF\n", 6), ":1: not a text file"},
           Case{std::string(10 << 20, '7') + "\n", ":1: line of more than 65536 bytes"},
           Case{"2\n1 2\n3 3\n", ":3: tile 3 appears twice"},
           Case{"3 2\n1 2 3\n4 5\n", ":3: 2 tiles, expected a row of 3"},
           Case{"{\"board\":[1,2,3,0]}\n{\"board\":[1,2,3]}\n", ":2: no \"size\""},
           Case{"{\"board\":\n", ":1: not a JSON object"},
           Case{"{\"size\":\"4x4\",\"board\":[1,2,3,0]}\n", ":1: 4 tiles, expected 16"},
           Case{"{\"board\":[1,2,3,0],\"goal\":\"best\"}\n", "goal 'best' is unknown"},
       }) {
    const TemporaryFile file(c.content);
    const Finished run = tessera({"solve", "--file", file.path()});
    expect_refused(run, c.expected);
    EXPECT_NE(run.err.find(file.path()), std::string::npos);
  }
  Running::Options options;
  options.input = "1 2 3 3\n";
  expect_refused(tessera({"solve", "--file", "-"}, options), "<stdin>:1: ");
  // Where a result file could come from standard input, so could these.
  options.input = "";
  expect_refused(tessera({"solve", "-"}, options), "expected --file -");
  expect_refused(tessera({"compare", "-"}, options), "expected --file -");
  expect_refused(tessera({"verify", "-"}, options), "<stdin>: no result");
  expect_refused(tessera({"verify", "-", "-"}, options), "- appears twice");
  expect_refused(tessera({"report", "-", "-", "-o", "-"}, options), "- appears twice");
  expect_refused(tessera({"simulate", "-"}, options), "<stdin>: no record");
  expect_refused(tessera({"solve", "--file", "-", "--config", "-"}, options),
                 "--config and --file");
  expect_refused(tessera({"pdb", "verify", "-"}, options), "-: cannot be read (");
  const TemporaryFile config("threads = 2\nshedule = \"static\"\n");
  expect_refused(tessera({"solve", "1 2 3 0", "--config", config.path()}),
                 ":2: option 'shedule' is unknown, did you mean schedule?");
}

TEST(BadInput, TooLittleMemoryIsCodeFive) {
  const Finished run = tessera({"solve", "1 2 3 0", "--memory", "1MiB", "--threads", "2"});
  EXPECT_EQ(run.code, 5);
  EXPECT_EQ(complaints(run.err).size(), 1U);
  EXPECT_NE(run.err.find("96 MiB"), std::string::npos);
}

TEST(BadInput, SizesAreToldInTheUnitThatFits) {
  const Finished solve = tessera({"solve", "1 2 3 0", "--memory", "1KiB", "--threads", "2"});
  EXPECT_EQ(solve.code, 5);
  EXPECT_NE(solve.err.find("may need 96 MiB, 1 KiB are allowed"), std::string::npos) << solve.err;
  const Finished census = tessera({"census", "3x3", "--memory", "1KiB"});
  EXPECT_EQ(census.code, 5);
  EXPECT_EQ(census.err.find("0.0 MiB"), std::string::npos) << census.err;
  EXPECT_NE(census.err.find("1 KiB are allowed; no number of ranks with as much each suffices; "
                            "try --disk FOLDER"),
            std::string::npos)
      << census.err;
}

TEST(BadInput, AClosedStandardOutputIsToldAsThat) {
  const std::string program = tessera_program;
  const Finished run = Running({"sh", "-c", program + " solve --set haskell:1 --quiet >&-"}).wait();
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "tessera: standard output: cannot be written (it is closed)\n");
  const Finished named =
      Running({"sh", "-c", program + " solve --set haskell:1 --quiet --json /dev/stdout >&-"})
          .wait();
  EXPECT_EQ(named.code, 1) << named.err;
}

TEST(BadInput, TablesAreRefusedAsOtherPathsAre) {
  // Before anything is printed, the banner too.
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"solve", "--heuristic", "pdb:2-1"},
        {"estimate", "--heuristic", "pdb:2-1"},
        {"compare", "--heuristics", "manhattan,pdb:2-1"}}) {
    expect_refused(tessera(with(command, {"1 2 3 0", "--pdb-dir", "/proc/none"})),
                   "/proc/none: cannot be written (No such file or directory), expected a writable "
                   "folder");
  }
  const TemporaryFolder folder;
  const std::string missing = folder.text() + "/missing";
  expect_refused(tessera({"pdb", "verify", missing}),
                 missing +
                     ": cannot be read (No such file or directory), expected a readable "
                     "file");
  // One line, whatever a path contains.
  std::filesystem::create_directory(folder.text() + "/a\nb");
  expect_refused(tessera({"pdb", "verify", folder.text() + "/a\nb"}), "a?b: is not a regular file");
}

TEST(BadInput, ASocketIsNoFile) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/socket";
  ASSERT_EQ(mknod(path.c_str(), S_IFSOCK | 0600, 0), 0);
  expect_refused(tessera({"solve", "--file", path}), "/socket: cannot be read (");
}

TEST(BadInput, ADestinationThatFillsUpIsCodeOne) {
  Running::Options full;
  full.output = "/dev/full";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"solve", "1 2 3 0", "--quiet"},
        {"generate", "--size", "4x4"},
        {"info"},
        {"--help"}}) {
    const Finished run = tessera(arguments, full);
    EXPECT_EQ(run.code, 1) << arguments[0];
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find("standard output: cannot be written (No space left"), std::string::npos);
  }
  const Finished json = tessera({"solve", "1 2 3 0", "--quiet", "--json", "/dev/full"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(complaints(json.err).size(), 1U);
  EXPECT_NE(json.err.find("/dev/full: cannot be written"), std::string::npos);
}

TEST(BadInput, OptionsThatDoNotSuitABoardAmongOtherSizesNameIt) {
  const TemporaryFile mixed(R"({"id":"hard","board":"5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12"})"
                            "\n"
                            R"({"id":"easy","board":"1 2 3 4 5 6 7 0 8"})"
                            "\n");
  for (const char* command : {"solve", "estimate", "compare"}) {
    const Finished run = tessera({command, "--file", mixed.path(), "--heuristic", "pdb:5-5-5"});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "tessera: board easy: partition 5-5-5 has 15 tiles, expected 8 on 3x3\n");
    // One that no board has.
    const Finished unknown = tessera({command, "--file", mixed.path(), "--heuristic", "xyzzy"});
    EXPECT_EQ(unknown.err.find("tessera: heuristic 'xyzzy' is unknown, expected"), 0U);
  }
}

TEST(BadInput, AnOutputThatFillsUpDoesNotCostTheOthersTheAnswer) {
  Running::Options full;
  full.output = "/dev/full";
  const TemporaryFile json("");
  const TemporaryFile csv("");
  EXPECT_EQ(tessera({"solve", "1 2 0 3", "--json", json.path()}, full).code, 1);
  EXPECT_EQ(json_lines(json.content()).at(0)["length"], 1);
  EXPECT_EQ(tessera({"solve", "1 2 0 3", "--json", "/dev/full", "--csv", csv.path()}).code, 1);
  EXPECT_EQ(std::ranges::count(csv.content(), '\n'), 2);
}

TEST(BadInput, AClosedPipeIsCodeOne) {
  Running::Options closed;
  closed.closed_output = true;
  const Finished run = tessera({"generate", "--size", "4x4", "--count", "100000"}, closed);
  EXPECT_EQ(run.code, 1);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("Broken pipe"), std::string::npos);
}

}  // namespace
}  // namespace tessera::cli
