// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/best_first.hpp"

namespace tessera {

/// Best-first search with threads inside, as a study of the N-puzzle in Haskell tried it (Rawwagah,
/// Tsao, Lee 2023). `neighbors` and `distance` share out what one node costs, which is less than
/// sharing it out: they are here to be measured.
[[nodiscard]] SearchResult best_first_in_team(const Problem& problem,
                                              const BestFirstOptions& options, int threads,
                                              const Limits& limits, Observer& observer);

/// `queues:K`: one search until K nodes are open, dealt out to K searches, each with its own open
/// list and table; the first solution ends all. `optimal` where no other queue could have had a
/// shorter one.
[[nodiscard]] SearchResult best_first_in_queues(const Problem& problem,
                                                const BestFirstOptions& options,
                                                const Limits& limits, Observer& observer);

}  // namespace tessera
