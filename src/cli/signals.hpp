// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace tessera {

/// Before anything else: a closed pipe or a file size limit becomes a write error, and no file that
/// is opened later takes the place of a standard stream that was closed at the start.
void settle_streams();

/// A mapped table or checkpoint that another process truncates ends this one by SIGBUS: with a line
/// that names the file, and the code of a corrupt one.
void explain_truncated_files();

/// Under mpirun, whose USR1 or USR2 may come while ranks still find one another: it ends no rank,
/// and the search that begins then stops immediately, as it would have later.
void remember_user_signals();

/// SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 set `interrupted`, so that a search stops cleanly;
/// another of the first three a second later or more ends the process as if nobody had listened.
/// For commands that look at it.
void stop_on_signals(std::atomic<bool>& interrupted);

/// The same signals on a rank that works for rank 0, which decides what becomes of them: none ends
/// this process.
void note_signals(std::atomic<bool>& interrupted);

/// Ends the process with this code if it is still there after so many seconds.
void exit_after(unsigned seconds, int code);

}  // namespace tessera
