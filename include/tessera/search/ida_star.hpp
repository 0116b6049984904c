// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/search/beam.hpp"
#include "tessera/search/execution.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/search_result.hpp"

namespace tessera {

/// How a solution is found by beam search before it is known what is optimal. None by default.
struct IncumbentOptions {
  std::uint64_t width = 0;  ///< one beam search of this width before the first bound
  /// Ever wider ones instead, as long as they cost little beside the bound that comes next.
  bool automatic = false;
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = ~std::uint64_t{0};  ///< that a beam search may take on a rank
  bool prove = true;  ///< go on with IDA* from below; otherwise the solution is all that is asked

  /// Whether beam searches may: up to 16 cells IDA* finds a solution sooner.
  [[nodiscard]] static bool pays(Size size) { return size.cells() > 16; }
};

struct IdaStarOptions {
  bool finish_iteration = false;  ///< visit all nodes of the last bound too
  bool all = false;               ///< count all optimal solutions; implies finish_iteration
  bool independent = false;       ///< each subtree its own IDA*, as the seeds did
  bool every_depth = false;       ///< bounds 0, 1, 2, ...: iterative deepening by depth
  Schedule schedule = Schedule::stealing;
  std::size_t frontier = 0;          ///< subtrees to cut the tree into; 0: from the workers
  std::optional<int> split_depth;    ///< cut at this depth instead
  SearchJournal* journal = nullptr;  ///< not with independent bounds
  double journal_seconds = 0;        ///< how often finished subtrees are recorded there
  SavedSearch saved = {};            ///< what an earlier run recorded
  bool trace = false;                ///< show the observer what each thread did
  IncumbentOptions incumbent = {};   ///< not with `all`, `finish_iteration` or `independent`
};

/// Who searches the subtrees of IDA*, and the beams of its incumbents.
class IdaStarExecutor : public SubtreeExecutor, public BeamExecutor {};

/// Iterative-deepening A* (Korf 1985) of one instance over any executor. Short iterations run in
/// the calling thread, since waking workers would take longer than the search; from then on the
/// tree is cut into subtrees that the executor spreads. Counts do not depend on where it is cut.
/// With an incumbent the search ends as soon as all bounds below its length are exhausted; where a
/// limit ends it, the incumbent is the solution, not proven optimal.
[[nodiscard]] SearchResult ida_star(const Problem& problem, const IdaStarOptions& options,
                                    IdaStarExecutor& executor, const Limits& limits,
                                    Observer& observer);

}  // namespace tessera
