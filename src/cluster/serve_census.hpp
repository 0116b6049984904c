// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/cluster/session.hpp"

namespace tessera {

/// The other ranks' side of run_cluster_census.
void serve_census(Session& session);

}  // namespace tessera
