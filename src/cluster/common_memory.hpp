// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "cluster/nonblocking.hpp"
#include "cluster/open_mpi.hpp"
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
  CommonMemory(const Session& session, const boost::mpi::communicator& comm, Wait wait)
      : session_(session), comm_(comm), wait_(std::move(wait)) {}
  CommonMemory(const CommonMemory&) = delete;
  CommonMemory& operator=(const CommonMemory&) = delete;

  /// Zeroed memory, as long as this stays. Empty where ranks are on several hosts or one of them
  /// cannot have so much; where the kernel does not let ranks open one another's files; and where
  /// Open MPI's own options forbid ranks to read one another's memory
  /// (open_mpi::single_copy_allowed). Collective.
  [[nodiscard]] std::span<std::uint8_t> take(std::size_t bytes) {
    if (session_.hosts().size() > 1) return {};
    const bool first = session_.rank() == 0;
    const bool allowed = open_mpi::single_copy_allowed();
    Card card{};
    LargeBuffer memory;
    if (first && allowed) memory = make(bytes + sizeof card.token, card);
    card = from_rank_0(card);
    if (!first && allowed) memory = open(card);
    if (!for_all(!memory.bytes().empty())) return {};
    return memory_.emplace_back(std::move(memory)).bytes().first(bytes);
  }

 private:
  static std::uint64_t random_token() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }

  // Where rank 0's memory is found.
  struct Card {
    std::uint64_t pid;
    std::uint64_t file;
    std::uint64_t bytes;
    std::uint64_t token;  // at its end; in another namespace the same pid is another process
  };
  [[nodiscard]] static LargeBuffer make(std::size_t bytes, Card& card) {
    LargeBuffer memory = LargeBuffer::shared(bytes);
    if (memory.bytes().empty()) return memory;
    card = {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(memory.file()), bytes,
            random_token()};
    std::memcpy(&memory.bytes().back() + 1 - sizeof card.token, &card.token, sizeof card.token);
    return memory;
  }

  [[nodiscard]] static LargeBuffer open(const Card& card) {
    std::ostringstream path;
    path << "/proc/" << card.pid << "/fd/" << card.file;
    LargeBuffer memory = LargeBuffer::seen(path.str(), card.bytes);
    if (memory.bytes().empty()) return memory;
    const std::uint8_t* const end = &memory.bytes().back() + 1;
    if (std::memcmp(end - sizeof card.token, &card.token, sizeof card.token) != 0) return {};
    return memory;
  }

  /// Waits; where that throws, MPI keeps the buffer.
  void finish(MPI_Request request, const std::shared_ptr<void>& buffer) const {
    try {
      wait_(request);
    } catch (...) {
      session_.state().retain(buffer);
      throw;
    }
  }

  [[nodiscard]] Card from_rank_0(const Card& card) const {
    const auto sent = std::make_shared<Card>(card);
    constexpr std::size_t words = sizeof(Card) / sizeof(std::uint64_t);
    const std::span content(reinterpret_cast<std::uint64_t*>(sent.get()), words);
    finish(nonblocking::broadcast(comm_, content, 0), sent);
    return *sent;
  }

  [[nodiscard]] bool for_all(bool holds) const {
    const auto all = std::make_shared<int>(holds ? 1 : 0);
    finish(nonblocking::all_reduce(comm_, std::span(all.get(), 1), boost::mpi::minimum<int>()),
           all);
    return *all != 0;
  }

  const Session& session_;
  const boost::mpi::communicator& comm_;
  Wait wait_;
  std::vector<LargeBuffer> memory_;
};

}  // namespace tessera
