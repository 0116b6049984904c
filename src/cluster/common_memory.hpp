// SPDX-License-Identifier: MIT
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tessera/base/memory.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// Memory that all ranks of a job on one host share: an unnamed file in memory (`memfd_create`) of
/// rank 0, which the others open through /proc. It needs no folder, has no limit of its own and is
/// gone with the last rank, however that ends.
class CommonMemory {
 public:
  /// How a rank waits for the others; what it throws leaves the collective.
  using Wait = std::function<void(MPI_Request)>;

  /// `comm` has a session's ranks. Both must stay.
  CommonMemory(const Session& session, const boost::mpi::communicator& comm, Wait wait);
  CommonMemory(const CommonMemory&) = delete;
  CommonMemory& operator=(const CommonMemory&) = delete;

  /// Zeroed memory, as long as this stays. Empty where ranks are on several hosts or one of them
  /// cannot have so much; where the kernel does not let ranks open one another's files; and where
  /// Open MPI's own options forbid ranks to read one another's memory
  /// (open_mpi::single_copy_allowed). Collective.
  [[nodiscard]] std::span<std::uint8_t> take(std::size_t bytes);

 private:
  // Where rank 0's memory is found.
  struct Card {
    std::uint64_t pid;
    std::uint64_t file;
    std::uint64_t bytes;
    std::uint64_t token;  // at its end; in another namespace the same pid is another process
  };
  [[nodiscard]] static LargeBuffer make(std::size_t bytes, Card& card);
  [[nodiscard]] static LargeBuffer open(const Card& card);
  /// Waits; where that throws, MPI keeps the buffer.
  void finish(MPI_Request request, const std::shared_ptr<void>& buffer) const;
  [[nodiscard]] Card from_rank_0(const Card& card) const;
  [[nodiscard]] bool for_all(bool holds) const;

  const Session& session_;
  const boost::mpi::communicator& comm_;
  Wait wait_;
  std::vector<LargeBuffer> memory_;
};

}  // namespace tessera
