// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "puzzle/goal.hpp"
#include "report/board_result.hpp"
#include "report/census_report.hpp"
#include "report/claimed_result.hpp"
#include "report/estimate.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"
#include "report/trace_writer.hpp"

namespace tessera {
namespace {

BoardResult solved_result() {
  BoardResult result;
  result.id = "x";
  result.board = parse_board("1 2 3 4 5 6 7 0 8", {});
  result.goal = "last";
  result.solution = "L";
  result.length = 1;
  result.optimal = true;
  result.heuristic = "manhattan";
  result.prune = "parent";
  result.counts = {1, 4, 0};
  result.iterations.push_back({1, {1, 3, 0}, 0.5, 0.25, true});
  return result;
}

TEST(Json, HasEveryFieldInItsType) {
  RunSetup setup;
  setup.backend = "serial";
  setup.schedule = "stealing";
  setup.bounds = "shared";
  setup.finish_iteration = true;
  setup.seed = 7;
  const auto json = nlohmann::json::parse(to_json(solved_result(), setup));
  EXPECT_EQ(json["schema"], "tessera.result/1");
  EXPECT_EQ(json["id"], "x");
  EXPECT_EQ(json["size"], "3x3");
  EXPECT_EQ(json["board"], (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 0, 8}));
  EXPECT_EQ(json["status"], "solved");
  EXPECT_EQ(json["length"], 1);
  EXPECT_EQ(json["nodes"]["generated"], 4);
  EXPECT_EQ(json["prune"], "parent");
  EXPECT_EQ(json["finish_iteration"], true);
  EXPECT_TRUE(json["seed"].is_null());
  EXPECT_EQ(json["iterations"][0]["idle_fraction"], 0.25);
  EXPECT_EQ(json["iterations"][0]["complete"], true);
  for (const char* const key : {"solutions", "all_moves", "good_moves"}) {
    EXPECT_TRUE(json.contains(key) && json[key].is_null()) << key;
  }
  BoardResult unsolved = solved_result();
  unsolved.status = Status::limit;
  unsolved.length.reset();
  unsolved.solution.reset();
  unsolved.solutions = 3;
  unsolved.prune.reset();
  unsolved.incumbent = Incumbent{.moves = "L", .length = 1};
  const auto null = nlohmann::json::parse(to_json(unsolved, setup));
  EXPECT_TRUE(null["length"].is_null());
  EXPECT_TRUE(null["moves"].is_null());
  EXPECT_EQ(null["solutions"], 3);
  EXPECT_TRUE(null["prune"].is_null());
  EXPECT_EQ(null["seed"], 7);
}

TEST(Json, IsReadBack) {
  const ClaimedResult claim = parse_result(to_json(solved_result(), {}));
  EXPECT_EQ(claim.board, solved_result().board);
  EXPECT_EQ(claim.moves, "L");
  EXPECT_EQ(claim.length, 1);
  EXPECT_EQ(claim.status, "solved");
  for (const char* bad : {"", "{}", "[1]", "{\"schema\":\"tessera.census/1\"}",
                          "{\"schema\":\"tessera.result/1\"}"}) {
    EXPECT_THROW((void)parse_result(bad), Error) << bad;
  }
}

TEST(Tables, NumbersAndAnswers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(36302808031), "36,302,808,031");
  EXPECT_EQ(seconds_text(123.456), "123.5");
  EXPECT_EQ(seconds_text(1.23456), "1.235");
  EXPECT_EQ(answer_line(solved_result()), "x: 1 move, optimal, verified: L\n");
  BoardResult unsolvable = solved_result();
  unsolvable.status = Status::unsolvable;
  EXPECT_TRUE(answer_line(unsolvable).starts_with("x: unsolvable"));
  BoardResult cut = solved_result();
  cut.status = Status::limit;
  cut.solution.reset();
  cut.stores_boards = true;
  EXPECT_TRUE(answer_line(cut).starts_with("x: not solved (limit)"));
  cut.stop = Stop::memory;
  EXPECT_TRUE(answer_line(cut).starts_with("x: not solved (memory)"));
  cut.lower_bound = 1;
  EXPECT_EQ(answer_line(cut), "x: not solved (memory), needs at least 1 move\n");
  EXPECT_TRUE(board_row(cut).ends_with("  (memory)\n"));
}

TEST(Tables, TimesOfNobodyAndOfNoTime) {
  EXPECT_NE(time_table({}, 0).find("0 workers"), std::string::npos);
  const std::string table = time_table({{0, 0, 3, 0, 1, 0, 0}, {0, 1, 1, 0, 3, 0, 0}}, 4);
  EXPECT_NE(table.find("imbalance 50.0 %"), std::string::npos);
  EXPECT_NE(table.find("2 workers"), std::string::npos);
}

TEST(Tables, AdviceNamesAnOption) {
  RunSetup setup;
  const std::vector<WorkerTimes> waiting{{0, 0, 1, 0, 1, 0, 0}, {0, 1, 1, 0, 1, 0, 0}};
  setup.schedule = "static";
  EXPECT_NE(advice(waiting, 2, setup).find("--schedule stealing"), std::string::npos);
  setup.schedule = "stealing";
  EXPECT_NE(advice(waiting, 2, setup).find("--frontier"), std::string::npos);
  const std::vector<WorkerTimes> busy{{0, 0, 2, 0, 0, 0, 0}, {0, 1, 2, 0, 0, 0, 0}};
  EXPECT_EQ(advice(busy, 2, setup), "");
}

TEST(Output, AFullDiskIsAnError) {
  Output full = Output::file("/dev/full");
  EXPECT_THROW(full.write("text"), Error);
  EXPECT_THROW((void)Output::file("/dev/null/below-a-file"), Error);
}

// The file of a run that was killed at this moment.
nlohmann::json content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

TEST(Trace, IsWholeAtAnyTime) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "trace.json";
  RunSetup setup;
  setup.backend = "mpi";
  TraceWriter trace(Output::file(path), setup, {{.host = "here", .threads = 2}, {.host = "there"}});
  trace.board_started("odd \"name\" \xff");
  EXPECT_EQ(std::filesystem::file_size(path), 0U);  // the search may still be refused
  trace.iteration_started(41);
  EXPECT_EQ(content(path)["otherData"]["backend"], "mpi");
  std::size_t before = content(path)["traceEvents"].size();
  const auto expect_more = [&] {
    const std::size_t events = content(path)["traceEvents"].size();
    EXPECT_GT(events, before);
    before = events;
  };
  Span search;
  search.begin = nanoseconds_now();
  search.end = search.begin + 1'234'567;
  search.subject = 17;
  Span steal = search;
  steal.activity = Activity::steal;
  Span over = search;
  over.activity = Activity::over;
  over.subject = 2;
  trace.traced({{1, 0, {search, steal, over}, 9}});
  expect_more();
  trace.iteration_finished({41, {1, 3, 0}, 0.5, 0.25, false});
  trace.board_finished(solved_result());
  expect_more();

  const nlohmann::json events = content(path)["traceEvents"];
  const auto named = [&](const std::string& phase, const std::string& name) {
    for (const auto& event : events) {
      if (event["ph"] == phase && event["name"] == name) return event;
    }
    ADD_FAILURE() << "no " << phase << " " << name;
    return nlohmann::json();
  };
  const auto span = named("X", "search");
  EXPECT_DOUBLE_EQ(span["dur"], 1234.567);
  EXPECT_EQ(span["pid"], 1);
  EXPECT_EQ(span["args"]["bound"], 41);
  EXPECT_EQ(span["args"]["subtree"], 17);
  EXPECT_EQ(named("b", "steal")["id"], named("e", "steal")["id"]);
  EXPECT_EQ(named("i", "over")["args"]["why"], "stopped");
  EXPECT_EQ(named("i", "too much to keep")["args"]["dropped"], 9);
  EXPECT_EQ(named("E", "bound 41")["args"]["complete"], false);
  EXPECT_EQ(named("M", "process_name")["args"]["name"], "rank 0 on here");
}

TEST(Trace, GoesThroughAPipe) {
  const TemporaryFolder folder;
  const std::filesystem::path fifo = folder.path() / "pipe";
  const std::filesystem::path copy = folder.path() / "copy";
  ASSERT_EQ(std::system(("mkfifo " + fifo.string()).c_str()), 0);
  FILE* reader = popen(("cat " + fifo.string() + " > " + copy.string()).c_str(), "r");
  {
    TraceWriter trace(Output::file(fifo), {}, {{.host = "here"}});
    trace.board_started("1");
    trace.iteration_started(1);
  }
  pclose(reader);
  EXPECT_GT(content(copy)["traceEvents"].size(), 1U);
}

// An absent value is null, and no time is not a short one.
TEST(Estimate, WithoutARateTellsNoTime) {
  BoardEstimate estimate;
  estimate.board = parse_board("1 2 3 4 5 6 7 0 8", {});
  estimate.goal = "last";
  estimate.probable_bound = 31;
  estimate.effort.bounds.push_back({});
  estimate.effort.bounds.back().bound = 31;
  estimate.effort.bounds.back().expanded = 209'000'000;
  const auto json = nlohmann::json::parse(to_json(estimate, {}));
  EXPECT_TRUE(json["seconds"].is_null());
  EXPECT_TRUE(json["expanded_per_second"].is_null());
  EXPECT_TRUE(json["bounds"][0]["seconds"].is_null());
  EXPECT_TRUE(json["request"].is_null());
  EXPECT_EQ(estimate_table(estimate, {}).find("< 1 ms"), std::string::npos);
  estimate.rate = 1e6;
  EXPECT_EQ(nlohmann::json::parse(to_json(estimate, {}))["seconds"], 209);
  EXPECT_NE(estimate_table(estimate, {}).find("3.5 min"), std::string::npos);
}

TEST(Estimate, SuggestsNoJobOfYears) {
  JobRequest request{.nodes = 10'000, .seconds = 90};
  EXPECT_NE(suggestion(request, " for all").find("suggested for all, with twice"),
            std::string::npos);
  EXPECT_NE(suggestion(request).find("--time=00:02:00"), std::string::npos);
  for (const double seconds : {1e9, 1e30, std::numeric_limits<double>::infinity()}) {
    request.seconds = seconds;
    EXPECT_EQ(suggestion(request),
              "no job is suggested: 10,000 nodes like this one would need more than a year\n");
  }
}

TEST(CensusReport, ASearchThatIsStoppedBeforeItsFirstLevelHasNoTable) {
  const CensusReport report{.size = {7, 2}, .goal = "last", .result = {}, .deepest = {}, .run = {}};
  EXPECT_EQ(census_table(report), "");
  EXPECT_EQ(census_answer(report), "7x2 single: stopped before the first level\n");
}

}  // namespace
}  // namespace tessera
