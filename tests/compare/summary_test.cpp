// SPDX-License-Identifier: MIT
// The sentences below the table, and that none contradicts the figures it is about.

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "base/random.hpp"
#include "compare/verdicts.hpp"
#include "made_up.hpp"

namespace tessera {
namespace {

Measured drawn(Random& random, const std::string& backend, int workers) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1000)) / 999;
  };
  const double typical = std::exp(between(-2, 2));
  std::vector<double> seconds(5);
  for (double& wall : seconds) wall = typical * between(1, 1.05);
  Measured measured = made_up("ida", backend, workers, seconds, 1000 + random.below(1'000'000));
  for (TimedRun& run : measured.runs) {
    for (WorkerTimes& worker : run.times) {
      worker.communicate = run.seconds * between(0, 0.1);
      worker.split = run.seconds * between(0, 0.05);
      worker.other = run.seconds * between(0, 0.1);
      worker.search = run.seconds * between(0.2, 0.7);
      worker.wait = run.seconds - worker.search - worker.communicate - worker.split - worker.other;
    }
  }
  return measured;
}

Comparison drawn_comparison(Random& random) {
  Comparison comparison;
  comparison.boards = {"7"};
  comparison.configurations = {drawn(random, "serial", 1), drawn(random, "threads", 2),
                               drawn(random, "mpi", 2)};
  if (random.below(3) == 0) comparison.configurations.pop_back();
  return comparison;
}

const Measured& called(const Comparison& comparison, const std::string& name) {
  for (const Measured& measured : comparison.configurations) {
    if (name_of(measured.configuration) == name) return measured;
  }
  throw std::runtime_error("no configuration " + name);
}

const TimedRun& median_run(const Measured& measured) {
  return measured.runs[median_index(measured.seconds())];
}

double number(std::string text) {
  std::erase(text, ',');
  return std::stod(text);
}

double share(const TimedRun& run, std::initializer_list<double WorkerTimes::*> sections) {
  double sum = 0;
  for (const WorkerTimes& worker : run.times) {
    for (double WorkerTimes::*section : sections) sum += worker.*section;
  }
  return 100 * sum / (run.seconds * static_cast<double>(run.times.size()));
}

// What a clause such as "waits 2.1 % of its time instead of 1.0 %" measures, in a run.
double measured_by(const std::string& clause, const TimedRun& run) {
  const auto nodes = static_cast<double>(run.counts.expanded);
  const auto workers = static_cast<double>(run.times.size());
  if (clause.starts_with("has ")) return workers;
  if (clause.starts_with("expands ")) return nodes;
  if (clause.starts_with("waits ")) return share(run, {&WorkerTimes::wait});
  if (clause.starts_with("communicates ")) return share(run, {&WorkerTimes::communicate});
  if (clause.starts_with("spends ")) return share(run, {&WorkerTimes::split, &WorkerTimes::other});
  EXPECT_TRUE(clause.starts_with("searches ")) << clause;
  return 1e-6 * nodes / (run.seconds * workers * share(run, {&WorkerTimes::search}) / 100);
}

// Both numbers of a clause are those of the runs, and their difference points to where it is
// listed.
void expect_true(const std::string& clause, bool reason, const TimedRun& faster,
                 const TimedRun& slower) {
  static const std::regex both("(?:[a-z ]*)([0-9][0-9.,e-]*).* instead of ([0-9][0-9.,e-]*).*");
  const std::string object = clause.substr(clause.find(' ') + 1);
  std::smatch match;
  ASSERT_TRUE(std::regex_match(object, match, both)) << clause;
  const double of_faster = measured_by(clause, faster);
  const double of_slower = measured_by(clause, slower);
  EXPECT_NEAR(number(match[1]), of_faster, 0.06 + 0.006 * of_faster) << clause;
  EXPECT_NEAR(number(match[2]), of_slower, 0.06 + 0.006 * of_slower) << clause;
  const bool more_is_faster = clause.starts_with("has ") || clause.starts_with("searches ");
  EXPECT_EQ(more_is_faster == (of_faster > of_slower), reason) << clause;
}

void expect_clauses_true(std::string text, bool reasons, const TimedRun& faster,
                         const TimedRun& slower) {
  text = std::regex_replace(text, std::regex(", (?=[a-z])| and (?=[a-z]+ [0-9])"), "\n");
  for (std::size_t end = 0; !text.empty(); text.erase(0, end)) {
    end = std::min(text.find('\n'), text.size());
    expect_true(text.substr(0, end), reasons, faster, slower);
    if (end < text.size()) ++end;
  }
}

TEST(Summary, ContradictsNoFigure) {
  Random random(18);
  const std::regex faster(
      "(.*) is (.*) (times as fast as|% faster than) (.*): .* s against .* s, beyond the noise.*");
  const std::regex equal("(.*) and (.*) do not differ beyond the noise: .*");
  const std::regex luck(
      "The first solution ends the last bound, so times depend on luck: (.*) expands (.*) times "
      "the nodes of (.*), and is (.*) times as fast per node; compare with --finish-iteration");
  int explained = 0;
  int ties = 0;
  int lucky = 0;
  for (int round = 0; round < 300; ++round) {
    const Comparison comparison = drawn_comparison(random);
    const std::vector<std::string> lines = summary_of(comparison);
    ASSERT_LE(lines.size(), 4U);
    const Measured* first = nullptr;
    const Measured* second = nullptr;
    for (const std::string& line : lines) {
      SCOPED_TRACE(line);
      std::smatch match;
      if (std::regex_match(line, match, luck)) {
        const Measured& measured = called(comparison, match[1]);
        const Figures figures = figures_of(comparison, measured);
        EXPECT_EQ(figures.reference, &called(comparison, match[3]));
        EXPECT_NEAR(number(match[2]) / *figures.work_ratio, 1, 0.06);
        EXPECT_NEAR(number(match[4]), *figures.speedup * *figures.work_ratio, 0.006);
        ++lucky;
      } else if (std::regex_match(line, match, faster)) {
        first = &called(comparison, match[1]);
        second = &called(comparison, match[4]);
        const double ratio =
            spread_of(second->seconds()).median / spread_of(first->seconds()).median;
        const double shown =
            match[3].str()[0] == '%' ? 1 + number(match[2]) / 100 : number(match[2]);
        EXPECT_NEAR(shown, ratio, 0.006);
        EXPECT_LT(chance_of_difference(first->seconds(), second->seconds()), 0.05);
      } else if (std::regex_match(line, match, equal)) {
        const Measured& a = called(comparison, match[1]);
        EXPECT_GE(chance_of_difference(a.seconds(), called(comparison, match[2]).seconds()), 0.05);
        first = nullptr;
        ++ties;
      } else {
        ASSERT_TRUE(line.starts_with("Why: it "));
        ASSERT_NE(first, nullptr);  // a tie has no reasons
        const std::size_t although = line.find(", although it ");
        expect_clauses_true(line.substr(8, although - 8), true, median_run(*first),
                            median_run(*second));
        if (although != std::string::npos) {
          expect_clauses_true(line.substr(although + 14), false, median_run(*first),
                              median_run(*second));
        }
        ++explained;
      }
    }
    EXPECT_EQ(by_speed(comparison).front(),
              &called(comparison, lines[0].substr(0, lines[0].find(lines[0].find(" is ") <
                                                                           lines[0].find(" and ida")
                                                                       ? " is "
                                                                       : " and ida"))));
  }
  EXPECT_GT(explained, 200);
  EXPECT_GT(ties, 0);
  EXPECT_GT(lucky, 200);
}

TEST(Summary, CausesAddUpToTheDifference) {
  Random random(19);
  for (int round = 0; round < 100; ++round) {
    const Measured a = drawn(random, "threads", 2);
    const Measured b = drawn(random, "mpi", 4);
    double sum = 0;
    for (const Cause& cause : causes_of(a.runs[0], b.runs[0])) sum += cause.weight;
    EXPECT_NEAR(sum, std::log(b.runs[0].seconds / a.runs[0].seconds), 1e-9);
  }
}

TEST(Summary, NamesTheOneCause) {
  const auto why = [](const Measured& a, const Measured& b) {
    Comparison comparison;
    comparison.boards = {"7"};
    comparison.configurations = {a, b};
    return summary_of(comparison).at(1);
  };
  const std::vector<double> fast{1.0, 1.01, 1.02, 1.03, 1.04};
  const std::vector<double> slow{2.0, 2.02, 2.04, 2.06, 2.08};
  EXPECT_EQ(why(made_up("ida", "threads", 2, fast, 1000), made_up("ida", "mpi", 2, slow, 2000)),
            "Why: it expands 1,000 nodes instead of 2,000");
  Measured waiting = made_up("ida", "mpi", 2, slow);
  for (TimedRun& run : waiting.runs) {
    for (WorkerTimes& worker : run.times) {
      worker.search /= 2;
      worker.communicate /= 2;
      worker.wait = run.seconds - worker.search - worker.communicate;
    }
  }
  EXPECT_EQ(why(made_up("ida", "threads", 2, fast), waiting),
            "Why: it waits 25.0 % of its time instead of 62.5 %, although it communicates 5.0 % of "
            "its time instead of 2.5 %");
}

TEST(Summary, ComparesBackendsBesidesTheSecondFastest) {
  Comparison comparison = three();
  comparison.finish_iteration = true;
  comparison.configurations.push_back(made_up("astar", "serial", 1, {1.3, 1.31, 1.32, 1.33, 1.34}));
  for (TimedRun& run : comparison.configurations[2].runs) run.seconds *= 1.5;
  const std::vector<std::string> lines = summary_of(comparison);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with("ida manhattan, 2 threads is 25.7 % faster than astar"));
  EXPECT_TRUE(lines[1].starts_with("Why: it has 2 workers instead of 1"));
  EXPECT_TRUE(lines[2].starts_with(
      "ida manhattan, 2 threads is 1.51 times as fast as ida manhattan, 2 ranks"));
}

// Users ask which engine is faster, and which heuristic.
TEST(Summary, ComparesWithTheOtherEngineAndTheOtherHeuristic) {
  Comparison comparison;
  comparison.boards = {"7"};
  const auto add = [&](const char* engine, const char* heuristic, double seconds) {
    for (const bool serial : {true, false}) {
      const double wall = serial ? seconds * 1.01 : seconds;
      Measured measured = made_up(engine, serial ? "serial" : "threads", serial ? 1 : 2,
                                  {wall, wall * 1.001, wall * 1.002, wall * 1.003, wall * 1.004});
      measured.configuration.heuristic = heuristic;
      comparison.configurations.push_back(measured);
    }
  };
  add("ida", "manhattan", 4);
  add("ida", "walking", 2);
  add("astar", "manhattan", 6);
  add("astar", "walking", 8);
  std::vector<std::string> lines = summary_of(comparison);
  ASSERT_EQ(lines.size(), 3U);
  const std::string fastest = "ida walking, 2 threads is ";
  EXPECT_TRUE(lines[0].starts_with(fastest + "4.00 times as fast as astar walking, 2 threads"));
  EXPECT_TRUE(lines[1].starts_with("Why: "));
  EXPECT_TRUE(lines[2].starts_with(fastest + "2.00 times as fast as ida manhattan, 2 threads"));
  // An engine without that heuristic.
  comparison.configurations.resize(4);
  add("bfs", "zero", 20);
  lines = summary_of(comparison);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with(fastest + "10.00 times as fast as bfs"));
  EXPECT_TRUE(lines[2].starts_with(fastest + "2.00 times as fast as ida manhattan, 2 threads"));
  // One axis: then serial search, too.
  comparison.configurations.resize(4);
  lines = summary_of(comparison);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with(fastest + "2.00 times as fast as ida manhattan, 2 threads"));
  EXPECT_TRUE(lines[2].starts_with(fastest + "1.0 % faster than ida walking, serial")) << lines[2];
}

// An engine that answers with 195 moves where 45 suffice is fast, and no rival.
TEST(Summary, WhatIsNotOptimalIsNotPraised) {
  Comparison comparison;
  comparison.boards = {"7"};
  comparison.configurations = {made_up("ida", "serial", 1, {2.0, 2.1, 2.2, 2.0, 2.1}),
                               made_up("greedy", "serial", 1, {0.1, 0.11, 0.12, 0.1, 0.11}),
                               made_up("beam", "serial", 1, {0.3, 0.31, 0.32, 0.3, 0.31})};
  for (TimedRun& run : comparison.configurations[1].runs) run.boards = {{"7", 195, false, 0.1}};
  for (TimedRun& run : comparison.configurations[2].runs) run.boards = {{"7", 40, false, 0.1}};
  const std::vector<std::string> lines = summary_of(comparison);
  EXPECT_TRUE(lines.at(0).starts_with("beam manhattan, serial is 6.77 times as fast as ida"));
  EXPECT_EQ(lines.back(),
            "greedy manhattan, serial takes 0.110 s and beam manhattan, serial 0.310 s, but it is "
            "not optimal: 195 moves instead of 40");
  for (const std::string& line : verdict_lines(comparison)) {
    EXPECT_FALSE(line.starts_with("greedy manhattan, serial is ")) << line;
  }
  EXPECT_TRUE(to_sentence(judge(comparison.configurations[0], comparison.configurations[2]))
                  .ends_with("(p = 0.0079), without a proof that its solutions are optimal"));
  std::swap(comparison.configurations[0].runs, comparison.configurations[1].runs);
  for (TimedRun& run : comparison.configurations[0].runs) run.boards = {{"7", 40, true, 0.1}};
  for (TimedRun& run : comparison.configurations[1].runs) run.boards = {{"7", 195, false, 2}};
  EXPECT_TRUE(to_sentence(judge(comparison.configurations[0], comparison.configurations[1]))
                  .ends_with("(p = 0.0079), with 40 moves instead of 195"));
}

// The first solution ends the last bound: sooner with two threads, by luck.
TEST(Summary, LuckIsCalledSo) {
  Comparison comparison;
  comparison.boards = {"7"};
  comparison.configurations = {made_up("ida", "serial", 1, {2.0, 2.1, 2.2, 2.0, 2.1}, 1000),
                               made_up("ida", "threads", 2, {1.0, 1.1, 1.2, 1.0, 1.05}, 460)};
  EXPECT_TRUE(summary_of(comparison).front().ends_with("(p = 0.0079), with 0.46 times the nodes"));
  EXPECT_EQ(summary_of(comparison).back(),
            "The first solution ends the last bound, so times depend on luck: ida manhattan, 2 "
            "threads expands 0.46 times the nodes of ida manhattan, serial, and is 0.92 times as "
            "fast per node; compare with --finish-iteration");
  comparison.finish_iteration = true;
  EXPECT_TRUE(summary_of(comparison).back().starts_with("Why: "));
  for (Measured& measured : comparison.configurations) measured.configuration.engine = "astar";
  comparison.finish_iteration = false;
  EXPECT_TRUE(summary_of(comparison).back().starts_with("Why: "));
}

TEST(Summary, WhatHasNoTimeIsNamed) {
  Comparison comparison = three();
  comparison.configurations[0].cut = "cut by --time-limit 1 s";
  EXPECT_EQ(summary_of(comparison).back(),
            "ida manhattan, serial has no time: cut by --time-limit 1 s");
  comparison.configurations[1].cut = "cut by --time-limit 1 s";
  const std::vector<std::string> lines = summary_of(comparison);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "ida manhattan, 2 ranks takes 1.060 s (1.010 to 1.150)");
  EXPECT_EQ(lines[1],
            "ida manhattan, serial has no time: cut by --time-limit 1 s; 1 more was also cut");
}

}  // namespace
}  // namespace tessera
