// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/common_memory.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/cluster/session.hpp"

namespace tessera {

/// The ranks of a communicator as a complete search sees them. Waits politely, so that a rank that
/// waits for another leaves it the core. Owned by a shared_ptr: what a search that is left keeps
/// includes this.
class ClusterExchange final : public Exchange,
                              public std::enable_shared_from_this<ClusterExchange> {
 public:
  /// `stop`, where there is one: once it is true the search is given up on all ranks. Collective.
  ClusterExchange(const Session& session, const std::atomic<bool>* stop);
  ~ClusterExchange() override;
  ClusterExchange(const ClusterExchange&) = delete;
  ClusterExchange& operator=(const ClusterExchange&) = delete;

  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] int rank() const override { return rank_; }
  void sum(std::span<std::uint64_t> values) override;
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override;
  void complete(std::span<std::uint16_t> list, std::span<const SlabRange> parts) override;
  void conclude(std::span<std::uint16_t> list, std::span<const SlabRange> parts,
                std::span<std::uint64_t> values) override;
  void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void progress() override;
  void finish(int slot) override;
  [[nodiscard]] bool done(int slot) override;
  [[nodiscard]] bool given_up() override;
  void keep(std::shared_ptr<void> memory) override;
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override {
    return common_.take(bytes);
  }

 private:
  MPI_Request begin_sum(std::span<const std::uint64_t> values);
  MPI_Request begin_complete(std::span<const std::uint16_t> list, std::span<const SlabRange> parts);
  void wait_until(const std::function<bool()>& condition);
  /// Waits for collectives, helping along what is under way.
  void wait(std::span<MPI_Request> requests);
  void wait(MPI_Request request) { wait({&request, 1}); }
  /// Between two looks at what is waited for. Throws JobFailed, GivenUp.
  void look();

  JobState& state_;
  const std::atomic<bool>* stop_;
  boost::mpi::communicator comm_;
  int ranks_;
  int rank_;
  std::array<std::vector<boost::mpi::request>, 2> slots_;
  // What collectives read and write, which may outlive those who called them.
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint16_t> list_;
  std::vector<int> lengths_;
  std::vector<int> starts_;
  std::string text_;
  CommonMemory common_;
  bool ready_ = false;  // rank 0 gives nothing up before it is
};

}  // namespace tessera
