// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tessera/census/exchange.hpp"

namespace tessera {

/// The ranks of a communicator as a complete search sees them. Waits politely, so that a rank that
/// waits for another leaves it the core.
class ClusterExchange final : public Exchange {
 public:
  explicit ClusterExchange(MPI_Comm comm);
  ~ClusterExchange() override;
  ClusterExchange(const ClusterExchange&) = delete;
  ClusterExchange& operator=(const ClusterExchange&) = delete;

  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] int rank() const override { return rank_; }
  void sum(std::span<std::uint64_t> values) override;
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override;
  void complete(std::span<std::uint16_t> list, std::span<const TileRange> parts) override;
  void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void progress() override;
  void finish(int slot) override;
  [[nodiscard]] bool done(int slot) override;

 private:
  /// Begins a collective and waits for it, helping along what is under way.
  void wait(const std::function<void(MPI_Request*)>& begin);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int ranks_ = 1;
  int rank_ = 0;
  std::array<std::vector<MPI_Request>, 2> slots_;
};

}  // namespace tessera
