// SPDX-License-Identifier: MIT
// Nodes per second of IDA*'s kernels within a bound, and evaluations per second of beam searches.
#include <benchmark/benchmark.h>

#include "problems.hpp"
#include "search/beam/beam.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/observer.hpp"

namespace tessera::bench {
namespace {

// Ends a search after so many nodes, so that every kernel does about as much.
class Budget final : public SearchControl {
 public:
  bool keep_going(const Counts& since_last) override {
    counts_ += since_last;
    return counts_.expanded < nodes;
  }
  static constexpr std::uint64_t nodes = 4'000'000;

 private:
  Counts counts_;
};

void expand(benchmark::State& state, const Case& c, Kernel kernel) {
  Problem problem = problems(c, 1)[0];
  problem.kernel = kernel;
  const auto search = make_subtree_search(problem);
  const Node root = search->node_at("");
  std::uint64_t expanded = 0;
  for (auto _ : state) {
    Budget budget;
    expanded += search->search(root, root.f() + 12, Mode::exhaust, budget).counts.expanded;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(expanded));
}

void beam(benchmark::State& state, Size size) {
  const Problem problem = problems({"", size, "zero"}, 1)[0];
  std::uint64_t evaluated = 0;
  for (auto _ : state) {
    Observer silent;
    const BeamOptions options{.width = static_cast<std::uint64_t>(state.range(0))};
    evaluated += beam_search(problem, options, 1, Limits{}, silent).evaluated;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(evaluated));
}

const bool registered = [] {
  constexpr std::pair<const char*, Kernel> kernels[] = {
      {"plain", Kernel::plain}, {"bucket", Kernel::bucket}, {"block", Kernel::block}};
  for (const Case& c : cases) {
    for (const auto& [name, kernel] : kernels) {
      const bool is_manhattan = std::string_view(c.heuristic) == "manhattan";
      const bool has_tables = std::string_view(c.heuristic).starts_with("pdb:");
      if (kernel == Kernel::bucket && !is_manhattan) continue;
      if (kernel == Kernel::block && !has_tables) continue;
      benchmark::RegisterBenchmark(
          (std::string("expand/") + c.name + "/" + name).c_str(),
          [&c, kernel = kernel](benchmark::State& state) { expand(state, c, kernel); })
          ->Unit(benchmark::kMillisecond);
    }
  }
  for (const Size size : {Size{4, 4}, Size{5, 5}, Size{7, 7}}) {
    benchmark::RegisterBenchmark(("beam/" + to_string(size)).c_str(),
                                 [size](benchmark::State& state) { beam(state, size); })
        ->Arg(4096)
        ->Arg(65536)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace tessera::bench
