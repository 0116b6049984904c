// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/cluster/session.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Opens a problem's tables on every rank's behalf; those that are missing are made first, shared
/// out among all ranks. Collective. False where `progress`, or another rank's, ended it: what was
/// finished until then stays.
[[nodiscard]] bool make_tables(const Session& session, const Problem& problem, int threads,
                               const TableProgress& progress);

}  // namespace tessera
