// SPDX-License-Identifier: MIT
#include "solver/options.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace tessera {
namespace {

constexpr Engine engines[] = {Engine::ida,    Engine::iddfs, Engine::iddfs_pruned, Engine::astar,
                              Engine::greedy, Engine::bfs,   Engine::beam};

std::string refusal(SearchOptions options, int ranks = 1) {
  try {
    (void)adapt_to_engine(options, ranks);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Names, AreReadInAnyCaseAndAsInTheLiterature) {
  for (const Engine engine : engines) EXPECT_EQ(parse_engine(to_string(engine)), engine);
  EXPECT_EQ(parse_engine("IDA*"), Engine::ida);
  EXPECT_EQ(parse_engine("A*"), Engine::astar);
  EXPECT_THROW((void)parse_engine("idaa"), Error);
}

TEST(Adapting, LeavesIdaAsItIs) {
  SearchOptions options{.heuristic = "manhattan", .all = true, .threads = 3};
  EXPECT_TRUE(adapt_to_engine(options, 4).empty());
  EXPECT_EQ(options.heuristic, "manhattan");
  EXPECT_EQ(options.backend, BackendKind::automatic);
}

TEST(Adapting, NotesAHeuristicThatTheEngineIgnores) {
  SearchOptions options{.engine = Engine::iddfs, .heuristic = "manhattan"};
  const auto notes = adapt_to_engine(options, 1);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("--heuristic manhattan is ignored"), std::string::npos);
  EXPECT_EQ(options.heuristic, "zero");
  EXPECT_EQ(options.prune, PruneRule::none);
  EXPECT_FALSE(takes_heuristic(options));
}

TEST(Adapting, PlacesEnginesThatKeepBoards) {
  SearchOptions alone{.engine = Engine::astar};
  (void)adapt_to_engine(alone, 1);
  EXPECT_EQ(alone.backend, BackendKind::serial);
  SearchOptions on_ranks{.engine = Engine::astar};
  (void)adapt_to_engine(on_ranks, 4);
  EXPECT_EQ(on_ranks.backend, BackendKind::mpi);
  EXPECT_EQ(on_ranks.threads, 1);
  SearchOptions queues{.engine = Engine::astar, .parallel = InnerParallel::queues, .queues = 3};
  (void)adapt_to_engine(queues, 1);
  EXPECT_EQ(queues.backend, BackendKind::threads);
  EXPECT_EQ(queues.threads, 3);
}

TEST(Adapting, RefusesWhatExcludesOneAnother) {
  EXPECT_EQ(refusal({.engine = Engine::astar, .all = true}),
            "--all: not with --engine astar, expected ida, iddfs or iddfs-pruned");
  EXPECT_EQ(refusal({.engine = Engine::bfs, .backend = BackendKind::mpi}, 2),
            "--backend mpi: not with --engine bfs, expected serial; census searches whole spaces");
  EXPECT_EQ(refusal({.incumbent = {.width = 10}, .all = true}), "--incumbent beam: not with --all");
  EXPECT_EQ(refusal({.metric = Metric::multi, .prune = PruneRule{8}}),
            "--prune fsm:8: not with --metric multi, expected parent");
  EXPECT_EQ(refusal({.prune = PruneRule{8}, .all = true}),
            "--prune fsm:8: leaves solutions out, --all needs parent");
  EXPECT_EQ(refusal({.resume = true}), "--resume: needs --checkpoint FILE");
}

// What the engines of a comparison share, each takes as far as it can.
TEST(Dropping, LeavesNothingToRefuse) {
  for (const Engine engine : engines) {
    for (const BackendKind backend : {BackendKind::serial, BackendKind::threads}) {
      SearchOptions options{.engine = engine,
                            .prune = PruneRule{8},
                            .incumbent = {.width = 100},
                            .kernel = Kernel::plain,
                            .parallel = InnerParallel::neighbors,
                            .backend = backend,
                            .frontier = 100,
                            .split_depth = 3};
      drop_unsupported(options);
      EXPECT_EQ(refusal(options), "") << to_string(engine) << " " << to_string(backend);
      EXPECT_EQ(options.incumbent.width > 0, engine == Engine::ida || engine == Engine::beam);
      EXPECT_EQ(options.split_depth.has_value(),
                cuts_trees(engine) && backend != BackendKind::serial);
    }
  }
}

TEST(Batches, AreExcludedByWhatConcernsOneSearch) {
  EXPECT_EQ(why_no_batch({}), nullptr);
  EXPECT_STREQ(why_no_batch({.engine = Engine::beam}), "--engine beam");
  EXPECT_STREQ(why_no_batch({.checkpoint = "file"}), "--checkpoint");
}

}  // namespace
}  // namespace tessera
