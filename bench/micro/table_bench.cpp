// SPDX-License-Identifier: MIT
// The builder of additive tables: entries per second by the number of tiles of a pattern.
#include <benchmark/benchmark.h>

#include "pdb/pattern_table.hpp"

namespace tessera::bench {
namespace {

void build(benchmark::State& state) {
  const auto tiles = static_cast<int>(state.range(0));
  const Size size{4, 4};
  const CellSet homes = ((CellSet{1} << tiles) - 1) << 1;  // tiles 1, 2, ... behind the blank
  const TableRequest request = additive_request(canonical(make_pattern(size, homes, 0)).pattern);
  for (auto _ : state) {
    benchmark::DoNotOptimize(request.build(1, {}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(request.cost.entries));
}
BENCHMARK(build)->DenseRange(3, 7)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
