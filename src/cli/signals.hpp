// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace tessera {

/// SIGINT, SIGTERM and SIGUSR1 set `interrupted`, so that a search stops cleanly; a second SIGINT
/// or SIGTERM ends the process as if nobody had listened. A closed pipe becomes a write error.
void stop_on_signals(std::atomic<bool>& interrupted);

/// Leaves stopping to rank 0: mpirun sends its signals to every rank.
void ignore_signals();

}  // namespace tessera
