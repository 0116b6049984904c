// SPDX-License-Identifier: MIT
#include "search/best_first/best_first.hpp"

#include "base/mapped_file.hpp"
#include "heuristic/zero.hpp"
#include "search/best_first/best_first_run.hpp"

namespace tessera {

SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                        const Limits& limits, Observer& observer) {
  const std::uint64_t earlier = noticed_file_changes();
  Problem searched = problem;
  if (options.order == BestFirstOrder::breadth) searched.heuristic = Zero::info.name;
  SearchResult result = run_best_first(searched, options, limits, observer, [&]<class State>() {
    return make_expander<State>(searched);
  });
  expect_unchanged_mapped_files(earlier);
  return result;
}

}  // namespace tessera
