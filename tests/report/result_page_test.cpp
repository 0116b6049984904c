// SPDX-License-Identifier: MIT
#include "report/result_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/places.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "puzzle/goal.hpp"
#include "report/board_result.hpp"
#include "report/trace_writer.hpp"

namespace tessera {
namespace {

using nlohmann::json;

json result_json(const std::string& id = "x") {
  BoardResult result;
  result.id = id;
  result.board = parse_board("1 2 3 4 5 6 7 0 8", {});
  result.goal = "last";
  result.solution = "L";
  result.length = 1;
  result.optimal = true;
  result.heuristic = "manhattan";
  result.counts = {1, 4, 0};
  result.iterations.push_back({1, {1, 3, 0}, 0.5, 0.25, false});
  RunSetup setup;
  setup.backend = "threads";
  return json::parse(to_json(result, setup));
}

json census_json() {
  return {{"schema", "tessera.census/1"},
          {"size", "2x2"},
          {"goal", "cell:1"},
          {"metric", "single"},
          {"complete", true},
          {"radius", 6},
          {"states", 12},
          {"widths", {1, 2, 2, 2, 2, 2, 1}},
          {"deepest", {{{"board", {1, 3, 2, 0}}, {"length", 1}, {"moves", "D"}}}},
          {"seconds", 0.1},
          {"ranks", 1},
          {"threads", 2}};
}

json data_in(const std::string& html) {
  const std::string mark = "id=\"data\">";
  const std::size_t begin = html.find(mark) + mark.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

json data_of(std::string_view text) {
  ResultPage page;
  page.add(text, "file");
  return data_in(page.html());
}

std::string complaint(const std::string& text) {
  ResultPage page;
  const Error error = refused([&] { page.add(text, "FILE"); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

// The parts of a trace's track, with steps as shares of the whole.
std::vector<std::pair<std::string, double>> parts_of(const json& trace, std::size_t track) {
  std::vector<std::pair<std::string, double>> parts;
  const json& flat = trace["tracks"][track]["parts"];
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    const int activity = flat[i];
    const double share =
        flat[i + 1].get<double>() * trace["step"].get<double>() / trace["seconds"].get<double>();
    parts.emplace_back(activity < 0 ? "" : trace["activities"][static_cast<std::size_t>(activity)],
                       share);
  }
  return parts;
}

TEST(ResultPage, TellsWhatAFileIsFromWhatItHolds) {
  const std::string comparison = content_of(test_data("compare.json"));
  json census = census_json();
  census["deepest"].clear();
  const std::string mixture = result_json().dump() + "\r\n\n" + census.dump() + "\n" +
                              result_json("y").dump() + "\n" + json::parse(comparison).dump();
  ResultPage page;
  page.add(mixture, "mixture");
  page.add(comparison, "one object over many lines");
  page.add(R"({"traceEvents":[{"ph":"X","name":"search","pid":0,"tid":2,"ts":1,"dur":5}]})", "t");
  page.add(census.dump(2), "indented");
  EXPECT_EQ(page.summary(), "2 boards, 2 comparisons, 2 censuses, 1 trace");
  const json data = data_in(page.html());
  EXPECT_EQ(data["files"].size(), 4U);
  EXPECT_EQ(data["censuses"][1]["file"], 3);
  EXPECT_EQ(data["boards"][1][1], "y");
}

TEST(ResultPage, KeepsTheFiguresOfABoard) {
  const json data = data_of(result_json().dump() + "\n" + result_json("y").dump());
  ASSERT_EQ(data["runs"].size(), 1U);
  const json& run = data["runs"][0];
  EXPECT_EQ(run["goal"], "123456780");
  EXPECT_EQ(run["width"], 3);
  EXPECT_EQ(run["heuristic"], "manhattan");
  EXPECT_EQ(data["boards"][0], json::parse(R"([0, "x", "123456708", "solved", 1, "L", 1, 1, 0, 1, 4,
                                               null, 1, null, null, null, null,
                                               [1, 1, 3, 0.5, 0.25, 0]])"));
}

TEST(ResultPage, CountsTheMovesOfARowWithoutLength) {
  json result = result_json();
  result.erase("length");
  EXPECT_EQ(data_of(result.dump())["boards"][0][4], 1);
}

// What tells one invocation from another, and when a board was searched.
TEST(ResultPage, KeepsTheRunOfABoard) {
  json result = result_json();
  result["run"] = "7f";
  result["date"] = "2026-11-25T20:30:52Z";
  result["workers"] = 2;
  result["begin_seconds"] = 12345.0000004;
  result["end_seconds"] = 12345.25;
  result["cpu_share"] = 0.5;
  result["cpu"] = nullptr;
  json other = result;
  other["run"] = "80";
  const json data = data_of(result.dump() + "\n" + other.dump());
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["run"], "7f");
  EXPECT_EQ(data["runs"][1]["run"], "80");
  EXPECT_EQ(data["runs"][0]["date"], "2026-11-25T20:30:52Z");
  EXPECT_EQ(data["runs"][0]["cpu"], nullptr);
  const json& board = data["boards"][0];
  EXPECT_EQ(board[13], 2);
  EXPECT_EQ(board[14], 12345);
  EXPECT_EQ(board[15], 12345.25);
  EXPECT_EQ(board[16], 0.5);
}

TEST(ResultPage, TakesSimulations) {
  const std::string row =
      R"({"schema":"tessera.simulation/1","id":"12","size":"4x4","schedule":"stealing","bound":45,)"
      R"("ranks":64,"threads":1,"makespan_seconds":1.0624,"efficiency":0.94157,"strange":1})";
  ResultPage page;
  page.add(row + "\n" + row, "file");
  EXPECT_EQ(page.summary(), "2 simulated runs");
  const json simulation = data_in(page.html())["simulations"][1];
  EXPECT_EQ(simulation["ranks"], 64);
  EXPECT_EQ(simulation["makespan_seconds"], 1.0624);
  EXPECT_EQ(simulation["speedup"], nullptr);  // earlier versions wrote none
  EXPECT_FALSE(simulation.contains("strange"));
}

TEST(ResultPage, TakesGames) {
  const std::string row =
      R"({"schema":"tessera.analysis/1","id":"a","length":2,"optimal_length":null,"solves":false,)"
      R"("brackets":[[3,5],[4,4],[5,null]],"mistakes":[{"move":2,"before":4,"after":5,"better":"L"}]})";
  ResultPage page;
  page.add(row, "file");
  EXPECT_EQ(page.summary(), "1 game");
  const json game = data_in(page.html())["games"][0];
  EXPECT_EQ(game["brackets"], json::parse("[[3,5],[4,4],[5,null]]"));
  EXPECT_EQ(game["mistakes"][0]["better"], "L");
}

TEST(ResultPage, TakesShortenedSolutions) {
  const std::string row =
      R"({"schema":"tessera.optimization/1","id":"a","size":"3x3","goal":"last","metric":"single",)"
      R"("board":[1,2,3,4,0,6,7,5,8],"length_before":4,"length":2,"moves":"UL","solves":true,)"
      R"("optimal":false,"status":"limit"})";
  ResultPage page;
  page.add(row, "file");
  EXPECT_EQ(page.summary(), "1 board, 1 of them shortened");
  const json data = data_in(page.html());
  EXPECT_EQ(data["shortened"][0]["length_before"], 4);
  EXPECT_EQ(data["boards"][0][5], "UL");
  EXPECT_EQ(data["runs"][0]["engine"], "optimize");
  for (const auto& [from, to] : {std::pair{"UL", "UR"}, {"before\":4", "before\":1"}}) {
    std::string wrong = row;
    wrong.replace(wrong.find(from), std::strlen(from), to);
    EXPECT_THROW(data_of(wrong), Error) << wrong;
  }
}

// Stopped with a solution in hand: it is replayed, and shown beside what is proven from below.
TEST(ResultPage, KeepsTheBracketOfABoard) {
  json stopped = result_json();
  stopped["status"] = "limit";
  stopped["optimal"] = false;
  stopped["lower_bound"] = 1;
  stopped["upper_bound"] = 3;
  stopped["moves"] = "LRL";
  stopped["length"] = 3;
  stopped["lengths"] = {{"single", 3}, {"multi", 3}};
  const json board = data_of(stopped.dump())["boards"][0];
  EXPECT_EQ(board[3], "limit");
  EXPECT_EQ(board[4], 3);
  EXPECT_EQ(board[5], "LRL");
  EXPECT_EQ(board[12], 1);
  stopped["length"] = 5;
  EXPECT_THROW(data_of(stopped.dump()), Error);
  stopped["status"] = "unsolvable";
  EXPECT_THROW(data_of(stopped.dump()), Error);
}

TEST(ResultPage, AComparisonWithoutASolvableBoardHasVerdicts) {
  const json comparison =
      data_of(R"({"schema":"tessera.compare/1","configurations":[],"verdicts":["1: unsolvable"]})")
          ["comparisons"][0];
  EXPECT_EQ(comparison["configurations"], json::array());
  EXPECT_EQ(comparison["verdicts"], json::array({"1: unsolvable"}));
}

TEST(ResultPage, KeepsTheFiguresOfAComparison) {
  const json comparison = data_of(content_of(test_data("compare.json")))["comparisons"][0];
  EXPECT_EQ(comparison["boards"], 2);
  ASSERT_EQ(comparison["configurations"].size(), 5U);
  EXPECT_EQ(comparison["configurations"][1]["speedup"], 1.929);
  EXPECT_EQ(comparison["configurations"][1]["sections"]["wait"], 0.1);
  EXPECT_EQ(comparison["configurations"][4]["seconds"]["median"], nullptr);
  EXPECT_EQ(comparison["configurations"][4]["cut"], "--time-limit");
  EXPECT_EQ(comparison["interrupted"], nullptr);
  json doubtful = json::parse(content_of(test_data("compare.json")));
  doubtful["interrupted"] = true;
  doubtful["machine"]["cpu_share"] = 0.5;
  const json shown = data_of(doubtful.dump())["comparisons"][0];
  EXPECT_EQ(shown["interrupted"], true);
  EXPECT_EQ(shown["machine"]["cpu_share"], 0.5);
}

TEST(ResultPage, DeepestBoardsOfACensusAreBoardsToo) {
  json census = census_json();
  const json data = data_of(census.dump());
  EXPECT_EQ(data["runs"][0]["goal"], "1023");
  EXPECT_EQ(data["boards"][0][2], "1320");
  EXPECT_EQ(data["boards"][0][5], "D");
  census["deepest"][0]["moves"] = "DU";
  EXPECT_NE(complaint(census.dump()).find("FILE:1: a deepest board does not end"),
            std::string::npos);
}

TEST(ResultPage, NoTextOfAFileIsMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!-- & \" ' ` ${x}";
  json result = result_json(evil);
  result["heuristic"] = evil;
  result["engine"] = evil;
  json comparison = json::parse(content_of(test_data("compare.json")));
  comparison["verdicts"] = {evil};
  comparison["configurations"][0]["name"] = evil;
  comparison["machine"]["cpu"] = evil;
  ResultPage clean;
  clean.add(result_json().dump(), "a");
  ResultPage page;
  page.add(result.dump(), evil);
  page.add(comparison.dump(), evil);
  page.add(json{{"otherData", {{"engine", evil}}},
                {"traceEvents",
                 {{{"ph", "X"}, {"name", evil}, {"pid", 0}, {"tid", 2}, {"ts", 1}, {"dur", 5}},
                  {{"ph", "M"},
                   {"name", "thread_name"},
                   {"pid", 0},
                   {"tid", 2},
                   {"args", {{"name", evil}}}}}}}
               .dump(),
           "trace\xff");
  // Outside its data it is the same page, and the data holds what the files held.
  const auto around = [](const std::string& html) {
    const std::size_t begin = html.find("id=\"data\">");
    return html.substr(0, begin) + html.substr(html.find("</script>", begin));
  };
  EXPECT_EQ(around(page.html()), around(clean.html()));
  const json data = data_in(page.html());
  EXPECT_EQ(data["boards"][0][1], evil);
  EXPECT_EQ(data["runs"][0]["heuristic"], evil);
  EXPECT_EQ(data["comparisons"][0]["verdicts"][0], evil);
  EXPECT_EQ(data["traces"][0]["tracks"][0]["name"], evil);
  EXPECT_EQ(data["files"][0], evil);
}

TEST(ResultPage, ReachesForNothingOutside) {
  ResultPage page;
  page.add(result_json().dump(), "a");
  const std::string html = page.html();
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (std::size_t at = html.find("://"); at != std::string::npos; at = html.find("://", at + 1)) {
    // The name of SVG, which nobody asks for.
    EXPECT_EQ(html.substr(at + 3, 11), "www.w3.org/") << html.substr(at - 20, 60);
  }
  EXPECT_EQ(html.find("<!-- "), html.find("<!-- SPDX"));
}

TEST(ResultPage, SaysWhichLineIsBad) {
  const auto changed_census = [](const char* key, const json& value) {
    json census = census_json();
    census[key] = value;
    return census.dump();
  };
  const auto changed = [](const char* key, const json& value) {
    json result = result_json();
    result[key] = value;
    return result.dump();
  };
  const std::string good = result_json().dump() + "\n";
  const std::string trace = R"({"traceEvents":[)"
                            "\n"
                            R"({"ph":"X","name":"[{\"","pid":0,"tid":2,"ts":1,"dur":5},)"
                            "\n\n";
  struct Case {
    std::string text;
    std::string expected;
  };
  for (const Case& c : {
           Case{"", "FILE:1: is empty"},
           Case{" \n\n", "FILE:1: is empty"},
           Case{"board", "FILE:1: is not JSON, expected results"},
           Case{std::string("\x7f"
                            "ELF\0\1",
                            6),
                "FILE:1: is not JSON"},
           Case{"{}", "FILE:1: is not a result"},
           Case{"[1,2]", "FILE:1: is not a result"},
           Case{good + "{", "FILE:2: is not JSON"},
           Case{good + "\n" + good + "[]", "FILE:4: is not a result"},
           Case{good + R"({"schema":"tessera.estimate/1"})",
                "FILE:2: schema 'tessera.estimate/1' is not supported by report"},
           Case{good + R"({"schema":"tessera.simulation/1"})",
                "FILE:2: no number \"ranks\" in this simulation"},
           Case{good + R"({"schema":"tessera.simulation/1","ranks":-4})",
                "FILE:2: \"ranks\" of this simulation is '-4'"},
           Case{good + R"({"schema":"tessera.analysis/1","id":"a","length":2,"brackets":[[1,1]]})",
                "FILE:2: \"brackets\" of this analysis: expected a lower and an upper bound"},
           Case{good +
                    R"({"schema":"tessera.analysis/1","id":"a","length":0,"brackets":[[null,1]]})",
                "FILE:2: \"brackets\" of this analysis: expected a lower and an upper bound"},
           Case{good + changed("begin_seconds", "soon"),
                "FILE:2: \"begin_seconds\" of this result is '\"soon\"'"},
           Case{good + changed("length", 2), "FILE:2: board 'x' has 1 moves, the file says 2"},
           Case{good + changed("moves", "R"), "FILE:2: board 'x' does not end at its goal"},
           Case{good + changed("moves", "X"), "FILE:2: board 'x' has a move that leaves"},
           Case{good + changed("board", {1, 2}), "FILE:2: "},
           Case{good + changed("seconds", "fast"),
                "FILE:2: \"seconds\" of this result is '\"fast\"'"},
           Case{good + changed("seconds", -1), "FILE:2: \"seconds\" of this result is '-1'"},
           Case{good + R"({"schema":"tessera.census/1","seconds":)" + std::string(500'000, '[') +
                    std::string(500'000, ']') + "}",
                "FILE:2: \"seconds\" of this census is array, expected a number"},
           Case{R"({"schema":"tessera.census/1","size":"2x2","goal":"last","metric":"single",)"
                R"("widths":[1],"deepest":)" +
                    std::string(500'000, '[') + std::string(500'000, ']') + "}",
                "FILE:1: deepest board 1 is not an object"},
           Case{R"({"traceEvents":[{"ph":"X","name":"a","pid":0,"tid":2,"ts":1,"dur":5}],)"
                R"("otherData":{"engine":)" +
                    std::string(500'000, '[') + std::string(500'000, ']') + "}}",
                "FILE:1: \"engine\" of \"otherData\" of this trace is array,"},
           Case{good + changed("threads", 1.5), "FILE:2: \"threads\" of this result"},
           Case{good + changed("nodes", 5), "FILE:2: \"nodes\" of this result is not an object"},
           Case{good + changed("iterations", 5), "FILE:2: \"iterations\" of this result"},
           Case{good + changed("iterations", {5}), "FILE:2: iteration 1 is not an object"},
           Case{good + R"({"schema":"tessera.simulation/1","ranks":1,"ranks":2})",
                "FILE:2: 'ranks' appears twice, expected it once"},
           Case{R"({"schema":"tessera.census/1"})", "FILE:1: no text \"size\""},
           Case{R"({"schema":"tessera.census/1","size":"2x2","goal":"cell:4","metric":"single",)"
                R"("widths":[1]})",
                "FILE:1: goal: 'cell:4' is unknown"},
           Case{changed_census("states", 11),
                "FILE:1: \"states\" of this census is '11', its \"widths\" have 12"},
           Case{changed_census("radius", 7),
                "FILE:1: \"radius\" of this census is '7', its \"widths\" have 6"},
           Case{R"({"schema":"tessera.compare/1"})", "FILE:1: no \"configurations\""},
           Case{R"({"schema":"tessera.compare/1","configurations":[{"name":"a"},{}]})",
                "FILE:1: no text \"name\" in configuration 2"},
           Case{R"({"schema":"tessera.compare/1","configurations":[{"name":"a","sections":1}]})",
                "FILE:1: \"sections\" of configuration 1 is not an object"},
           Case{trace + R"({"ph":"X","name":"a","pid":0,"tid":2,"ts":"1","dur":5}]})",
                "FILE:4: no time \"ts\""},
           Case{trace + R"({"ph":"X","name":"a","ts":1,"dur":5}]})", "FILE:4: no number \"pid\""},
           Case{trace + R"({"ph":"X","name":"a","pid":0,"tid":2,"ts":1,"dur":-5}]})",
                "FILE:4: \"dur\" of this event is negative"},
           Case{trace + "5]}", "FILE:4: "},
           Case{trace + R"({"ph":"X")", "FILE:4: is not JSON"},
           Case{R"({"traceEvents":[]})", "FILE:1: this trace is empty"},
           Case{R"({"traceEvents":[1e999]})", "FILE:1: "},
       }) {
    EXPECT_TRUE(complaint(c.text).starts_with(c.expected)) << complaint(c.text) << "\n"
                                                           << c.expected;
  }
}

TEST(ResultPage, ATraceOfBoardsAloneIsASearch) {
  const json data = data_of(R"({"otherData":{"ranks":1},"traceEvents":[
{"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"main"}},
{"ph":"B","name":"board 1","pid":0,"tid":0,"ts":0},
{"ph":"B","name":"bound 20","pid":0,"tid":0,"ts":25},
{"ph":"E","name":"bound 20","pid":0,"tid":0,"ts":75},
{"ph":"E","name":"board 1","pid":0,"tid":0,"ts":75},
{"ph":"B","name":"board 2","pid":0,"tid":0,"ts":100}
]})");
  const json& trace = data["traces"][0];
  ASSERT_EQ(trace["tracks"].size(), 1U);
  EXPECT_EQ(trace["tracks"][0]["name"], "search");
  EXPECT_EQ(parts_of(trace, 0),
            (std::vector<std::pair<std::string, double>>{{"search", 0.75}, {"", 0.25}}));
  EXPECT_EQ(trace["marks"].size(), 2U);
}

// The clocks of ranks are estimated.
TEST(ResultPage, ATraceMayBeginBeforeZero) {
  const json data = data_of(R"({"otherData":{"ranks":1},"traceEvents":[
{"ph":"X","name":"search","pid":0,"tid":2,"ts":-100,"dur":200}]})");
  const json& trace = data["traces"][0];
  EXPECT_DOUBLE_EQ(trace["seconds"], 0.0002);
  EXPECT_EQ(trace["tracks"][0]["seconds"], json({2e-4}));
}

TEST(ResultPage, AMetricHasOneName) {
  json result = result_json();
  result["metric"] = "STM";
  EXPECT_EQ(data_of(result.dump())["runs"][0]["metric"], "single");
}

TEST(ResultPage, ATraceBecomesWhatEachThreadDidMost) {
  // search 0..100, in it share 40..60; wait 100..200 on thread 2; thread 3 begins at 50.
  const json data = data_of(R"({"otherData":{"ranks":1},"traceEvents":[
{"ph":"M","name":"thread_name","pid":0,"tid":2,"args":{"name":"search 0"}},
{"ph":"B","name":"bound 5","pid":0,"tid":0,"ts":1000},
{"ph":"X","name":"search","pid":0,"tid":2,"ts":1000,"dur":100},
{"ph":"X","name":"share","pid":0,"tid":2,"ts":1040,"dur":20},
{"ph":"X","name":"wait","pid":0,"tid":2,"ts":1100,"dur":100},
{"ph":"X","name":"search","pid":0,"tid":3,"ts":1050,"dur":150},
{"ph":"i","name":"solution","pid":0,"tid":3,"ts":1060,"s":"t"},
{"ph":"E","name":"bound 5","pid":0,"tid":0,"ts":1200}]})");
  const json& trace = data["traces"][0];
  EXPECT_DOUBLE_EQ(trace["seconds"], 0.0002);
  EXPECT_EQ(trace["activities"], json({"search", "share", "wait"}));
  EXPECT_EQ(trace["marks"], json::parse(R"([[0, 0.0002, "bound 5"]])"));
  ASSERT_EQ(trace["tracks"].size(), 2U);
  EXPECT_EQ(trace["tracks"][0]["name"], "search 0");
  EXPECT_EQ(trace["tracks"][1]["name"], "thread 3");
  EXPECT_EQ(trace["tracks"][0]["seconds"], json({8e-5, 2e-5, 1e-4}));
  const std::vector<std::pair<std::string, double>> expected[] = {
      {{"search", 0.2}, {"share", 0.1}, {"search", 0.2}, {"wait", 0.5}},
      {{"", 0.25}, {"search", 0.75}}};
  for (std::size_t track = 0; track < 2; ++track) {
    const auto parts = parts_of(trace, track);
    ASSERT_EQ(parts.size(), expected[track].size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].first, expected[track][i].first);
      EXPECT_NEAR(parts[i].second, expected[track][i].second, 1e-3);
    }
  }
}

TEST(ResultPage, AHugeTraceIsThinnedAndKeepsItsSums) {
  std::string text = R"({"traceEvents":[{"ph":"M","name":"x","pid":0,"tid":0})";
  constexpr int spans = 6'000;
  for (int i = 0; i < spans; ++i) {
    for (int thread = 2; thread < 14; ++thread) {
      text += R"(,{"ph":"X","pid":0,"name":)" +
              std::string(i % 2 == 0 ? "\"search\"" : "\"wait\"") +
              ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(i * 10) +
              ",\"dur\":" + std::to_string(i % 2 == 0 ? 9 : 10) + "}";
    }
  }
  ResultPage page;
  page.add(text + "]}", "huge");
  const std::string html = page.html();
  EXPECT_LT(html.size(), 600'000U);
  const json trace = data_in(html)["traces"][0];
  EXPECT_NEAR(trace["tracks"][3]["seconds"][0].get<double>(), spans / 2 * 9e-6, 1e-5);
}

}  // namespace
}  // namespace tessera
