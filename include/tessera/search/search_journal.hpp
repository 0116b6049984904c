// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tessera/search/bracket.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/subtree_walk.hpp"

namespace tessera {

/// What an unfinished run has kept of a board's search: the search continues there.
struct SavedSearch {
  std::vector<IterationReport> iterations;  ///< complete, without a solution
  int next_bound = no_bound;                ///< where there are iterations: the one to go on with
  std::vector<FinishedSubtree> finished;    ///< at that bound, or the first
  double bound_seconds = 0;                 ///< that this bound has taken
  std::vector<FinishedBeam> beams = {};     ///< in the order in which they were run
};

/// Records a search as it goes on, so that a killed run can be resumed. Called by one thread.
class SearchJournal {
 public:
  virtual ~SearchJournal() = default;
  /// An iteration is complete and holds no solution.
  virtual void iteration_finished(const IterationReport& report, int next_bound) = 0;
  virtual void beam_finished(const FinishedBeam& beam) = 0;
  /// Subtrees finished within `bound` since the last call. `seconds`: that the bound has taken, in
  /// earlier runs too.
  virtual void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                 double seconds) = 0;
};

}  // namespace tessera
