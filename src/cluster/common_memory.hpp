// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "cluster/open_mpi.hpp"
#include "tessera/base/memory.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// Memory that all ranks of a job on one host share: an unnamed file in memory (`memfd_create`) of
/// rank 0, which the others open through /proc. It needs no folder, has no limit of its own and is
/// gone with the last rank, however that ends.
class CommonMemory {
 public:
  /// The session must stay.
  explicit CommonMemory(const Session& session) : session_(session) {}
  CommonMemory(const CommonMemory&) = delete;
  CommonMemory& operator=(const CommonMemory&) = delete;

  /// Zeroed memory, as long as this stays. Empty where ranks are on several hosts or one of them
  /// cannot have so much; where the kernel does not let ranks open one another's files; and where
  /// Open MPI's own options forbid ranks to read one another's memory
  /// (open_mpi::single_copy_allowed). Collective over the session's ranks, which `exchange` joins.
  [[nodiscard]] std::span<std::uint8_t> take(std::size_t bytes, Exchange& exchange) {
    if (session_.hosts().size() > 1) return {};
    const bool first = session_.rank() == 0;
    const bool allowed = open_mpi::single_copy_allowed();
    Card card{};
    LargeBuffer memory;
    if (first && allowed) memory = make(bytes + sizeof(std::uint64_t), card);
    exchange.sum(card);  // only rank 0 adds anything
    if (!first && allowed) memory = open(card);
    std::array<std::uint64_t, 1> without{memory.bytes().empty() ? 1U : 0U};
    exchange.sum(without);
    if (without[0] != 0) return {};
    return memory_.emplace_back(std::move(memory)).bytes().first(bytes);
  }

 private:
  static std::uint64_t random_token() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }

  // Where rank 0's memory is found: its pid, file and bytes, and the token at its end, since in
  // another namespace the same pid is another process.
  using Card = std::array<std::uint64_t, 4>;
  [[nodiscard]] static LargeBuffer make(std::size_t bytes, Card& card) {
    LargeBuffer memory = LargeBuffer::shared(bytes);
    if (memory.bytes().empty()) return memory;
    card = {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(memory.file()), bytes,
            random_token()};
    const auto place = memory.bytes().last(sizeof card[3]);
    std::memcpy(place.data(), &card[3], place.size());
    return memory;
  }

  [[nodiscard]] static LargeBuffer open(const Card& card) {
    const auto [pid, file, bytes, token] = card;
    std::ostringstream path;
    path << "/proc/" << pid << "/fd/" << file;
    LargeBuffer memory = LargeBuffer::seen(path.str(), bytes);
    if (memory.bytes().empty()) return memory;
    const auto place = memory.bytes().last(sizeof token);
    if (std::memcmp(place.data(), &token, place.size()) != 0) return {};
    return memory;
  }

  const Session& session_;
  std::vector<LargeBuffer> memory_;
};

}  // namespace tessera
