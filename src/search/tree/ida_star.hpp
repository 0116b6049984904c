// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "search/limits.hpp"
#include "search/observer.hpp"
#include "search/search_result.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// How beam search finds a solution before the optimal length is known. By default it does not.
struct IncumbentOptions {
  std::uint64_t width = 0;  ///< one beam search of this width before the first bound
  /// Beam searches of increasing width instead, while they are cheap compared to the next bound, or
  /// if a deadline leaves too little time for it.
  bool automatic = false;
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = ~std::uint64_t{0};  ///< most memory of a beam search per rank
  bool prove = true;  ///< continue with IDA* from below; otherwise any solution will do
};

struct IdaStarOptions {
  bool finish_iteration = false;  ///< visit all nodes of the last bound too
  bool all = false;               ///< count all optimal solutions; implies finish_iteration
  std::optional<std::uint64_t> listed = {};  ///< with `all`: list at most so many of them
  bool independent = false;                  ///< each subtree its own IDA*, as in the seed programs
  bool every_depth = false;                  ///< bounds 0, 1, 2, ...: iterative deepening by depth
  Schedule schedule = Schedule::stealing;
  std::size_t frontier = 0;          ///< subtrees to cut the tree into; 0: depends on the workers
  std::optional<int> split_depth;    ///< cut at this depth instead
  SearchJournal* journal = nullptr;  ///< not with independent bounds
  double journal_seconds = 0;        ///< how often finished subtrees are recorded there
  SavedSearch saved = {};            ///< what an earlier run recorded
  bool trace = false;                ///< report what each thread did to the observer
  IncumbentOptions incumbent = {};   ///< not with `all`, `finish_iteration` or `independent`
};

/// Iterative-deepening A* (Korf 1985) of one instance on any executor. Short iterations run in the
/// calling thread, since waking workers would take longer than the search; after that, the tree is
/// cut into subtrees for the executor. Counts do not depend on the cut. With an incumbent the
/// search ends once all bounds below its length are exhausted; if a limit ends it, the incumbent is
/// the solution, not proven optimal.
[[nodiscard]] SearchResult ida_star(const Problem& problem, const IdaStarOptions& options,
                                    SubtreeExecutor& executor, const Limits& limits,
                                    Observer& observer);

}  // namespace tessera
