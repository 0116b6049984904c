// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

namespace tessera {

/// Alternates writes to standard output and standard error when a launcher relays them.
///
/// mpirun of Open MPI 5 reads both in pieces of at most 4,095 bytes. Up to PMIx 6.0 it keeps a
/// piece that ends within a line and prepends it to the next output of the process, even on the
/// other stream (openpmix issue 3858): the start of a long JSON line appears on standard error. So
/// neither stream is written while the launcher may still have to read the other. A pipe shows how
/// much is unread; a pseudo-terminal does not, so the launcher is given time to read it.
class RelayedStreams {
 public:
  /// The two streams' descriptors.
  RelayedStreams(int output, int error);

  /// The streams of this process; null if no such launcher relays them.
  static RelayedStreams* of_process();

  /// Call before a write to `descriptor`. Returns once the other stream is read, or after one
  /// second. Ignores other descriptors.
  void wait_for_turn(int descriptor);
  /// Call after a write of `bytes` to `descriptor`.
  void written(int descriptor, std::size_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  struct Stream {
    int descriptor = -1;
    bool pipe = false;
    bool terminal = false;
    // For a terminal:
    std::size_t recent = 0;       // bytes written before `read_by`
    bool long_line = false;       // longer than one piece, before `read_by`
    Clock::time_point read_by{};  // when the launcher has read everything
  };

  static Stream look(int descriptor);
  static bool may_be_unread(const Stream& stream);

  std::mutex mutex_;
  Stream output_;
  Stream error_;
};

}  // namespace tessera
