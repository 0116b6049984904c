// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace tessera {

/// Call it before anything else: a closed pipe or a file size limit becomes a write error, and no
/// file opened later takes the number of a standard stream that was closed at the start.
void settle_streams();

/// If another process truncates a mapped table or checkpoint, SIGBUS ends this process: with a
/// message that names the file, and the exit code for a corrupt one.
void explain_truncated_files();

/// Under mpirun, USR1 or USR2 may arrive while ranks are still connecting: it ends no rank, and the
/// search that starts then stops immediately, as it would have later.
void remember_user_signals();

/// SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 set `interrupted`, so that a search stops cleanly;
/// another of the first three at least a second later ends the process as by default. For commands
/// that check the flag.
void stop_on_signals(std::atomic<bool>& interrupted);

/// The same signals on a rank that works for rank 0, which decides how to react: none ends this
/// process.
void note_signals(std::atomic<bool>& interrupted);

/// Ends the process with this code if it still runs after this many seconds.
void exit_after(unsigned seconds, int code);

}  // namespace tessera
