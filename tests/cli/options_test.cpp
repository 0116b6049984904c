// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(Help, EveryCommandHasExamples) {
  const Finished general = tessera({"--help"});
  EXPECT_EQ(general.code, 0);
  for (const char* command : {"solve", "generate", "verify", "info"}) {
    EXPECT_NE(general.out.find(command), std::string::npos);
    const Finished run = tessera({command, "--help"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("Examples:\n  "), std::string::npos) << command;
    EXPECT_NE(run.out.find(std::string("tessera ") + command), std::string::npos) << command;
  }
}

TEST(Help, ListsOptionsInGroupsAndExpertOnesOnDemand) {
  const std::string brief = tessera({"solve", "--help"}).out;
  const std::string all = tessera({"solve", "--help-all"}).out;
  std::size_t before = 0;
  for (const char* group : {"Boards:", "Search:", "Parallel:", "Limits:", "Output:", "Expert:"}) {
    const std::size_t at = all.find(std::string("\n") + group);
    ASSERT_NE(at, std::string::npos) << group;
    EXPECT_GT(at, before) << group;
    before = at;
    EXPECT_EQ(brief.find(group) != std::string::npos, group != std::string("Expert:")) << group;
  }
  EXPECT_GT(all.find("--split-depth"), before);
  EXPECT_EQ(brief.find("--split-depth"), std::string::npos);
}

TEST(Help, IsFoundByItsNameOnEitherSideOfTheCommand) {
  const std::string solve = tessera({"solve", "--help"}).out;
  EXPECT_EQ(tessera({"help", "solve"}).out, solve);
  EXPECT_EQ(tessera({"--help", "solve"}).out, solve);
  EXPECT_EQ(tessera({"solve", "help"}).out, solve);
  const std::string pdb = tessera({"pdb", "--help"}).out;
  EXPECT_EQ(tessera({"help", "pdb", "build"}).out, pdb);
  EXPECT_EQ(tessera({"pdb", "help"}).out, pdb);
  EXPECT_EQ(tessera({"help", "help"}).out, tessera({"--help"}).out);
  EXPECT_EQ(tessera({"help", "slove"}).code, 2);
  EXPECT_EQ(tessera({"slove", "help"}).code, 2);
  EXPECT_EQ(tessera({"version"}).out, tessera({"--version"}).out);
}

TEST(Help, OfASharedOptionNamesNoOtherCommand) {
  for (const std::string command :
       {"solve", "compare", "estimate", "analyse", "optimize", "census", "moves", "generate"}) {
    const std::string help = tessera({command, "--help-all"}).out;
    for (const char* other : {"compare:", "census:", "optimize:", "analyse:", "pdb build,"}) {
      EXPECT_EQ(help.find(other), std::string::npos) << command << ": " << other;
    }
  }
  for (const char* command : {"generate", "serve"}) {
    const std::string help = tessera({command, "--help"}).out;
    for (const char* other : {"per rank", "a set"}) {
      EXPECT_EQ(help.find(other), std::string::npos) << command << ": " << other;
    }
  }
}

TEST(Help, IsPrintedWithoutACommand) {
  const Finished run = tessera({});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, tessera({"--help"}).out);
  EXPECT_EQ(run.err, "");
}

TEST(Options, LettersValuesAndWords) {
  const Finished named =
      tessera({"generate", "--size=2x2", "--count", "3", "--seed", "4", "--quiet"});
  EXPECT_EQ(named.code, 0);
  for (const std::vector<std::string>& same :
       {std::vector<std::string>{"generate", "2x2", "-qn3", "--seed=4"},
        {"generate", "-q", "-n=3", "--count", "2", "-n", "3", "--seed", "4", "--", "2x2"}}) {
    EXPECT_EQ(tessera(same).out, named.out) << same[1];
  }
  EXPECT_EQ(tessera({"solve", "--quiet", "--", "1", "2", "3", "0"}).code, 0);
  expect_refused(tessera({"solve", "-z"}), "option '-z' is unknown");
  expect_refused(tessera({"solve", "--no-threads"}), "did you mean --threads?");
  expect_refused(tessera({"solve", "-t", "--quiet"}), "-t: no value, expected N");
  EXPECT_NE(tessera({"info", "--backend", "serial"}).out.find(" backend serial,"),
            std::string::npos);
  expect_refused(tessera({"info", "--", "-q"}), "too many arguments, expected tessera info");
}

TEST(Options, AFlagIsSwitchedOffOverAConfigurationFile) {
  const TemporaryFile file("[solve]\nquiet = true\nall = true\n");
  for (const char* off : {"--no-all", "--all=false"}) {
    const Finished run =
        tessera({"solve", "--set", "haskell:3", "--config", file.path(), off, "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(json_lines(run.out).at(0)["solutions"].is_null()) << off;
  }
  const Finished loud =
      tessera({"solve", "--set", "haskell:3", "--config", file.path(), "--no-quiet"});
  EXPECT_NE(loud.err.find("backend"), std::string::npos);
  EXPECT_EQ(tessera({"solve", "--no-threads"}).code, 2);
}

TEST(Options, TheCommandLineOverridesOtherOptionsForTheSame) {
  Running::Options options;
  options.environment["TESSERA_DRY_RUN"] = "0";
  options.environment["TESSERA_THREADS_PER_RANK"] = "1";
  const Finished plan = tessera({"census", "3X2", "--plan", "--quiet"}, options);
  EXPECT_TRUE(plan.out.starts_with("census 3x2 single: 360 states\nmemory ")) << plan.out;
  const Finished compared =
      tessera({"compare", "--set", "haskell:3", "--threads", "2", "--backends", "threads",
               "--repeat", "1", "--quiet", "--json", "-"},
              options);
  EXPECT_EQ(json_lines(compared.out).at(0)["configurations"].at(0)["threads"], 2) << compared.err;
  options.environment = {{"TESSERA_THREADS", "1,2"}};
  const Finished workers = tessera({"compare", "--set", "haskell:3", "--workers", "2", "--backends",
                                    "threads", "--repeat", "1", "--quiet", "--json", "-"},
                                   options);
  EXPECT_EQ(json_lines(workers.out).at(0)["configurations"].size(), 1U) << workers.err;
}

// Defaults are for many commands: what an operand or another option leaves no use for is dropped.
TEST(Options, DefaultsThatACommandCannotUseAreDropped) {
  Running::Options options;
  options.environment = {{"TESSERA_SIZE", "3x3"},
                         {"TESSERA_GOAL", "first"},
                         {"TESSERA_RANKS", "16,256"},
                         {"TESSERA_SCRAMBLE", "20"},
                         {"TESSERA_MOVES", "UD"}};
  const TemporaryFolder tables;
  const TemporaryFile games("board,moves,goal\n1 2 3/4 0 6/7 5 8,UL,last\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"generate", "5x5", "--goal", "last"},
                                             {"generate", "3x3", "--depth", "10"},
                                             {"pdb", "list", "--pdb-dir", tables.text()},
                                             {"pdb", "build", "--size", "3x3", "--partition", "4-4",
                                              "--search-from", "goal", "--pdb-dir", tables.text()},
                                             {"census", "3x3"},
                                             {"analyse", "--file", games.path()}}) {
    const Finished run = tessera(arguments, options);
    EXPECT_EQ(run.code, 0) << arguments[0] << ": " << run.err;
  }
  EXPECT_EQ(tessera({"generate", "5x5", "--seed", "1", "--goal", "last"}, options).out,
            tessera({"generate", "5x5", "--seed", "1", "--scramble", "20"}).out);
  expect_refused(tessera({"pdb", "list", "--goal", "first"}), "--goal is for pdb build");
  options.environment = {{"TESSERA_UNORDERED", "1"},
                         {"TESSERA_RESUME", "1"},
                         {"TESSERA_CSV", tables.text() + "/rows.csv"},
                         {"TESSERA_SUMMARY", tables.text() + "/summary.json"},
                         {"TESSERA_TRACE", tables.text() + "/trace.json"}};
  const std::string board = "1 2 3/4 0 6/7 5 8";
  const auto has = [&](const char* file) { return std::filesystem::exists(tables.path() / file); };
  EXPECT_EQ(tessera({"solve", board, "--dry-run"}, options).code, 0);
  EXPECT_EQ(tessera({"census", "3x2", "--plan"}, options).code, 0);
  EXPECT_FALSE(has("rows.csv"));
  EXPECT_EQ(tessera({"solve", "--stream", "--file", "-"}, options).code, 0);
  EXPECT_EQ(tessera({"census", "3x2", "--quiet"}, options).code, 0);
  EXPECT_TRUE(has("rows.csv"));
  EXPECT_FALSE(has("trace.json"));
  options.environment["TESSERA_DRY_RUN"] = "0";
  EXPECT_EQ(tessera({"solve", board, "--quiet"}, options).code, 0);
  EXPECT_TRUE(has("trace.json"));
  // What would have to be ignored is refused.
  options.environment = {{"TESSERA_CHECKPOINT", "saved"}};
  expect_refused(tessera({"solve", "--stream", "--file", "-"}, options), "--checkpoint");
  // What is of use is kept.
  options.environment = {{"TESSERA_RANKS", "16,256"}};
  const TemporaryFile plan("plan = true\n[census]\nranks = [16, 256]\n");
  for (const Finished& run : {tessera({"census", "3x3", "--dry-run", "--quiet"}, options),
                              tessera({"census", "3x3", "--quiet", "--config", plan.path()})}) {
    EXPECT_NE(run.out.find(" on each of 256 ranks"), std::string::npos) << run.out << run.err;
  }
  options.environment["TESSERA_GOAL"] = "spiral";
  EXPECT_EQ(tessera({"pdb", "build", "--size", "3x3", "--partition", "3-5", "--search-from",
                     "start", "--dry-run"},
                    options)
                .out,
            tessera({"pdb", "build", "--size", "3x3", "--partition", "3-5", "--goal", "spiral",
                     "--dry-run"})
                .out);
  for (const char* threads_per_rank : {"1", "2"}) {
    const Finished compared =
        tessera({"compare", "--set", "haskell:1", "--threads", "1,2", "--threads-per-rank",
                 threads_per_rank, "--backends", "threads", "--repeat", "1", "--quiet"});
    EXPECT_EQ(compared.code, 0) << compared.err;
  }
  expect_refused(
      tessera({"compare", "--set", "haskell:1", "--threads", "2", "--threads-per-rank", "4"}),
      "--threads and --threads-per-rank exclude each other, expected one of them");
}

TEST(Options, NumbersOfAConfigurationMayHaveFractionsAndExponents) {
  const TemporaryFile file("time-limit = 0.5\nnode-limit = 1e6\n");
  const Finished run =
      tessera({"solve", "1 2 0 3", "--config", file.path(), "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 0) << run.err;
  expect_refused(
      tessera({"solve", "1 2 0 3", "--config", TemporaryFile("node-limit = 1.5\n").path()}),
      "node-limit: is a number with a fraction, expected a whole number");
}

TEST(Options, AListForAllCommandsIsNoFlagOfOne) {
  const TemporaryFile lists("heuristics = [\"manhattan\", \"zero\"]\nthreads = 1\n");
  const Finished info = tessera({"info", "--config", lists.path()});
  EXPECT_EQ(info.code, 0) << info.err;
  const Finished solved =
      tessera({"solve", "1 2 0 3", "--config", lists.path(), "--quiet", "--json", "-"});
  EXPECT_EQ(json_lines(solved.out).size(), 2U) << solved.err;
  expect_refused(tessera({"info", "--config", TemporaryFile("[info]\nheuristics = 3\n").path()}),
                 ":2: heuristics: ");
}

TEST(Options, ATableOfAConfigurationFileOverridesTheKeysForAllCommands) {
  const TemporaryFile file(
      "heuristic = \"manhattan\"\nfile = \"nothing\"\n"
      "[compare]\nheuristics = [\"zero\", \"walking\"]\nset = \"haskell:1\"\n");
  const Finished run = tessera({"compare", "--config", file.path(), "--backends", "serial",
                                "--repeat", "1", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto compared = json_lines(run.out).at(0)["configurations"];
  ASSERT_EQ(compared.size(), 2U);
  EXPECT_EQ(compared[1]["heuristic"], "walking");
}

TEST(Options, TheLastOfOppositeFlagsWins) {
  const auto is_quiet = [](const std::vector<std::string>& flags) {
    const Finished run =
        tessera(with({"solve", "--set", "haskell:3", "--heuristic", "manhattan"}, flags));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err.empty();
  };
  EXPECT_TRUE(is_quiet({"--no-quiet", "--quiet"}));
  EXPECT_FALSE(is_quiet({"--quiet", "--no-quiet"}));
  EXPECT_TRUE(is_quiet({"--quiet=false", "--quiet"}));
  EXPECT_FALSE(is_quiet({"--quiet", "--quiet=false"}));
  EXPECT_TRUE(is_quiet({"--quiet", "--no-quiet", "--quiet"}));
  EXPECT_TRUE(is_quiet({"--quiet", "--quiet"}));
}

TEST(Options, AMisspelledVariableIsAWarning) {
  Running::Options options;
  options.environment["TESSERA_THREDS"] = "1";
  options.environment["TESSERA_ROOT"] = "/opt/tessera";
  const Finished run = tessera({"solve", "--set", "haskell:3"}, options);
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.err.starts_with(
      "warning: TESSERA_THREDS sets no option, did you mean TESSERA_THREADS?\n"))
      << run.err;
  EXPECT_EQ(run.err.find("TESSERA_ROOT"), std::string::npos);
  EXPECT_EQ(tessera({"solve", "--set", "haskell:3", "--quiet"}, options).err, "");
}

TEST(Options, AliasesMeanTheSame) {
  EXPECT_EQ(tessera({"census", "3x3", "--dry-run", "--quiet"}).code, 0);
  const auto compared =
      json_lines(tessera({"compare", "--set", "haskell:1", "--heuristics", "manhattan", "--repeat",
                          "1", "--backends", "threads", "--workers", "2", "--threads-per-rank", "2",
                          "--quiet", "--json", "-"})
                     .out);
  EXPECT_EQ(compared.size(), 1U);
}

TEST(Help, VersionNamesRevisionCompilerAndMpi) {
  const Finished run = tessera({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.out.starts_with("tessera 0."));
  EXPECT_NE(run.out.find("revision"), std::string::npos);
  EXPECT_NE(run.out.find("MPI"), std::string::npos);
}

TEST(ManPages, NeedAFolder) {
  const TemporaryFile file("");
  for (const std::string& folder : {file.path(), file.path() + "/pages"}) {
    expect_refused(tessera({"--man-pages", folder, "2026-01-01"}), folder + ": cannot be written");
  }
}

TEST(Info, TellsMachineLayoutAndChoice) {
  const Finished run = tessera({"info"});
  EXPECT_EQ(run.code, 0);
  for (const char* part :
       {"CPU", "memory", "1 rank on 1 host", "may use", "heuristic pdb:", "table cache"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part;
  }
  const TemporaryFolder tables;
  std::filesystem::create_directory(tables.path() / "a-folder.pdb");
  const Finished odd = tessera({"info", "--pdb-dir", tables.text()});
  EXPECT_NE(odd.out.find("0 tables, 0.0 MiB"), std::string::npos) << odd.out;
  const Finished list = tessera({"info", "--heuristics"});
  for (const char* name : {"zero", "misplaced", "manhattan", "linear-conflict", "inversion",
                           "walking", "escapes", "pairwise", "fringe", "lines", "pdb:PARTITION",
                           "max(A,B,...)", "519 MB", "sides up to 8"}) {
    EXPECT_NE(list.out.find(name), std::string::npos);
  }
}

TEST(Info, WritesJsonOfTheSame) {
  const auto info = json_lines(tessera({"info", "--threads", "3", "--quiet", "--json", "-"}).out);
  ASSERT_EQ(info.size(), 1U);
  EXPECT_EQ(info[0]["schema"], "tessera.info/1");
  ASSERT_EQ(info[0]["ranks"].size(), 1U);
  EXPECT_EQ(info[0]["ranks"][0]["threads"], 3);
  EXPECT_NE(tessera({"info", "--threads", "3"}).out.find(", --threads 3 gives 3\n"),
            std::string::npos);
  EXPECT_EQ(info[0]["auto"]["backend"], "threads");
  EXPECT_GT(info[0]["memory"]["free_bytes"], 0);
  // The same heuristics as the text.
  std::istringstream rows(tessera({"info", "--heuristics"}).out);
  std::string row;
  std::getline(rows, row);
  for (const auto& heuristic : info[0]["heuristics"]) {
    std::getline(rows, row);
    EXPECT_TRUE(row.starts_with(heuristic["name"].get<std::string>() + " ")) << row;
  }
  EXPECT_FALSE(std::getline(rows, row)) << row;
}

}  // namespace
}  // namespace tessera::cli
