// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/messages.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/search/best_first.hpp"

namespace tessera {

/// A* over ranks (HDA*: Kishimoto, Fukunaga, Botea 2009; Evett and others 1995), and greedy
/// best-first in the same way: every board has an owner, by its hash, which keeps its table entry
/// and expands it; what a rank generates it sends to the owners, in batches, without waiting.
///
/// A rank goes on while a node of f below the best known solution is open. TerminationDetection
/// finds the end: a node that was sent, and a rank's time of having work, are created by one and
/// completed by another event.
///
/// Collective. `limits` and `observer` on the master only, and only its result says more than that
/// all is over. Metric single.
[[nodiscard]] SearchResult hash_distributed(const Session& session, const Problem& problem,
                                            const BestFirstOptions& options, const Limits* limits,
                                            Observer* observer);

}  // namespace tessera
