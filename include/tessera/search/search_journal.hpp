// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tessera/search/bracket.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/subtree_walk.hpp"

namespace tessera {

/// What an unfinished run recorded of a board's search. The search continues from it.
struct SavedSearch {
  std::vector<IterationReport> iterations;  ///< complete, without a solution
  int next_bound = no_bound;                ///< to be searched next, unless `iterations` is empty
  std::vector<FinishedSubtree> finished;    ///< at the next bound
  double bound_seconds = 0;                 ///< spent on the next bound so far
  std::vector<FinishedBeam> beams = {};     ///< in the order in which they were run
};

/// Records a search as it goes on, so that a killed run can be resumed. Called by one thread.
class SearchJournal {
 public:
  virtual ~SearchJournal() = default;
  /// An iteration is complete and holds no solution.
  virtual void iteration_finished(const IterationReport& report, int next_bound) = 0;
  virtual void beam_finished(const FinishedBeam& beam) = 0;
  /// Subtrees finished within `bound` since the last call. `seconds`: spent on the bound so far,
  /// earlier runs included.
  virtual void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                 double seconds) = 0;
};

}  // namespace tessera
