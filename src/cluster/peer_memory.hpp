// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/base/memory.hpp"

namespace tessera {

/// The memory of the other ranks of this host, mapped to be read where it lies: no copy, and
/// nothing for the owner to do. Unnamed files in memory (`memfd_create`), opened through /proc:
/// they need no folder, have no limit of their own and are gone with the last rank, however it
/// ends.
///
/// Whether the kernel lets ranks open one another's is tried once, by looking for a random number:
/// in another namespace the same process id is somebody else's. If any rank of the job may not,
/// none does; nor where Open MPI is told that ranks shall not read one another's memory
/// (`--mca btl_vader_single_copy_mechanism none`).
class PeerMemory {
 public:
  /// Collective.
  explicit PeerMemory(MPI_Comm comm);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  [[nodiscard]] bool sees(int rank) const { return sees_[static_cast<std::size_t>(rank)] != 0; }
  /// By rank of `comm`; null for those that are not seen and this one. Collective over the ranks of
  /// the host. Throws Error(resource) where memory cannot be mapped.
  [[nodiscard]] std::vector<const std::uint8_t*> show(const LargeBuffer& mine);
  /// Zeroed memory that the ranks of the host have in common, as long as this stays. Collective
  /// over them; they must see one another. Throws Error(resource) where there is not so much.
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes);

 private:
  MPI_Comm host_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::vector<std::uint8_t> sees_;   // by rank of the whole
  std::vector<LargeBuffer> memory_;  // others', or in common
};

}  // namespace tessera
