// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace tessera {

/// Before anything else: a closed pipe or a file size limit becomes a write error, and no file that
/// is opened later takes the place of a standard stream that was closed at the start.
void settle_streams();

/// SIGINT, SIGTERM and SIGUSR1 set `interrupted`, so that a search stops cleanly; another SIGINT
/// or SIGTERM a second later or more ends the process as if nobody had listened. For commands that
/// look at it.
void stop_on_signals(std::atomic<bool>& interrupted);

/// Leaves stopping to rank 0: mpirun sends its signals to every rank.
void ignore_signals();

}  // namespace tessera
