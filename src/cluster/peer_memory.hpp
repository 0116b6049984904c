// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tessera/base/memory.hpp"
#include "tessera/cluster/session.hpp"

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
  /// How a rank waits for the others; what it throws leaves the collective.
  using Wait = std::function<void(MPI_Request)>;

  /// Collective over `comm`, a session's ranks. Both must stay.
  PeerMemory(const Session& session, MPI_Comm comm, Wait wait);
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
  // Where a rank's memory is found, for the others.
  struct Card {
    std::uint64_t rank;
    std::uint64_t pid;
    std::uint64_t file;
    std::uint64_t bytes;
    std::uint64_t token;  // what its first word is, in the trial
  };
  [[nodiscard]] static LargeBuffer look_at(const Card& card, bool writes);
  /// Those of this host's ranks. Collective.
  [[nodiscard]] std::vector<Card> cards_of_host(const LargeBuffer& mine,
                                                std::uint64_t token = 0) const;
  /// Whether any rank says so; after it, all have looked at what was shown. Collective.
  [[nodiscard]] bool any(bool refused) const;
  /// Waits; where that is left, MPI keeps the buffers.
  void finish(MPI_Request request, const std::shared_ptr<void>& buffers) const;

  const Session& session_;
  MPI_Comm comm_;
  Wait wait_;
  std::vector<std::uint8_t> sees_;   // by rank
  std::vector<LargeBuffer> memory_;  // others', or in common
};

}  // namespace tessera
