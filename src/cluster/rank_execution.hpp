// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <optional>
#include <set>
#include <vector>

#include "cluster/messages.hpp"
#include "cluster/polling.hpp"
#include "cluster/round_reduction.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/protocol/rank_protocol.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/timeline.hpp"
#include "tessera/threads/subtree_pool.hpp"

namespace tessera {

/// What a rank's main thread did in one execution: counted always, as a Timeline where there is
/// room for one.
class RankRecord {
 public:
  explicit RankRecord(std::size_t trace_room) { timeline_.start(trace_room); }

  /// Since `watch` was started.
  void did(Activity activity, const Stopwatch& watch) {
    timeline_.note_since(nanoseconds(watch.start()), activity);
  }

  void asked(int victim) {
    ++figures.requests;
    if (traces()) requests_.push_back({victim, nanoseconds_now()});
  }

  void answered(int victim, std::size_t subtrees) {
    figures.stolen += subtrees;
    if (subtrees == 0) ++figures.refusals;
    // A rank answers in the order in which it was asked.
    const auto request = std::ranges::find(requests_, victim, &Request::victim);
    if (request == requests_.end()) return;
    timeline_.note_since(request->begin, Activity::steal, subtrees, victim);
    requests_.erase(request);
  }

  void gave(int thief, std::size_t subtrees) {
    figures.given += subtrees;
    timeline_.note_moment(Activity::give, subtrees, thief);
  }

  void sent_finished(std::size_t subtrees) { timeline_.note_moment(Activity::tell, subtrees, 0); }
  void round() { ++figures.rounds; }
  void over(Ending ending) { timeline_.note_moment(Activity::over, 0, static_cast<int>(ending)); }

  [[nodiscard]] bool traces() const { return timeline_.records(); }
  [[nodiscard]] Track take(int rank) { return timeline_.take(rank, Track::main_thread); }

  WorkFigures figures;

 private:
  struct Request {
    int victim;
    std::int64_t begin;
  };
  Timeline timeline_;
  std::vector<Request> requests_;  // not answered yet
};

/// One rank's part of one execution, the same on every rank: its threads search, its main thread
/// drives a RankProtocol with MPI messages until a round of sums says on all ranks that it is over.
///
///   scatter_subtrees  ->  search_subtrees: request -> work | finished -> master | rounds
///                     ->  gather_results: settle -> all-reduce -> gather
class RankExecution final : private RankActions {
 public:
  RankExecution(const Session& session, SubtreePool& pool, const Task& task, std::uint64_t items);
  ~RankExecution() override;
  RankExecution(const RankExecution&) = delete;
  RankExecution& operator=(const RankExecution&) = delete;

  /// The master's subtrees, each to the rank that it was dealt to; collective.
  void scatter_subtrees(const std::vector<std::vector<PooledItem>>& by_rank);

  /// Searches until all ranks know the end; `monitor`, which may stop it, on the master only.
  void search_subtrees(Monitor* monitor);
  /// The limit that ended the search, on the master.
  [[nodiscard]] std::optional<Stop> stop() const {
    return protocol_.is_exhausted() ? std::nullopt : stop_;
  }

  /// Settles what is under way, then adds up and gathers: the result of all ranks, on the master;
  /// collective.
  [[nodiscard]] RankResult gather_results(Monitor* monitor);

  /// What this rank did, after `gather_results`.
  [[nodiscard]] const WorkFigures& figures() const { return record_.figures; }

 private:
  void ask(int victim, int idle_threads, bool patient) override;
  std::size_t give(int thief, const Share& share) override;
  void refuse(int thief) override;
  void cut_for(int idle_threads) override { pool_.want(idle_threads); }
  void begin_round(const Round& mine) override;

  void receive(Monitor* monitor);
  void act(const SubtreePool::Status& status);
  void complete_round();
  void check_limits(const SubtreePool::Status& status, Monitor& monitor);
  void send_finished(Monitor* monitor);
  void watch_ranks(Monitor& monitor);
  void settle(Monitor* monitor);
  void all_reduce_counts(Execution& found) const;
  void note_figures(const Execution& collected);
  template <class... Message>
  void send(int rank, MessageTag tag, const Message&... message) {
    sent_.push_back(world_.isend(rank, tag, message...));
  }

  const Session& session_;
  const boost::mpi::communicator& world_;
  SubtreePool& pool_;
  Task task_;
  std::size_t items_;
  Stopwatch since_begin_;
  RankProtocol protocol_;  // its time is since_begin_
  std::optional<Stop> stop_;
  std::vector<boost::mpi::request> sent_;

  RoundReduction rounds_;
  int incumbent_ = no_bound;  // for independent bounds, as the pool had it last
  Stopwatch since_round_;     // ended

  ReportTimer report_timer_;
  std::uint64_t finished_messages_ = 0;  // sent
  std::uint64_t finished_received_ = 0;  // such messages, on the master

  std::set<int> pinged_;  // on the master: ranks that have not answered a ping yet
  bool warned_ = false;

  BackOff idle_sleep_;
  double communicate_seconds_ = 0;
  RankRecord record_;
};

}  // namespace tessera
