// SPDX-License-Identifier: MIT
// The heuristics of random boards from nothing: what a table costs where no entry is in the cache.
#include <benchmark/benchmark.h>

#include "problems.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera::bench {
namespace {

void evaluate(benchmark::State& state, const Case& c) {
  const std::vector<Problem> boards = problems(c, 4096);
  const auto search = make_subtree_search(boards[0]);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(search->evaluate(boards[next].instance.start));
    next = (next + 1) % boards.size();
  }
  state.SetItemsProcessed(state.iterations());
}

const bool registered = [] {
  for (const Case& c : cases) {
    benchmark::RegisterBenchmark((std::string("evaluate/") + c.name).c_str(),
                                 [&c](benchmark::State& state) { evaluate(state, c); });
  }
  return true;
}();

}  // namespace
}  // namespace tessera::bench
