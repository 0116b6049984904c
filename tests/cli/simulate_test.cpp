// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "small_disk.hpp"

namespace tessera::cli {
namespace {

TEST(Simulate, ReplaysWhatSolveRecorded) {
  const TemporaryFile file("");
  const Finished solved = tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                                   "--threads", "2", "--record", file.path(), "--quiet"});
  ASSERT_EQ(solved.code, 0) << solved.err;
  const Finished run = tessera({"simulate", file.path(), "--ranks", "4,32", "--latency", "5us",
                                "--schedule", "static,stealing", "--work", "2s", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 8U);  // two machines, two schedules, two iterations
  for (const auto& row : rows) {
    EXPECT_EQ(row["schema"], "tessera.simulation/1");
    EXPECT_GT(row["efficiency"], 0.05);
    EXPECT_LT(row["efficiency"], 1);
    EXPECT_NEAR(row["speedup"].get<double>(),
                row["efficiency"].get<double>() * row["ranks"].get<double>(), 1e-9);
    EXPECT_EQ(row["latency_seconds"], 5e-6);
    const double expanded = row["expanded"];
    EXPECT_EQ(expanded, std::round(expanded));
  }
  EXPECT_EQ(rows[0]["bound"], 43);
  EXPECT_EQ(rows[1]["bound"], 45);
  EXPECT_EQ(rows[1]["schedule"], "static");
  EXPECT_EQ(rows[3]["schedule"], "stealing");
  EXPECT_GE(rows[3]["efficiency"], rows[1]["efficiency"]);
  EXPECT_NE(run.err.find("what limits"), std::string::npos);
  EXPECT_NE(run.err.find("makespan   speedup efficiency"), std::string::npos);
  expect_refused(tessera({"simulate", file.path(), "--ranks", "32,4", "--slow-ranks", "5"}),
                 "--slow-ranks 5: more than the ranks to simulate, expected 0 to 4");
  // One rank waits for nobody, and its threads work as they were measured.
  const Finished alone =
      tessera({"simulate", file.path(), "--ranks", "1", "--rate", "1000000", "--json", "-"});
  for (const auto& row : json_lines(alone.out)) EXPECT_GT(row["efficiency"], 0.99) << row;
  EXPECT_NE(alone.err.find(" expanded/s per thread, simulated with 1.0 M\n"), std::string::npos)
      << alone.err;
  Running::Options piped;
  piped.input = file.content();
  const Finished from_pipe = tessera({"simulate", "-", "--ranks", "4"}, piped);
  EXPECT_EQ(from_pipe.code, 0) << from_pipe.err;
  EXPECT_EQ(from_pipe.out, tessera({"simulate", file.path(), "--ranks", "4"}).out);
}

TEST(Simulate, RefusesMoreRanksThanMemoryHolds) {
  const TemporaryFile file("");
  ASSERT_EQ(tessera({"solve", "1 2 3 4 5 6 7 0 8", "--record", file.path(), "--quiet"}).code, 0);
  const Finished run =
      tessera({"simulate", file.path(), "--ranks", "4,1000000", "--threads", "4096"});
  EXPECT_EQ(run.code, 5);
  EXPECT_EQ(run.out, "");
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("--ranks 1000000: simulating 1000000 ranks x 4096 threads needs "),
            std::string::npos)
      << run.err;
}

// One simulated rank takes what one thread took: a record holds the speed of the search, not that
// of recording, which is 18 times slower here.
TEST(Simulate, TakesTheTimeOfTheSearch) {
  const TemporaryFile file("");
  const Finished solved =
      tessera({"solve", "--set", "korf100:5", "--heuristic", "manhattan", "--threads", "1",
               "--finish-iteration", "--record", file.path(), "--quiet", "--json", "-"});
  ASSERT_EQ(solved.code, 0) << solved.err;
  const auto searched = json_lines(solved.out).at(0)["iterations"].back();
  const Finished run = tessera(
      {"simulate", file.path(), "--ranks", "1", "--iterations", "1", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto simulated = json_lines(run.out).at(0);
  EXPECT_EQ(simulated["bound"], searched["bound"]);
  const double factor =
      simulated["makespan_seconds"].get<double>() / searched["seconds"].get<double>();
  EXPECT_GT(factor, 0.5);
  EXPECT_LT(factor, 2);
}

TEST(Simulate, AnUnsolvableBoardIsNotRecorded) {
  const TemporaryFolder folder;
  const Finished run = tessera({"solve", "1 2 3 4 5 6 8 7 0", "--record", folder.text() + "/r"});
  EXPECT_NE(run.err.find("note: nothing is recorded, the board is unsolvable"), std::string::npos);
}

TEST(Simulate, ABoardThatNeedsNoSearchIsNotRecorded) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/record";
  for (const bool quiet : {false, true}) {
    std::vector<std::string> arguments{"solve", "1 2 3 0", "--record", path};
    if (quiet) arguments.emplace_back("--quiet");
    const Finished run = tessera(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("note: nothing is recorded") == std::string::npos, quiet) << run.err;
    EXPECT_FALSE(std::filesystem::exists(path));
    // Nor does the record of an earlier run stay.
    EXPECT_EQ(tessera({"solve", "1 2 3/4 0 6/7 5 8", "--record", path, "--quiet"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_EQ(tessera(arguments).code, 0);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(Simulate, ARecordThatCannotBeWrittenLosesNoSummary) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "no file system can be mounted here";
  disk.fill(0);
  const TemporaryFile summary("");
  const Finished run =
      tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--quiet", "--record",
               disk.path() + "/record", "--summary", summary.path()});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find("45 moves"), std::string::npos) << run.out;
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("No space left"), std::string::npos) << run.err;
  EXPECT_EQ(json_lines(summary.content()).at(0)["solved"], 1);
}

// A board that nobody has solved shows, too, how its bounds scale.
TEST(Simulate, ABoardThatWasStoppedHasARecordOfItsCompleteBounds) {
  const TemporaryFile file("");
  const Finished run =
      tessera({"solve", "--set", "korf100:88", "--heuristic", "manhattan", "--incumbent", "none",
               "--node-limit", "3000000", "--record", file.path(), "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 4) << run.err;
  std::vector<int> complete;
  const auto row = json_lines(run.out).at(0);
  for (const auto& iteration : row["iterations"]) {
    if (iteration["complete"]) complete.push_back(iteration["bound"]);
  }
  const std::string content = file.content();
  const auto header = nlohmann::json::parse(content.substr(0, content.find('\n')));
  std::vector<int> recorded;
  for (const auto& iteration : header["iterations"]) recorded.push_back(iteration["bound"]);
  EXPECT_GT(recorded.size(), 1U);
  EXPECT_EQ(recorded, complete);
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/record";
  const Finished late = tessera({"solve", "--set", "hardest15:1", "--heuristic", "zero",
                                 "--incumbent", "none", "--time-limit", "2s", "--record", path});
  EXPECT_NE(late.err.find("note: nothing is recorded, a limit or signal came first\n"),
            std::string::npos)
      << late.err;
  EXPECT_NE(tessera({"solve", "--set", "korf100:88", "--heuristic", "manhattan", "--node-limit",
                     "1", "--record", path})
                .err.find("note: nothing is recorded, no bound was searched to its end\n"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Simulate, ARecordReplacesNoDevice) {
  const TemporaryFile file("");
  const std::string link = file.path() + ".link";
  std::filesystem::create_symlink("/dev/null", link);
  const Finished run = tessera({"solve", "1 2 3 0", "--record", link, "--quiet"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::filesystem::remove(link);
}

TEST(Simulate, ComplainsInOneLine) {
  const TemporaryFile file("no record\n");
  const TemporaryFolder folder;
  const std::string missing = folder.text() + "/missing";
  EXPECT_EQ(tessera({"simulate"}).code, 2);
  EXPECT_EQ(tessera({"simulate", missing}).code, 2);
  const Finished wrong = tessera({"simulate", file.path()});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(complaints(wrong.err).size(), 1U);
  EXPECT_EQ(tessera({"simulate", file.path(), "--ranks", "0"}).code, 2);
  EXPECT_EQ(tessera({"simulate", file.path(), "--latency", "fast"}).code, 2);
  const TemporaryFile cut("{\"schema\":\"tessera.record/1\",\"id\":");
  EXPECT_EQ(tessera({"simulate", cut.path()}).code, 6);
  EXPECT_EQ(tessera({"solve", "--set", "korf100:1-2", "--record", file.path()}).code, 2);
  EXPECT_EQ(tessera({"solve", "1 2 3 0", "--record", missing + "/record"}).code, 2);
}

}  // namespace
}  // namespace tessera::cli
