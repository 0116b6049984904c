// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/base/clock.hpp"
#include "tessera/search/best_first.hpp"

namespace tessera {

/// Keeps the rows of a search that goes through layers of rising f or depth, and tells the
/// observer.
class Layers {
 public:
  Layers(SearchResult& result, Observer& observer) : result_(result), observer_(observer) {}

  /// The search has come to that bound; a smaller one (h is not consistent) belongs to the layer
  /// that is open.
  void enter(int bound, const Counts& counts) {
    if (begun_ && bound <= result_.bound) return;
    if (begun_) close(counts, true);
    begun_ = true;
    result_.bound = bound;
    observer_.iteration_started(bound);
  }
  /// The open layer ends with so many nodes since the search began.
  void close(const Counts& counts, bool complete) {
    if (!begun_) return;
    const IterationReport report{.bound = result_.bound,
                                 .counts = counts - before_,
                                 .seconds = watch_.lap(),
                                 .complete = complete};
    before_ = counts;
    result_.iterations.push_back(report);
    observer_.iteration_finished(report);
  }

 private:
  SearchResult& result_;
  Observer& observer_;
  Stopwatch watch_;
  Counts before_;
  bool begun_ = false;
};

}  // namespace tessera
