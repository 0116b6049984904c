// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

namespace tessera {

/// Standard output and standard error of a process whose launcher relays them, written in turns.
///
/// mpirun of Open MPI 5 reads both in pieces of at most 4,095 bytes. Up to PMIx 6.0 it keeps a
/// piece that ends within a line and puts it in front of what the process writes next, even to the
/// other stream (openpmix issue 3858): the beginning of a long line of JSON comes out on standard
/// error. So neither stream is written while the launcher may still have to read the other. A pipe
/// tells how much is unread; a pseudo-terminal does not, and the launcher is given time to read it.
class RelayedStreams {
 public:
  /// The two streams' descriptors.
  RelayedStreams(int output, int error);

  /// The streams of this process; null where no such launcher relays them.
  static RelayedStreams* of_process();

  /// Call before a write to `descriptor`. Returns once the other stream is read, after a second at
  /// the latest. Does nothing for descriptors that are neither.
  void wait_for_turn(int descriptor);
  /// Call after a write of `bytes` to `descriptor`.
  void written(int descriptor, std::size_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  struct Stream {
    int descriptor = -1;
    bool pipe = false;
    bool terminal = false;
    // Of a terminal:
    std::size_t recent = 0;       // bytes written before `read_by`
    bool long_line = false;       // of more than one piece, before `read_by`
    Clock::time_point read_by{};  // when the launcher has read all
  };

  static Stream look(int descriptor);
  static bool may_be_unread(const Stream& stream);

  std::mutex mutex_;
  Stream output_;
  Stream error_;
};

}  // namespace tessera
