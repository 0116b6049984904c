// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "cluster/peer_memory.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// The ranks of a communicator as a complete search sees them. Waits politely, so that a rank that
/// waits for another leaves it the core.
class ClusterExchange final : public Exchange {
 public:
  explicit ClusterExchange(const Session& session);
  ~ClusterExchange() override;
  ClusterExchange(const ClusterExchange&) = delete;
  ClusterExchange& operator=(const ClusterExchange&) = delete;

  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] int rank() const override { return rank_; }
  void sum(std::span<std::uint64_t> values) override;
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override;
  void complete(std::span<std::uint16_t> list, std::span<const TileRange> parts) override;
  void conclude(std::span<std::uint16_t> list, std::span<const TileRange> parts,
                std::span<std::uint64_t> values) override;
  void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void progress() override;
  void finish(int slot) override;
  [[nodiscard]] bool done(int slot) override;
  [[nodiscard]] bool sees(int rank) const override { return peers_.sees(rank); }
  [[nodiscard]] std::vector<const std::uint8_t*> show(const LargeBuffer& mine) override {
    return peers_.show(mine);
  }
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override {
    return peers_.common(bytes);
  }

 private:
  MPI_Request begin_sum(std::span<std::uint64_t> values);
  MPI_Request begin_complete(std::span<std::uint16_t> list, std::span<const TileRange> parts);
  /// Waits for collectives, helping along what is under way.
  void wait(std::span<MPI_Request> requests);
  void wait(MPI_Request request) { wait({&request, 1}); }

  JobState& state_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int ranks_ = 1;
  int rank_ = 0;
  std::array<std::vector<MPI_Request>, 2> slots_;
  std::vector<int> lengths_;  // of the list that is being completed
  std::vector<int> starts_;
  PeerMemory peers_;
};

}  // namespace tessera
