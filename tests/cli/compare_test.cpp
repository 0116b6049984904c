// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "compared.hpp"
#include "one_cpu.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

TEST(Compare, ReportsAllOfEveryConfiguration) {
  const TemporaryFile csv("");
  const Finished run = tessera({"compare", "--set", "haskell:3-5", "--heuristics", "manhattan",
                                "--engines", "ida,iddfs-pruned,astar", "--workers", "1,2",
                                "--repeat", "3", "--json", "-", "--csv", csv.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(json_lines(run.out).size(), 1U);
  const auto json = json_lines(run.out)[0];
  EXPECT_EQ(json["schema"], "tessera.compare/1");
  EXPECT_EQ(json["boards"], nlohmann::json({"3", "4", "5"}));
  EXPECT_GE(json["machine"]["cpus"], 1);
  EXPECT_EQ(json["configurations"].size(), 7U);  // astar in one thread only
  for (const auto& c : json["configurations"]) {
    expect_whole(c, 3);
    EXPECT_EQ(c["boards"][2]["length"], 30);
    EXPECT_EQ(c["boards"][2]["optimal"], true);
    EXPECT_GT(c["speedup"], 0);
  }
  EXPECT_NE(run.err.find("astar manhattan, 2 threads is left out"), std::string::npos);
  const std::string rows = csv.content();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 8);
}

// One that has to do a hundred times the work is slower, in every run and beyond the noise.
TEST(Compare, KeepsTheRankingOfWhatDiffers) {
  for (const char* seed : {"1", "2", "3"}) {
    const Finished run = tessera({"compare", "--set", "haskell:5", "--heuristics",
                                  "misplaced,manhattan", "--backends", "serial", "--repeat", "4",
                                  "--seed", seed, "--quiet", "--json", "-"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto json = json_lines(run.out).at(0);
    EXPECT_EQ(json["ranking"], nlohmann::json({"ida manhattan, serial", "ida misplaced, serial"}));
    EXPECT_EQ(json["pairs"][0]["beyond_noise"], true);
    EXPECT_NE(json["verdicts"][0].get<std::string>().find("ida manhattan, serial is"),
              std::string::npos);
  }
}

TEST(Compare, ChecksMemoryBeforeItBuildsTables) {
  const TemporaryFolder tables;
  const Finished run =
      tessera({"compare", "--set", "korf100:1", "--heuristics", "pdb:5-5-5", "--backends",
               "threads", "--workers", "2", "--memory", "90MiB", "--pdb-dir", tables.text()});
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(tables.text()));
}

TEST(Compare, CountsOneThing) {
  const Finished run = tessera({"compare", "--set", "haskell:3", "--heuristics", "manhattan",
                                "--backends", "serial", "--repeat", "1"});
  EXPECT_NE(run.err.find(": 1 configuration on 1 board, 1 time each\n"), std::string::npos)
      << run.err;
}

TEST(Compare, SpeaksInWordsToAPerson) {
  const Finished run = tessera({"compare", "--set", "haskell:5", "--heuristics", "manhattan",
                                "--workers", "2", "--repeat", "4"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.out.find("ida manhattan, 2 threads"), std::string::npos);
  EXPECT_NE(run.out.find("beyond the noise"), std::string::npos);
  EXPECT_NE(run.err.find("2 configurations on 1 board, 4 times each"), std::string::npos);
  const Finished quiet = tessera({"compare", "--set", "haskell:5", "--heuristics", "manhattan",
                                  "--workers", "2", "--repeat", "1", "--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out.find("configuration "), std::string::npos);  // sentences alone
}

TEST(Compare, NotesThreadsThatWaitForACpu) {
  const OneCpu one;
  const std::vector<std::string> half{"compare",   "--set",     "korf100:14", "--heuristics",
                                      "manhattan", "--workers", "2",          "--backends",
                                      "threads",   "--repeat",  "6",          "--finish-iteration"};
  const Finished run = tessera(with(half, {"--json", "-"}));
  const Finished quiet = tessera(with(half, {"--quiet"}));
  EXPECT_NE(run.err.find("had a CPU for only "), std::string::npos) << run.err;
  EXPECT_LT(json_lines(run.out).at(0)["machine"]["cpu_share"], 0.9);
  EXPECT_EQ(quiet.err, "");
}

TEST(Compare, NotesThatShortSearchesMayHaveLackedTheirCpus) {
  const auto remarks = [](const std::vector<std::string>& more) {
    return tessera(with({"compare", "--set", "haskell:1", "--heuristics", "manhattan", "--workers",
                         "2", "--repeat", "1"},
                        more))
        .err;
  };
  EXPECT_NE(remarks({}).find("less than 1 s in all, too short"), std::string::npos) << remarks({});
  EXPECT_EQ(remarks({"--quiet"}), "");
}

// The sentences below the table are those of the JSON, and their figures are the JSON's.
TEST(Compare, SummarizesWhatTheFiguresShow) {
  const TemporaryFile results("");
  const Finished run =
      tessera({"compare", "--set", "haskell:5", "--heuristics", "manhattan,misplaced", "--backends",
               "serial", "--quiet", "--json", results.path()});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = json_lines(results.content()).at(0);
  const auto& faster = json["configurations"][0];
  const auto& slower = json["configurations"][1];
  ASSERT_EQ(json["summary"].size(), 2U);
  const std::string which = json["summary"][0];
  const std::string why = json["summary"][1];
  EXPECT_EQ(run.out, which + "\n" + why + "\n");
  EXPECT_EQ(which.rfind("ida manhattan, serial is ", 0), 0U);
  const double factor = std::stod(which.substr(which.find(" is ") + 4));
  EXPECT_NEAR(factor,
              slower["seconds"]["median"].get<double>() / faster["seconds"]["median"].get<double>(),
              0.006);
  EXPECT_NE(why.find("it expands 5,469 nodes instead of 2,135,077"), std::string::npos) << why;
  EXPECT_EQ(faster["nodes"]["expanded"], 5469);
  EXPECT_EQ(slower["nodes"]["expanded"], 2135077);
}

TEST(Compare, RepeatsShortPasses) {
  const Finished run = tessera({"compare", "--set", "haskell:5", "--heuristics", "manhattan",
                                "--backends", "serial", "--repeat", "2", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto c = json_lines(run.out).at(0)["configurations"][0];
  expect_whole(c, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GE(c["runs"][i].get<double>() * c["passes"][i].get<int>(), 0.0499);
    EXPECT_GT(c["passes"][i], 10);
  }
  EXPECT_EQ(c["nodes"]["expanded"], 5469);  // of one pass
}

TEST(Compare, ARunThatWasCutIsNoTime) {
  const Finished time =
      tessera({"compare", "--set", "hardest15:1", "--heuristics", "misplaced", "--backends",
               "serial,threads", "--time-limit", "300ms", "--quiet", "--json", "-"});
  EXPECT_EQ(time.code, 4);
  const auto timed = json_lines(time.out).at(0)["configurations"];
  for (const auto& c : timed) {
    EXPECT_TRUE(c["seconds"].is_null());
    EXPECT_EQ(c["cut"], "cut by --time-limit 0.3 s");
  }
  EXPECT_LT(time.seconds, 10);  // once each, not as often as --repeat says
  const Finished nodes = tessera({"compare", "--set", "haskell:5,8", "--heuristics",
                                  "manhattan,misplaced", "--backends", "serial", "--node-limit",
                                  "1000000", "--repeat", "2", "--quiet", "--json", "-"});
  EXPECT_EQ(nodes.code, 4);
  const auto both = json_lines(nodes.out).at(0)["configurations"];
  expect_whole(both[0], 2);
  EXPECT_EQ(both[1]["cut"], "cut by --node-limit 1000000 on board 5");
  const Finished beam =
      tessera({"compare", "--set", "korf50:5", "--heuristics", "manhattan", "--backends", "serial",
               "--incumbent", "beam:500", "--node-limit", "1000000", "--quiet", "--json", "-"});
  EXPECT_EQ(beam.code, 4);  // although a beam search found a solution
  const auto found = json_lines(beam.out).at(0)["configurations"][0];
  EXPECT_TRUE(found["seconds"].is_null());
  EXPECT_EQ(found["cut"], "cut by --node-limit 1000000");
  const Finished memory =
      tessera({"compare", "--set", "haskell:8", "--engines", "astar", "--heuristics", "misplaced",
               "--backends", "serial", "--memory", "4MiB", "--quiet", "--json", "-"});
  EXPECT_EQ(memory.code, 5);
  EXPECT_NE(
      json_lines(memory.out).at(0)["configurations"][0]["cut"].get<std::string>().find("memory"),
      std::string::npos);
}

TEST(Compare, StudiesVaryOneThing) {
  const auto studied = [](const std::string& study) {
    const Finished run =
        tessera({"compare", "--set", "haskell:5", "--heuristics", "manhattan", "--study", study,
                 "--workers", "1,2", "--repeat", "1", "--quiet", "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    const auto json = json_lines(run.out).at(0);
    EXPECT_EQ(json["study"], study);
    for (const auto& c : json["configurations"]) expect_whole(c, 1);
    return json["configurations"];
  };
  const auto depths = studied("split-depth");
  ASSERT_EQ(depths.size(), 1U + 2 * 7);
  EXPECT_TRUE(depths[0]["split_depth"].is_null());  // serial, to compare with
  EXPECT_EQ(depths[1]["split_depth"], 2);
  EXPECT_EQ(depths[7]["split_depth"], 8);
  const auto schedules = studied("schedule");
  ASSERT_EQ(schedules.size(), 1U + 2 * 3);
  EXPECT_EQ(schedules[1]["schedule"], "static");
  EXPECT_EQ(schedules[3]["schedule"], "stealing");
  const auto threads = studied("threads");
  ASSERT_EQ(threads.size(), 3U);
  EXPECT_EQ(threads[2]["workers"], 2);
}

TEST(Compare, LeavesUnsolvableBoardsOut) {
  const TemporaryFile file("2 1 3 0\n1 2 0 3\n");
  const Finished run = tessera(
      {"compare", "--file", file.path(), "--backends", "serial", "--repeat", "1", "--json", "-"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("note: board 1 is left out: it is unsolvable"), std::string::npos);
  EXPECT_EQ(json_lines(run.out).at(0)["boards"], nlohmann::json({"2"}));
  EXPECT_EQ(json_lines(run.out).at(0)["unsolvable"], nlohmann::json({"1"}));
}

TEST(Compare, AnyKernelSuitsASolvedBoard) {
  const Finished run = tessera({"compare", "1 2 3/4 5 6/7 8 0", "--kernel", "block", "--heuristics",
                                "manhattan", "--backends", "serial", "--repeat", "1", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
}

// By parity, as solve answers it: nothing is left to time.
TEST(Compare, UnsolvableBoardsAloneAreAnAnswer) {
  const TemporaryFile file("2 1 3 0\n1 3 2 0\n");
  const TemporaryFile json("");
  const Finished none =
      tessera({"compare", "--file", file.path(), "--quiet", "--json", json.path()});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.err, "");
  EXPECT_EQ(none.out,
            "1: unsolvable (proven: the parity of its tiles differs from the goal's)\n"
            "2: unsolvable (proven: the parity of its tiles differs from the goal's)\n"
            "nothing to time: no board is left\n");
  const auto answer = json_lines(json.content()).at(0);
  EXPECT_EQ(answer["unsolvable"], nlohmann::json({"1", "2"}));
  EXPECT_TRUE(answer["boards"].empty());
  EXPECT_TRUE(answer["configurations"].empty());
}

TEST(Compare, BadInputIsOneLine) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"compare"},
           {"compare", "--set", "haskell", "--engines", "idaa"},
           {"compare", "--set", "haskell", "--engines", "ida,,bfs"},
           {"compare", "--set", "haskell", "--heuristics", "manhatan"},
           {"compare", "--set", "haskell", "--backends", "mpi"},
           {"compare", "--set", "haskell", "--backends", "cuda"},
           {"compare", "--set", "haskell", "--workers", "0"},
           {"compare", "--set", "haskell", "--repeat", "0"},
           {"compare", "--set", "haskell", "--study", "rank"},
           {"compare", "--set", "haskell", "--study", "ranks"},
           {"compare", "--set", "haskell", "--engines", "bfs", "--backends", "threads"},
           {"compare", "--set", "haskell", "--json", "-", "--csv", "-"},
           {"compare", "--set", "haskell", "--json", folder.text() + "/missing/x"}}) {
    const Finished run = tessera(wrong);
    EXPECT_EQ(run.code, 2) << wrong.back() << run.err;
    EXPECT_EQ(complaints(run.err).size(), 1U) << wrong.back() << run.err;
    EXPECT_EQ(run.out, "") << wrong.back();
  }
}

TEST(Compare, ASignalEndsItWithWhatWasTimed) {
  const TemporaryFile results("");
  Running running({tessera_program, "compare", "--set", "haskell:3", "--engines", "ida,iddfs",
                   "--heuristics", "misplaced", "--backends", "serial", "--repeat", "50", "--quiet",
                   "--json", results.path()});
  running.wait_until_it_worked(500ms);
  running.signal(SIGTERM);
  const Finished run = running.wait(20s);
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  const auto json = json_lines(results.content()).at(0);
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_LT(json["configurations"][1]["runs"].size(), 50U);
}

TEST(Compare, ASignalIsWhyAConfigurationHasNoTime) {
  const TemporaryFile results("");
  Running running({tessera_program, "compare", "--set", "hardest15:1", "--engines", "ida",
                   "--heuristics", "zero", "--backends", "serial", "--json", results.path()});
  running.wait_until_it_worked(500ms);
  running.signal(SIGTERM);
  const Finished run = running.wait(20s);
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_NE(run.out.find("has no time: stopped by a signal"), std::string::npos) << run.out;
  EXPECT_EQ(json_lines(results.content()).at(0)["configurations"][0]["cut"], "stopped by a signal");
}

TEST(Compare, TimesBeamSearchBesideProofs) {
  const Finished run =
      tessera({"compare", "--set", "haskell:5", "--engines", "ida,astar,beam", "--heuristics",
               "manhattan", "--incumbent", "beam:500", "--backends", "serial,threads", "--workers",
               "2", "--repeat", "1", "--json", "-", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::map<std::string, int> times;
  const auto comparison = json_lines(run.out).at(0);
  for (const auto& configuration : comparison["configurations"]) {
    times[configuration["engine"]] += static_cast<int>(configuration["runs"].size());
  }
  EXPECT_EQ(times["beam"], 2);
  EXPECT_EQ(times["ida"], 2);
  EXPECT_EQ(times["astar"], 1);
  EXPECT_EQ(tessera({"compare", "--set", "haskell:5", "--incumbent", "auto"}).code, 2);
}

TEST(Compare, ThreadsAreWorkersWithoutRanksAndJsonSaysWhatWasRun) {
  const std::vector<std::string> one{"compare",   "--set",    "haskell:3", "--heuristic",
                                     "manhattan", "--repeat", "1",         "--backends",
                                     "threads",   "--quiet",  "--json",    "-"};
  const auto list = json_lines(tessera(with(one, {"--threads", "1,2"})).out).at(0);
  ASSERT_EQ(list["configurations"].size(), 2U);
  EXPECT_EQ(list["configurations"][1]["workers"], 2);
  const auto three = json_lines(tessera(with(one, {"--threads", "3"})).out).at(0);
  EXPECT_EQ(three["configurations"].at(0)["workers"], 3);
  EXPECT_EQ(three["configurations"].at(0)["prune"], "parent");
  EXPECT_EQ(three["set"], "haskell:3");
  EXPECT_EQ(three["size"], "4x4");
  EXPECT_EQ(three["tiles"].at(0).size(), 16U);
  EXPECT_EQ(three["finish_iteration"], false);
  EXPECT_FALSE(three["revision"].get<std::string>().empty());
  EXPECT_TRUE(three["command"].get<std::string>().starts_with("tessera compare --set haskell:3"));
}

}  // namespace
}  // namespace tessera::cli
