// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <span>
#include <vector>

#include "tessera/census/exchange.hpp"

namespace tessera {

/// The memory of the other ranks of this host, read as it lies there by Linux's cross memory attach
/// (`process_vm_readv`): one copy where a message takes three, and nothing for the owner to do.
///
/// Whether the kernel lets ranks do so is tried once, by reading a random number from one another:
/// in another namespace the same process id is somebody else's. If any rank of the job may not,
/// none does; nor where Open MPI is told not to
/// (`--mca btl_vader_single_copy_mechanism none`).
class PeerMemory {
 public:
  /// Collective.
  explicit PeerMemory(MPI_Comm comm);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  [[nodiscard]] bool reads(int rank) const { return pids_[static_cast<std::size_t>(rank)] != 0; }
  void read(int rank, std::span<const Exchange::Read> blocks) const;

 private:
  std::vector<pid_t> pids_;  // by rank; 0: not read
};

}  // namespace tessera
