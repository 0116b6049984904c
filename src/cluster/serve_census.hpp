// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/command.hpp"

namespace tessera {

/// The other ranks' side of run_cluster_census.
void serve_census(Session& session, ReceivedCommand& received);

}  // namespace tessera
