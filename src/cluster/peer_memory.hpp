// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/base/memory.hpp"

namespace tessera {

/// Memory that the ranks of this host have in common, and that of each of them, mapped to be read
/// where it lies: no copy, and nothing for the owner to do. Unnamed files in memory
/// (`memfd_create`), opened through /proc: they need no folder, have no limit of their own and are
/// gone with the last rank, however it ends.
///
/// Whether the kernel lets ranks open one another's is tried once, by looking for a random number:
/// in another namespace the same process id is somebody else's. If any rank of the job may not,
/// none does; nor where Open MPI's own options forbid ranks to read one another's memory
/// (open_mpi::single_copy_allowed).
class PeerMemory {
 public:
  /// Collective. `comm` must stay.
  explicit PeerMemory(MPI_Comm comm);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  [[nodiscard]] bool sees(int rank) const { return sees_[static_cast<std::size_t>(rank)] != 0; }
  /// By rank of `comm`; null for those that are not seen and this one. Collective. Throws
  /// CommonError(resource) where a rank cannot map another's.
  [[nodiscard]] std::vector<const std::uint8_t*> show(const LargeBuffer& mine);
  /// Zeroed memory that all ranks have in common, as long as this stays; all must see one another.
  /// Empty where one of them cannot have so much: then none sees another any more. Collective.
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes);

 private:
  /// Whether any rank says so; after it, all have looked at what was shown. Collective.
  [[nodiscard]] bool any(bool refused) const;

  MPI_Comm comm_;
  MPI_Comm host_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::vector<std::uint8_t> sees_;   // by rank of the whole
  std::vector<LargeBuffer> memory_;  // others', or in common
};

}  // namespace tessera
