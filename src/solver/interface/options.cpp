// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <string>
#include <tessera/heuristic.hpp>

#include "heuristic/own_heuristic.hpp"
#include "solver/interface/translate.hpp"

namespace tessera {

SearchOptions search_options(const api::Options& options, int ranks) {
  SearchOptions own;
  if (options.engine < Engine{} || options.engine > Engine::beam) {
    bad_input("engine: expected a value of the enumeration");
  }
  if (options.metric < Metric{} || options.metric > Metric::multi) {
    bad_input("metric: expected a value of the enumeration");
  }
  own.engine = options.engine;
  own.metric = options.metric;
  own.heuristic = options.heuristic;
  own.table_directory = options.tables;
  own.all = options.all;
  if (options.all) own.most_solutions = options.max_solutions;
  own.finish_iteration = options.finish_iteration;
  own.seed = options.seed;
  own.node_limit = options.node_limit;
  constexpr int most_workers = 4096;
  if (options.threads < 0 || options.threads > most_workers) {
    bad_input("threads: expected 0 to " + std::to_string(most_workers));
  }
  own.threads = options.threads;
  if (options.time_limit) {
    // NaN fails the comparison, too.
    constexpr double most_seconds = 1e9;
    if (!(*options.time_limit > 0 && *options.time_limit <= most_seconds)) {
      bad_input("time_limit: expected seconds, more than 0 and at most 1e9");
    }
    const auto limit =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(*options.time_limit));
    own.board_time_limit = std::max(limit, std::chrono::nanoseconds(1));  // 0: none
  }
  if (options.memory > 0) own.memory_bytes = options.memory;
  (void)adapt_to_engine(own, ranks);
  return own;
}

}  // namespace tessera

namespace tessera::api {

void add_heuristic(const std::string& name, Heuristic heuristic) {
  translated([&] {
    if (!heuristic) bad_input("heuristic " + name + ": expected a function");
    add_own_heuristic(name, [own = std::move(heuristic)](Size size, std::span<const int> homes,
                                                         int blank) {
      return own(Homes{.width = size.width, .height = size.height, .home = homes, .blank = blank});
    });
  });
}

}  // namespace tessera::api
