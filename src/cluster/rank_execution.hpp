// SPDX-License-Identifier: MIT
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/messages.hpp"
#include "cluster/polling.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/random.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/threads/subtree_pool.hpp"

namespace tessera {

/// One rank's part of one execution, the same on every rank: its threads search, its main thread
/// answers and sends messages until the master's stop arrives.
///
///   scatter ->  [ search | steal: request -> work | progress -> master ] -> stop (broadcast)
///           ->  no more messages under way (meet) -> all-reduce -> gather
///
/// A thief asks one victim at a time and waits for its answer, and a victim answers always, also
/// after the stop; so once all ranks have met with no answer outstanding, nothing is under way.
class RankExecution {
 public:
  RankExecution(const Session& session, SubtreePool& pool, const Announcement& announcement);

  /// Takes this rank's first items; collective.
  void begin(const std::vector<std::vector<PooledItem>>& items_by_rank);

  /// The master's view of all ranks at a moment; returns the reason to stop, if any.
  using Decide = std::function<std::optional<int>(const std::vector<RankProgress>&)>;
  /// Runs until the stop; `decide` is called on the master only. Returns the reason.
  int run(const Decide& decide);

  /// Ends together; collective. The results of all ranks are on the master only.
  struct End {
    ReducedResult reduced;
    std::vector<RankResult> ranks;
  };
  [[nodiscard]] End end();

 private:
  void receive();
  void answer(int thief);
  void steal(const SubtreePool::Status& status);
  void report(const SubtreePool::Status& status);
  void forward_incumbent();
  template <class Message>
  void send(int rank, MessageTag tag, const Message& message);
  void forget_sent();

  const boost::mpi::communicator& world_;
  SubtreePool& pool_;
  Task task_;
  std::uint32_t number_;
  PendingBroadcast stop_;
  std::vector<boost::mpi::request> sent_;
  std::vector<RankProgress> progress_;  // on the master, by rank
  RankProgress last_reported_;
  Stopwatch since_report_;
  Random random_;
  bool asking_ = false;
  int refusals_ = 0;
  Stopwatch since_refusal_;
  PoliteSleep idle_sleep_;
  int forwarded_incumbent_ = no_bound;
  double communicate_seconds_ = 0;
};

}  // namespace tessera
