// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/cluster/session.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {

/// A beam search whose boards are owned by hash (search/beam_run.hpp): every rank of the session
/// calls it alike, with its own number of threads. `limits` and `observer` are rank 0's.
[[nodiscard]] BeamResult cluster_beam(const Session& session, const Problem& problem,
                                      const BeamOptions& options, int threads, const Limits& limits,
                                      Observer& observer);

}  // namespace tessera
