// SPDX-License-Identifier: MIT
#include "tessera/search/best_first.hpp"

#include "tessera/search/best_first_run.hpp"

namespace tessera {

BestFirstResult best_first(const Problem& problem, const BestFirstOptions& options,
                           const Limits& limits, Observer& observer) {
  if (options.order == BestFirstOrder::breadth) {
    return breadth_first(problem, options, limits, observer);
  }
  return with_state_of(problem.instance.size(), [&]<class State>() {
    const Stopwatch watch;
    const auto expander = make_expander<State>(problem);
    const double setup_seconds = watch.seconds();
    BestFirstResult result = run_best_first<State>(*expander, problem, options, limits, observer);
    result.setup_seconds = setup_seconds;
    return result;
  });
}

}  // namespace tessera
