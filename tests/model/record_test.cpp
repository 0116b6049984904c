// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "model/simulate.hpp"
#include "model/work_record.hpp"
#include "search/built_in_problem.hpp"
#include "search/plain_oracle.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

// Board 12's iterations to bound 45, cut fine.
const WorkRecord& record() {
  static const WorkRecord recorded = [] {
    WorkRecord record;
    record.id = "12";
    record.size = "4x4";
    SerialExecutor executor;
    constexpr std::uint64_t grain = 200;
    record_work(built_in_problem("korf100:12"), executor, {35, 37, 39, 41, 43, 45}, record, {},
                grain);
    return record;
  }();
  return recorded;
}

TEST(WorkRecord, HoldsTheCostOfEachSubtree) {
  const auto search = make_subtree_search(built_in_problem("korf100:12"));
  Unlimited control;
  for (const WorkTree& tree : record().iterations) {
    const Counts whole =
        search->search(search->node_at(""), tree.bound, Mode::exhaust, control).counts;
    EXPECT_EQ(tree.nodes[0].expanded, whole.expanded) << tree.bound;
    std::vector<std::string> paths(tree.nodes.size());
    std::size_t looked = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const WorkNode& node = tree.nodes[i];
      std::uint64_t below = 1;
      for (std::uint32_t c = 0; c < node.children; ++c) {
        const WorkNode& child = tree.nodes[node.first_child + c];
        below += child.expanded;
        paths[node.first_child + c] = paths[i] + std::string(child.steps, child.move);
      }
      if (node.children > 0) {
        EXPECT_EQ(node.expanded, below);
      }
      if (i % 97 == 0) {
        const Node root = search->node_at(paths[i]);
        EXPECT_EQ(search->search(root, tree.bound, Mode::exhaust, control).counts.expanded,
                  node.expanded)
            << paths[i];
        ++looked;
      }
    }
    EXPECT_GE(looked, 1U);
  }
  // As fine as was asked: few subtrees take much more than the grain.
  const WorkTree& last = record().iterations.back();
  std::uint64_t coarse = 0;
  for (const WorkNode& node : last.nodes) {
    if (node.children == 0 && node.expanded > 6 * 200) coarse += node.expanded;
  }
  EXPECT_EQ(coarse, 0U);
  EXPECT_GT(last.nodes.size(), last.nodes[0].expanded / 2000);
  EXPECT_GT(record().rate, 1e5);
}

TEST(WorkRecord, ComesBackFromItsFileOrNotAtAll) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "record";
  write_record(path, record());
  const WorkRecord back = read_record(path);
  EXPECT_EQ(back.id, "12");
  EXPECT_EQ(back.rate, record().rate);
  ASSERT_EQ(back.iterations.size(), record().iterations.size());
  for (std::size_t i = 0; i < back.iterations.size(); ++i) {
    const auto& was = record().iterations[i].nodes;
    const auto& is = back.iterations[i].nodes;
    EXPECT_EQ(back.iterations[i].bound, record().iterations[i].bound);
    ASSERT_EQ(is.size(), was.size());
    for (std::size_t n = 0; n < is.size(); ++n) {
      EXPECT_EQ(is[n].expanded, was[n].expanded);
      EXPECT_EQ(is[n].children, was[n].children);
      EXPECT_EQ(is[n].rise, was[n].rise);
      EXPECT_EQ(is[n].move, was[n].move);
      EXPECT_EQ(is[n].first_child, was[n].first_child);
    }
  }

  const std::string bytes = content_of(path);
  const auto kind_of = [&](const std::string& content) {
    overwrite(path, content);
    const Error error = refused([&] { return read_record(path); });
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
    return error.kind();
  };
  for (std::size_t length = 100; length < bytes.size(); length += 1 + bytes.size() / 37) {
    EXPECT_EQ(kind_of(bytes.substr(0, length)), ErrorKind::corrupt) << length;
  }
  for (std::size_t at = 100; at < bytes.size(); at += 1 + bytes.size() / 37) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(kind_of(damaged), ErrorKind::corrupt) << at;
  }
  EXPECT_EQ(kind_of("no record\n"), ErrorKind::input);
  EXPECT_EQ(kind_of(""), ErrorKind::input);
  std::filesystem::remove(path);
  EXPECT_THROW((void)read_record(path), Error);
}

// With a right checksum: nothing it says is used unseen.
TEST(WorkRecord, AForgedOneIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "record";
  const auto expect_refused = [&](const char* what, const auto& forge) {
    SCOPED_TRACE(what);
    WorkRecord forged = record();
    forge(forged);
    write_record(path, forged);
    EXPECT_EQ(refused([&] { return read_record(path); }).kind(), ErrorKind::corrupt);
  };
  for (const double rate : {0.0, -1e6, 1e-300, 1e300, std::nan(""), HUGE_VAL}) {
    expect_refused("rate", [&](WorkRecord& forged) { forged.rate = rate; });
  }
  for (const int bound : {-1, 1 << 20}) {
    expect_refused("bound", [&](WorkRecord& forged) { forged.iterations[0].bound = bound; });
  }
  expect_refused("text", [](WorkRecord& forged) { forged.id = "12\x1b[2J"; });
  expect_refused("no iteration", [](WorkRecord& forged) { forged.iterations.clear(); });
  for (const std::uint64_t expanded : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    for (const bool root : {true, false}) {
      expect_refused("cost", [&](WorkRecord& forged) {
        std::vector<WorkNode>& nodes = forged.iterations.back().nodes;
        nodes[root ? 0 : nodes[0].first_child].expanded = expanded;
      });
    }
  }
  expect_refused("no cost", [](WorkRecord& forged) { forged.iterations[0].nodes = {WorkNode{}}; });
  // A path along which f rises beyond all bounds.
  expect_refused("rise", [](WorkRecord& forged) {
    std::vector<WorkNode>& nodes = forged.iterations.back().nodes;
    nodes.clear();
    constexpr std::uint32_t length = 200;
    for (std::uint32_t i = 0; i < length; ++i) {
      nodes.push_back(
          {.expanded = length - i, .first_child = i + 1, .children = 1, .rise = 255, .move = 1});
    }
    nodes.emplace_back();
  });
}

SimulationOptions on(int ranks, double work_seconds, Schedule schedule = Schedule::stealing) {
  SimulationOptions options;
  options.machine.ranks = ranks;
  options.machine.rate = 1e7;
  options.schedule = schedule;
  options.work_seconds = work_seconds;
  options.iteration = record().iterations.size() - 1;
  return options;
}

TEST(Simulate, OneRankLosesItsPollsOnly) {
  const Simulation one = simulate(record(), on(1, 5));
  EXPECT_NEAR(one.expanded, 5e7, 5e4);  // less what lies above the cut
  EXPECT_NEAR(one.efficiency, 1 - one.lost_polls, 0.01);
  EXPECT_EQ(one.messages_per_rank, 0);
}

TEST(Simulate, StealingKeepsRanksBusyWhereDealingDoesNot) {
  const Simulation stealing = simulate(record(), on(64, 5));
  const Simulation dealt = simulate(record(), on(64, 5, Schedule::dealt));
  EXPECT_GT(stealing.efficiency, 0.93);
  EXPECT_LT(stealing.efficiency, 1);
  EXPECT_LT(dealt.efficiency, stealing.efficiency - 0.02);
  EXPECT_NEAR(stealing.speedup, 64 * stealing.efficiency, 1e-9);
  SimulationOptions slow = on(64, 5);
  slow.machine.slow_ranks = 32;  // at a quarter of the speed: worth 40 ranks together
  const Simulation slowed = simulate(record(), slow);
  EXPECT_NEAR(slowed.speedup, 40 * slowed.efficiency, 1e-9);
  EXPECT_EQ(dealt.steals, 0U);
  EXPECT_GT(stealing.steals, 0U);
  // What is lost adds up to what is missing.
  for (const Simulation& run : {stealing, dealt}) {
    const double lost =
        run.lost_start + run.lost_starved + run.lost_tail + run.lost_end + run.lost_polls;
    EXPECT_NEAR(run.efficiency + lost, 1, 0.02);
  }
  EXPECT_EQ(dealt.limit(), "the tail: too little is left to share");
}

// However many ranks, some thousands of subtrees are dealt, and nothing else that the master does
// grows much with them.
TEST(Simulate, ManyRanksBeginAndEndSoon) {
  const Simulation run = simulate(record(), on(2048, 10));
  EXPECT_LT(run.subtrees, 12'000U);
  EXPECT_GT(run.efficiency, 0.97);
  EXPECT_LT(run.lost_start, 0.008);
  EXPECT_LT(run.lost_end, 0.005);
}

// Ranks that have no subtree yet when the last one is done.
TEST(Simulate, LossesOfWorkThatEndsAtOnceAreShares) {
  for (const int ranks : {64, 1000, 4000}) {
    for (const double seconds : {1e-5, 1e-3}) {
      const Simulation run = simulate(record(), on(ranks, seconds));
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << seconds << " s");
      for (const double lost : {run.lost_start, run.lost_starved, run.lost_tail, run.lost_end,
                                run.lost_polls, run.lost_start + run.lost_end}) {
        EXPECT_GE(lost, 0);
        EXPECT_LE(lost, 1);
      }
    }
  }
}

TEST(Simulate, HoldsWithASlowRankAndThreads) {
  SimulationOptions options = on(16, 5);
  options.machine.slow_ranks = 1;
  EXPECT_GT(simulate(record(), options).efficiency, 0.9);
  options.schedule = Schedule::dealt;
  EXPECT_LT(simulate(record(), options).efficiency, 0.5);
  SimulationOptions hybrid = on(16, 20);
  hybrid.machine.threads = 4;
  EXPECT_GT(simulate(record(), hybrid).efficiency, 0.9);
  EXPECT_GT(simulate(record(), on(16, 5, Schedule::dynamic)).efficiency, 0.5);
}

TEST(Simulate, GrowsWorseWithLatencyAndIsRepeatable) {
  SimulationOptions options = on(64, 0.5);
  const Simulation once = simulate(record(), options);
  const Simulation again = simulate(record(), options);
  EXPECT_EQ(once.makespan_seconds, again.makespan_seconds);
  EXPECT_EQ(once.steals, again.steals);
  options.machine.latency_seconds = 0.01;
  EXPECT_LT(simulate(record(), options).efficiency, once.efficiency);
}

}  // namespace
}  // namespace tessera
