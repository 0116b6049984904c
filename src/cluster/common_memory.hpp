// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "cluster/open_mpi.hpp"
#include "tessera/base/memory.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// Zeroed memory that all ranks of a job on one host share: an unnamed file in memory
/// (`memfd_create`) of rank 0, which the others open through /proc. It needs no folder, has no
/// limit of its own and is gone with the last rank, however that ends. Empty where ranks are on
/// several hosts or one of them cannot have so much; where the kernel does not let ranks open one
/// another's files; and where Open MPI's own options forbid ranks to read one another's memory
/// (open_mpi::single_copy_allowed). Collective over the session's ranks, which `exchange` joins.
[[nodiscard]] inline LargeBuffer common_memory(const Session& session, std::size_t bytes,
                                               Exchange& exchange) {
  if (session.hosts().size() > 1) return {};
  const bool first = session.rank() == 0;
  // Where rank 0's memory is found: its pid, file and bytes, and the token at its end, since in
  // another namespace the same pid is another process.
  std::array<std::uint64_t, 4> card{};
  auto& [pid, file, size, token] = card;
  LargeBuffer memory;
  const auto place = [&] { return memory.bytes().last(sizeof(std::uint64_t)); };
  const bool allowed = open_mpi::single_copy_allowed();
  if (first && allowed) memory = LargeBuffer::shared(bytes + sizeof token);
  if (!memory.bytes().empty()) {
    std::random_device random;
    card = {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(memory.file()),
            memory.bytes().size(), std::uint64_t{random()} << 32 | random()};
    std::memcpy(place().data(), &token, sizeof token);
  }
  exchange.sum(card);  // only rank 0 adds anything
  if (!first && allowed) {
    memory =
        LargeBuffer::seen("/proc/" + std::to_string(pid) + "/fd/" + std::to_string(file), size);
  }
  const bool found =
      !memory.bytes().empty() && std::memcmp(place().data(), &token, sizeof token) == 0;
  std::array<std::uint64_t, 1> without{found ? 0U : 1U};
  exchange.sum(without);
  return without[0] == 0 ? std::move(memory) : LargeBuffer();
}

}  // namespace tessera
