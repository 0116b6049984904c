// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <tessera/heuristic.hpp>

#include "heuristic/own_heuristic.hpp"
#include "solver/interface/translate.hpp"

namespace tessera {

// The public enumerations have the order of the internal ones.
static_assert(static_cast<int>(api::Engine::beam) == static_cast<int>(Engine::beam) &&
              static_cast<int>(api::Metric::multi) == static_cast<int>(Metric::multi) &&
              static_cast<int>(api::ErrorKind::corrupt) == static_cast<int>(ErrorKind::corrupt));

SearchOptions search_options(const api::Options& options, int ranks) {
  SearchOptions own;
  if (options.engine < api::Engine{} || options.engine > api::Engine::beam) {
    bad_input("engine: expected a value of the enumeration");
  }
  if (options.metric < api::Metric{} || options.metric > api::Metric::multi) {
    bad_input("metric: expected a value of the enumeration");
  }
  own.engine = static_cast<Engine>(options.engine);
  own.metric = static_cast<Metric>(options.metric);
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
    own.board_time_limit =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(*options.time_limit));
  }
  if (options.memory > 0) own.memory_bytes = options.memory;
  (void)adapt_to_engine(own, ranks);
  return own;
}

}  // namespace tessera

namespace tessera::api {

Engine parse_engine(std::string_view name) {
  return translated([&] { return static_cast<Engine>(tessera::parse_engine(std::string(name))); });
}

Metric parse_metric(std::string_view name) {
  return translated([&] { return static_cast<Metric>(tessera::parse_metric(name)); });
}

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
