// SPDX-License-Identifier: MIT
#include "tessera/search/best_first.hpp"

#include "tessera/base/mapped_files.hpp"
#include "tessera/search/best_first_run.hpp"

namespace tessera {

SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                        const Limits& limits, Observer& observer) {
  if (options.order == BestFirstOrder::breadth) {
    return breadth_first(problem, options, limits, observer);
  }
  SearchResult result = with_state_of(problem.instance.size(), [&]<class State>() {
    const Stopwatch watch;
    const auto expander = make_expander<State>(problem);
    const double setup_seconds = watch.seconds();
    SearchResult found = run_best_first<State>(*expander, problem, options, limits, observer);
    found.setup_seconds = setup_seconds;
    return found;
  });
  expect_unchanged_mapped_files();
  return result;
}

}  // namespace tessera
