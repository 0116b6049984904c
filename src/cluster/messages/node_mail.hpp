// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cluster/job/session.hpp"
#include "cluster/messages/mail.hpp"
#include "cluster/messages/nonblocking.hpp"
#include "search/best_first/state_table.hpp"

namespace tessera {

/// Sends nodes between ranks in batches, without allocations, probes or extra copies: batches to
/// fill and send come from a pool, and receives are posted in advance, so that data arrives where
/// it is read. Open MPI matches receives in the order in which they were posted, so only the oldest
/// needs to be tested.
///
/// A rank has batches only for the ranks to which it added nodes since the last `flush`. Batches
/// count against the search's memory, so `add` may throw MemoryFull.
///
/// Uses MPI directly: Boost.MPI has no persistent requests, and its requests allocate.
template <class Node>
class NodeMail {
  static_assert(std::is_trivially_copyable_v<Node>);

 public:
  /// Fits what Open MPI copies and sends immediately within a host, up to 4 KiB.
  static constexpr std::size_t batch_nodes = 3840 / sizeof(Node);

  NodeMail(const Session& session, MemoryBudget& budget)
      : state_(session.state()),
        budget_(budget),
        comm_(session.world()),
        filling_(static_cast<std::size_t>(session.size())) {
    for (UnderWay& posted : posted_) posted.batch = fresh();
    for (UnderWay& posted : posted_) {
      MPI_Recv_init(posted.batch->data(), batch_bytes, MPI_BYTE, MPI_ANY_SOURCE, tag_nodes, comm_,
                    &posted.request);
      MPI_Start(&posted.request);
    }
  }
  /// After a failure MPI may still use the buffers.
  ~NodeMail() {
    forget_sent();
    if (is_closed_ && under_way_.empty()) return;
    if (!is_closed_) std::ranges::move(posted_, std::back_inserter(under_way_));
    state_.retain(std::make_shared<std::deque<UnderWay>>(std::move(under_way_)));
  }
  NodeMail(const NodeMail&) = delete;
  NodeMail& operator=(const NodeMail&) = delete;

  /// Adds a node to the batch for a rank, which is sent when it is full.
  void add(int to, const Node& node) {
    Filling& filling = filling_[static_cast<std::size_t>(to)];
    if (!filling.batch) {
      filling.batch = fresh();
      begun_.push_back(to);
    }
    (*filling.batch)[filling.count++] = node;
    if (filling.count == batch_nodes) send(to, filling);
  }
  /// Sends the batches that are not full.
  void flush() {
    for (const int to : begun_) {
      Filling& filling = filling_[static_cast<std::size_t>(to)];
      if (filling.count > 0) send(to, filling);
      if (filling.batch) pool_.push_back(std::move(filling.batch));
    }
    begun_.clear();
  }
  /// Calls `use` with each batch that has arrived.
  template <class Use>
  void receive(Use use) {
    while (true) {
      UnderWay& oldest = posted_[next_];
      int arrived = 0;
      MPI_Status status;
      MPI_Test(&oldest.request, &arrived, &status);
      if (arrived == 0) return;
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(Node);
      received_ += count;
      use(std::span<const Node>(oldest.batch->data(), count));
      MPI_Start(&oldest.request);
      next_ = (next_ + 1) % posted_.size();
    }
  }
  /// Reclaims the batches whose sends are complete.
  void forget_sent() {
    while (!under_way_.empty()) {
      if (!nonblocking::test({&under_way_.front().request, 1})) return;
      pool_.push_back(std::move(under_way_.front().batch));
      under_way_.pop_front();
    }
  }
  /// Cancels the posted receives. Call it after everything sent to this rank has arrived and before
  /// anything else is sent with tag_nodes.
  void close() {
    is_closed_ = true;
    for (UnderWay& posted : posted_) {
      MPI_Cancel(&posted.request);
      MPI_Wait(&posted.request, MPI_STATUS_IGNORE);
      MPI_Request_free(&posted.request);
    }
  }

  [[nodiscard]] std::uint64_t sent() const { return sent_; }          ///< nodes
  [[nodiscard]] std::uint64_t received() const { return received_; }  ///< nodes
  [[nodiscard]] std::size_t batches_under_way() const { return under_way_.size(); }

 private:
  using Batch = std::array<Node, batch_nodes>;
  static constexpr int batch_bytes = static_cast<int>(sizeof(Batch));

  struct Filling {
    std::unique_ptr<Batch> batch;
    std::size_t count = 0;
  };
  struct UnderWay {
    std::unique_ptr<Batch> batch;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  std::unique_ptr<Batch> fresh() {
    if (pool_.empty()) {
      if (!budget_.take(sizeof(Batch))) throw MemoryFull();
      return std::make_unique<Batch>();
    }
    std::unique_ptr<Batch> batch = std::move(pool_.back());
    pool_.pop_back();
    return batch;
  }

  void send(int to, Filling& filling) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(filling.batch->data(), static_cast<int>(filling.count * sizeof(Node)), MPI_BYTE, to,
              tag_nodes, comm_, &request);
    sent_ += std::exchange(filling.count, 0);
    if (nonblocking::test({&request, 1})) return;  // the usual case: it was copied
    under_way_.push_back({std::move(filling.batch), request});
  }

  JobState& state_;
  MemoryBudget& budget_;
  MPI_Comm comm_;
  std::vector<Filling> filling_;  // by rank; no batch: no nodes for it
  std::vector<int> begun_;        // ranks that got a batch since the last flush, some twice
  std::array<UnderWay, 32> posted_;
  std::size_t next_ = 0;  // index of the oldest
  bool is_closed_ = false;
  std::deque<UnderWay> under_way_;
  std::vector<std::unique_ptr<Batch>> pool_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace tessera
