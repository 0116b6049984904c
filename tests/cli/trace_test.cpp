// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "trace_file.hpp"

namespace tessera::cli {
namespace {

// The time table's average, in seconds, and its workers.
double search_seconds(const std::string& err) {
  double least = 0;
  double average = 0;
  const std::size_t row = err.find("  search ");
  EXPECT_NE(row, std::string::npos) << err;
  EXPECT_EQ(std::sscanf(err.c_str() + row, "  search %lf %lf", &least, &average), 2);
  int workers = 0;
  EXPECT_EQ(std::sscanf(err.c_str() + err.find(" s on "), " s on %d", &workers), 1);
  return average * workers;
}

// Two clocks of the same work: on a busy machine, a thread may lose some time slices between them.
void expect_close(double a, double b) {
  EXPECT_NEAR(a, b, 0.03 * b + 0.01);
}

TEST(Trace, ThreadsTellAllThatTheySearched) {
  const TemporaryFile file("");
  const TemporaryFile json("");
  const Finished run = tessera({"solve", "--set", "korf100:9,12,30", "--heuristic", "manhattan",
                                "--threads", "2", "--frontier", "100", "--finish-iteration",
                                "--trace", file.path(), "--json", json.path()});
  ASSERT_EQ(run.code, 0) << run.err;
  const TraceFile trace(file.content());
  EXPECT_EQ(trace.threads.size(), 4U);
  EXPECT_EQ(trace.threads.at({0, 2}), "search 0");
  EXPECT_EQ(trace.threads.at({0, 3}), "search 1");
  EXPECT_EQ(trace.searching.count({0, 2}) + trace.searching.count({0, 3}), 2U);
  EXPECT_TRUE(trace.processes.at(0).starts_with("rank 0 on "));
  EXPECT_EQ(trace.events.at("B board 30"), 1);
  EXPECT_EQ(trace.unfinished, 0U);
  EXPECT_GE(trace.events.at("X wait"), 2);
  expect_close(trace.seconds.at("search"), search_seconds(run.err));
  std::uint64_t expanded = 0;
  for (const auto& row : json_lines(json.content())) {
    expanded += static_cast<std::uint64_t>(row["nodes"]["expanded"]);
  }
  EXPECT_LE(trace.expanded, expanded);  // without the nodes above the cut
  EXPECT_GE(trace.expanded, expanded - 20'000);
}

TEST(Trace, OneThreadAndIndependentBounds) {
  const TemporaryFile file("");
  const Finished serial = tessera({"solve", "--set", "haskell", "--backend", "serial",
                                   "--heuristic", "manhattan", "--trace", file.path()});
  ASSERT_EQ(serial.code, 0) << serial.err;
  const TraceFile trace(file.content());
  EXPECT_EQ(trace.threads.size(), 2U);
  EXPECT_EQ(trace.unfinished, 0U);
  EXPECT_EQ(trace.searching, (std::set<TraceFile::Thread>{{0, 1}}));
  EXPECT_EQ(trace.events.at("i 40 moves"), 1);
  expect_close(trace.seconds.at("search"), search_seconds(serial.err));

  const Finished independent =
      tessera({"solve", "--set", "haskell:8", "--bounds", "independent", "--heuristic", "manhattan",
               "--threads", "2", "--quiet", "--trace", file.path()});
  ASSERT_EQ(independent.code, 0) << independent.err;
  EXPECT_EQ(TraceFile(file.content()).unfinished, 0U);
}

TEST(Trace, IsWholeAfterASignalAndAfterAKill) {
  const std::vector<std::string> command{tessera_program, "solve",       "--set",
                                         "hardest15:1",   "--heuristic", "manhattan",
                                         "--threads",     "2",           "--trace"};
  for (const int signal : {SIGTERM, SIGKILL}) {
    const TemporaryFile file("");
    std::vector<std::string> all = command;
    all.push_back(file.path());
    Running running(all);
    running.wait_for("\n    64 ");
    // The file is whole between two iterations' ends, and the next one takes seconds.
    wait_until([&] {
      const std::string text = file.content();
      return nlohmann::json::accept(text) && TraceFile(text).unfinished == 2 &&
             TraceFile(text).events["X search"] >= 3;
    });
    running.signal(signal);
    EXPECT_EQ(running.wait().code, signal == SIGTERM ? 4 : 128 + SIGKILL);
    const TraceFile trace(file.content());
    EXPECT_GE(trace.events.at("X search"), 3);
    EXPECT_EQ(trace.unfinished, signal == SIGTERM ? 0U : 2U);  // a board and its iteration
  }
}

TEST(Trace, APathThatCannotBeWrittenIsFoundOutFirst) {
  const Finished run = tessera({"solve", "--set", "hardest15:1", "--trace", "/no/such/place/t"});
  EXPECT_EQ(run.code, 2);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("/no/such/place/t"), std::string::npos);
}

TEST(Trace, AFullDiskDoesNotLoseTheAnswer) {
  const Finished run = tessera({"solve", "1 2 3 4 5 0 7 8 6", "--quiet", "--trace", "/dev/full"});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find("1 move"), std::string::npos) << run.out;
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("/dev/full: cannot be written"), std::string::npos) << run.err;
}

TEST(Logs, OfOneProcessAreKeptFromRunToRun) {
  const TemporaryFolder folder;
  for (const char* backend : {"serial", "threads"}) {
    const Finished run = tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                                  "--backend", backend, "--quiet", "--log-dir", folder.text()});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"rank-0.log"});
  const std::string all = content_of(folder.path() / "rank-0.log");
  EXPECT_EQ(count_of(" start: rank 0 on ", all), 2U);
  EXPECT_EQ(count_of(" board '12'\n", all), 2U);
  EXPECT_EQ(count_of(" bound 45: ", all), 2U + 2U);  // what it did, and what all did
  EXPECT_EQ(count_of(" all ranks, bound 45: ", all), 2U);
  EXPECT_EQ(count_of(" solution of 45 moves\n", all), 2U);
  EXPECT_EQ(count_of(" end\n", all), 2U);
}

}  // namespace
}  // namespace tessera::cli
