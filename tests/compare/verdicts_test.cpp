// SPDX-License-Identifier: MIT
// Words and figures of comparisons that were never run.
#include "compare/verdicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "made_up.hpp"

namespace tessera {
namespace {

bool holds(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != line.npos; });
}

TEST(Verdicts, SayWhichIsFasterAndByHowMuch) {
  const auto lines = verdict_lines(three());
  EXPECT_TRUE(holds(lines,
                    "ida manhattan, 2 threads is 2.00 times as fast as ida manhattan, "
                    "serial: 1.050 s against 2.100 s, beyond the noise (p = 0.0079)"));
  EXPECT_TRUE(holds(lines,
                    "ida manhattan, 2 threads and ida manhattan, 2 ranks do not differ "
                    "beyond the noise: 1.050 s against 1.060 s"));
  ASSERT_EQ(lines.size(), 3U);  // each pair once
}

TEST(Verdicts, SmallDifferencesArePercents) {
  const Measured threads = made_up("ida", "threads", 2, {1.10, 1.11, 1.12, 1.13, 1.14});
  const Measured ranks = made_up("ida", "mpi", 2, {1.00, 1.01, 1.02, 1.03, 1.04});
  const Verdict verdict = judge(threads, ranks);
  EXPECT_EQ(verdict.noise, Verdict::Noise::beyond);
  EXPECT_EQ(verdict.faster->configuration.backend, "mpi");
  EXPECT_NE(to_sentence(verdict).find("2 ranks is 9.8 % faster than"), std::string::npos);
}

TEST(Verdicts, DoubtMoreThanFullEfficiency) {
  const Measured serial = made_up("ida", "serial", 1, {2.00, 2.01, 2.02, 2.03, 2.04});
  const auto is_doubted = [&](const std::string& backend, int workers, double seconds,
                              std::uint64_t nodes = 1000) {
    const Measured other = made_up("ida", backend, workers, std::vector(5, seconds), nodes);
    const std::string sentence = to_sentence(judge(serial, other));
    EXPECT_NE(sentence.find("beyond the noise"), std::string::npos) << sentence;
    return sentence.find("more than its workers explain") != std::string::npos;
  };
  EXPECT_TRUE(is_doubted("threads", 1, 1.05));  // 192 %
  EXPECT_FALSE(is_doubted("threads", 2, 1.05));
  EXPECT_TRUE(is_doubted("threads", 2, 0.8));
  EXPECT_FALSE(is_doubted("threads", 2, 0.8, 600));  // fewer nodes
  EXPECT_FALSE(is_doubted("threads", 1, 2.5));
}

TEST(Verdicts, FewRunsClaimNothing) {
  Comparison comparison;
  comparison.configurations = {made_up("ida", "serial", 1, {2.0, 2.1, 2.2}),
                               made_up("astar", "serial", 1, {1.0, 1.1, 1.2})};
  const auto lines = verdict_lines(comparison);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("was 1.91 times as fast as"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[0].find("beyond"), std::string::npos);
  EXPECT_NE(lines[0].find("--repeat 5"), std::string::npos);
}

TEST(Verdicts, ShortRunsClaimNothing) {
  Comparison comparison = three();
  for (TimedRun& run : comparison.configurations[1].runs) run.seconds /= 1000;
  comparison.configurations[1].runs[0].passes = 1000;
  EXPECT_TRUE(comparison.configurations[1].too_short());
  const Verdict verdict = judge(comparison.configurations[0], comparison.configurations[1]);
  EXPECT_EQ(verdict.noise, Verdict::Noise::unknown);
  const std::string name = name_of(comparison.configurations[1].configuration);
  const std::string other = name_of(comparison.configurations[0].configuration);
  EXPECT_EQ(to_sentence(verdict), name + " is too short to compare with " + other +
                                      ": 0.001050 s against 2.100 s, in runs of less than 50 ms; "
                                      "choose harder boards");
  EXPECT_NE(comparison_table(comparison).find("0.001050  too short to compare"), std::string::npos);
  const auto json = nlohmann::json::parse(to_json(comparison))["configurations"];
  EXPECT_EQ(json[1]["too_short"], true);
  EXPECT_EQ(json[0]["too_short"], false);
  for (TimedRun& run : comparison.configurations[1].runs) run.passes = 1000;
  EXPECT_FALSE(comparison.configurations[1].too_short());
}

TEST(Verdicts, ARunIsTheAverageOfItsPasses) {
  const TimedRun two = average_of(made_up("ida", "threads", 2, {1.0, 2.0}).runs);
  EXPECT_EQ(two.passes, 2);
  EXPECT_DOUBLE_EQ(two.seconds, 1.5);
  EXPECT_EQ(two.counts.expanded, 1000U);
  EXPECT_DOUBLE_EQ(two.times[0].search, 1.2);
  EXPECT_DOUBLE_EQ(two.times[1].wait, 1.5 * 0.35);
  EXPECT_DOUBLE_EQ(two.boards[0].seconds, 1.5);
  EXPECT_EQ(two.boards[0].length, 40);
}

TEST(Verdicts, WhatWasCutHasNoTimeAndNoRank) {
  Comparison comparison = three();
  comparison.configurations[2].cut = "cut by --time-limit 1 s";  // after some complete runs
  const auto lines = verdict_lines(comparison);
  EXPECT_EQ(by_speed(comparison).size(), 2U);
  EXPECT_EQ(lines.back(), "ida manhattan, 2 ranks has no time: cut by --time-limit 1 s");
  EXPECT_FALSE(holds(lines, "2 ranks is"));
  const auto json = nlohmann::json::parse(to_json(comparison));
  EXPECT_TRUE(json["configurations"][2]["seconds"].is_null());
  EXPECT_EQ(json["configurations"][2]["cut"], "cut by --time-limit 1 s");
  EXPECT_NE(comparison_table(comparison).find("-  cut by --time-limit 1 s"), std::string::npos);
}

TEST(Verdicts, FiguresAreThoseOfTheMedianRun) {
  const Comparison comparison = three();
  const Figures figures = figures_of(comparison, comparison.configurations[1]);
  EXPECT_EQ(&comparison.configurations[1].median_run(), &comparison.configurations[1].runs[4]);
  EXPECT_NEAR(*figures.speedup, 2.0, 1e-12);
  EXPECT_NEAR(*figures.efficiency, 1.0, 1e-12);
  EXPECT_NEAR(*figures.work_ratio, 1.1, 1e-12);
  EXPECT_EQ(figures.reference, &comparison.configurations[0]);
  EXPECT_EQ(comparison.configurations[1].moves(), 40);
  EXPECT_NEAR(figures.idle, 0.25, 1e-12);
  EXPECT_NEAR(figures.imbalance, 0.8 / 0.7 - 1, 1e-12);
  EXPECT_NEAR(figures.sections.sum(), 2 * 1.05, 1e-12);
  Comparison alone;
  alone.configurations = {comparison.configurations[1]};
  EXPECT_FALSE(figures_of(alone, alone.configurations[0]).speedup);  // nothing to be faster than
}

TEST(Verdicts, SpeedupNamesItsReference) {
  Comparison comparison = three();
  comparison.configurations.push_back(made_up("ida", "threads", 1, {2.2, 2.3, 2.2, 2.3, 2.2}));
  const auto reference = [&](std::size_t i) {
    return nlohmann::json::parse(to_json(comparison))["configurations"][i]["reference"];
  };
  EXPECT_EQ(reference(0), "ida manhattan, serial");
  EXPECT_EQ(reference(2), "ida manhattan, serial");
  std::string table = comparison_table(comparison);
  EXPECT_NE(table.find("speedup efficiency   work       expanded  moves\n"), table.npos) << table;
  EXPECT_NE(table.find("   2.00    100.0 %   1.10          1,100     40\n"), table.npos) << table;
  EXPECT_NE(table.find("\nspeedup and work refer to ida manhattan, serial\n"), table.npos);
  EXPECT_NE(to_csv(comparison).find(",40,optimal,\"ida manhattan, serial\",1.1\n"),
            std::string::npos);
  // Without serial search, one worker.
  comparison.configurations.erase(comparison.configurations.begin());
  EXPECT_EQ(reference(0), "ida manhattan, 1 thread");
  table = comparison_table(comparison);
  EXPECT_NE(table.find("\nspeedup and work refer to ida manhattan, 1 thread\n"), table.npos);
  EXPECT_TRUE(holds(verdict_lines(comparison), "times as fast as ida manhattan, 1 thread"));
  // Without that, nothing.
  comparison.configurations.pop_back();
  EXPECT_TRUE(reference(0).is_null());
  EXPECT_TRUE(reference(1).is_null());
  EXPECT_EQ(comparison_table(comparison).find("speedup"), std::string::npos);
}

// All speedups would be 1.
TEST(Verdicts, HeuristicsHaveNoSpeedup) {
  Comparison comparison;
  comparison.configurations = {made_up("ida", "serial", 1, {2.0, 2.1, 2.2}),
                               made_up("ida", "serial", 1, {1.0, 1.1, 1.2})};
  comparison.configurations[1].configuration.heuristic = "walking";
  EXPECT_EQ(comparison_table(comparison).find("speedup"), std::string::npos);
  EXPECT_NE(comparison_table(comparison).find("expanded  moves\n"), std::string::npos);
}

TEST(Verdicts, TheTableNamesAnswersThatAreNotOptimal) {
  Comparison comparison = three();
  for (TimedRun& run : comparison.configurations[1].runs) run.boards = {{"7", 195, false, 1}};
  for (TimedRun& run : comparison.configurations[2].runs) run.boards[0].optimal = false;
  const auto answers = [&](std::size_t i) {
    return nlohmann::json::parse(to_json(comparison))["configurations"][i]["answers"];
  };
  EXPECT_EQ(answers(0), "optimal");
  EXPECT_EQ(answers(1), "not optimal");
  EXPECT_EQ(answers(2), "optimal");  // as the serial search has proven
  EXPECT_NE(comparison_table(comparison).find("    195, not optimal\n"), std::string::npos);
  for (TimedRun& run : comparison.configurations[0].runs) run.boards[0].optimal = false;
  EXPECT_EQ(answers(0), "not proven optimal");
  EXPECT_EQ(answers(1), "not optimal");
  EXPECT_EQ(answers(2), "not proven optimal");
}

TEST(Verdicts, JsonAndCsvHoldEveryConfiguration) {
  const Comparison comparison = three();
  const auto json = nlohmann::json::parse(to_json(comparison));
  EXPECT_EQ(json["schema"], "tessera.compare/1");
  EXPECT_TRUE(json["study"].is_null());
  ASSERT_EQ(json["configurations"].size(), 3U);
  EXPECT_EQ(json["ranking"][0], "ida manhattan, 2 threads");
  EXPECT_EQ(json["configurations"][0]["runs"].size(), 5U);
  EXPECT_EQ(json["pairs"].size(), 3U);
  const std::string csv = to_csv(comparison);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  // A name with a comma is quoted; every row has as many fields as the heading.
  const auto fields = [](const std::string& row) {
    bool quoted = false;
    return std::count_if(row.begin(), row.end(), [&](char c) {
      if (c == '"') quoted = !quoted;
      return c == ',' && !quoted;
    });
  };
  Comparison cut = comparison;
  cut.configurations[1].cut = "cut by \"something\", or else";
  std::string rows = to_csv(cut);
  const auto heading = fields(rows.substr(0, rows.find('\n')));
  for (std::size_t end; (end = rows.find('\n')) != std::string::npos; rows.erase(0, end + 1)) {
    EXPECT_EQ(fields(rows.substr(0, end)), heading) << rows.substr(0, end);
  }
}

}  // namespace
}  // namespace tessera
