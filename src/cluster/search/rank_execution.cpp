// SPDX-License-Identifier: MIT
#include "cluster/search/common_work.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "base/clock.hpp"
#include "base/mapped_file.hpp"
#include "cluster/job/polling.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/collectives.hpp"
#include "cluster/messages/round_reduction.hpp"
#include "protocol/rank_protocol.hpp"
#include "search/observer.hpp"
#include "search/record/timeline.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {
namespace {

std::chrono::microseconds microseconds(double seconds) {
  return std::chrono::microseconds(static_cast<int>(seconds * 1e6));
}

// What a rank's main thread did in one execution: always as totals, and in the timeline if that has
// room.
class RankRecord {
 public:
  explicit RankRecord(std::size_t trace_room) { timeline.start(trace_room); }

  // Since `watch` was started.
  void did(Activity activity, const Stopwatch& watch) {
    timeline.note_since(nanoseconds(watch.start()), activity);
  }

  void asked(int victim) {
    ++figures.requests;
    if (timeline.records()) requests_.push_back({victim, nanoseconds_now()});
  }

  void answered(int victim, std::size_t subtrees) {
    figures.stolen += subtrees;
    if (subtrees == 0) ++figures.refusals;
    // A rank answers requests in order.
    const auto request = std::ranges::find(requests_, victim, &Request::victim);
    if (request == requests_.end()) return;
    timeline.note_since(request->begin, Activity::steal, subtrees, victim);
    requests_.erase(request);
  }

  void gave(int thief, std::size_t subtrees) {
    figures.given += subtrees;
    timeline.note_moment(Activity::give, subtrees, thief);
  }

  WorkFigures figures;
  Timeline timeline;

 private:
  struct Request {
    int victim;
    std::int64_t begin;
  };
  std::vector<Request> requests_;  // not answered yet
};

class RankExecution final : private RankActions {
 public:
  RankExecution(const Session& session, SubtreePool& pool, const Task& task, std::uint64_t items,
                Monitor* monitor)
      : session_(session),
        pool_(pool),
        task_(task),
        items_(items),
        monitor_(monitor),
        protocol_({.rank = session.rank(), .ranks = session.size(), .threads = pool.threads()},
                  {.schedule = task_.schedule,
                   .cuts = task_.shares(),
                   .ends_at_solution = !task_.independent},
                  Random(static_cast<std::uint64_t>(session.rank()))),
        mail_(session.state(), session.world()),
        rounds_(session),
        report_timer_(task_.report_seconds),
        idle_sleep_(microseconds(balance.idle_wait_seconds)),
        record_(task_.trace_room) {}

  /// Sends each of the master's subtrees to the rank that it was dealt to.
  void scatter_subtrees(std::vector<std::vector<PooledItem>> by_rank) {
    const Stopwatch watch;
    pool_.start(task_);
    std::vector<PooledItem> mine = scatter(session_, std::move(by_rank));
    communicate_seconds_ += watch.seconds();
    record_.did(Activity::deal, watch);
    record_.figures.dealt = mine.size();
    pool_.add(std::move(mine));
  }

  /// Searches until all ranks have detected the end.
  void search_subtrees() {
    const Stopwatch watch;
    while (true) {
      session_.state().poll();
      receive();
      complete_round();
      if (protocol_.ending()) break;
      const SubtreePool::Status status = pool_.status();
      if (status.failed) {
        pool_.quiesce();
        (void)pool_.collect(items_);  // throws what the thread threw
      }
      if (monitor_ != nullptr) check_limits(status);
      act(status);
      send_finished();
      if (status.waiting + status.running > 0) {
        idle_sleep_.reset();
        pool_.wait(microseconds(balance.busy_wait_seconds));
      } else {
        idle_sleep_();
      }
    }
    record_.timeline.note_moment(Activity::over, 0, static_cast<int>(*protocol_.ending()));
    pool_.stop();
    record_.did(Activity::attend, watch);
  }

  /// Completes pending messages, then reduces and gathers the results.
  RankResult gather_results() {
    pool_.quiesce();
    const Stopwatch watch;
    settle();
    record_.figures.seconds = since_begin_.seconds();
    RankResult result{.found = pool_.collect(items_, record_.figures),
                      .finished_messages = finished_messages_,
                      .seconds = pool_.search_seconds()};
    const Stopwatch reducing;
    all_reduce_counts_and_bound(result.found);
    result.seconds.insert(result.seconds.begin(), communicate_seconds_ + watch.seconds());
    record_.did(Activity::reduce, reducing);
    result.found.tracks = pool_.take_tracks(session_.rank());
    if (record_.timeline.records()) {
      result.found.tracks.push_back(record_.timeline.take(session_.rank(), Track::main_thread));
    }
    RankResult all =
        gather_merged(session_, std::move(result), [&](RankResult& merged, RankResult next) {
          merged.found.add(std::move(next.found), pool_.problem().metric);
          merged.finished_messages += next.finished_messages;
          std::ranges::copy(next.seconds, std::back_inserter(merged.seconds));
        });
    if (monitor_ == nullptr) return all;
    if (!protocol_.is_exhausted()) all.found.stop = stop_;
    // A message may take longer than a collective that was started after it.
    wait_until(session_.state(), [&] {
      receive();
      return finished_received_ == all.finished_messages;
    });
    return all;
  }

  /// Once no message is under way: the session may continue with another board.
  void expect_unchanged_files() const {
    if (!files_changed_) return;
    (void)agree(session_, "unchanged-files", [this] {
      expect_unchanged_mapped_files(pool_.earlier_changes());
      return true;
    });
  }

 private:
  void complete_round() {
    if (!rounds_.complete()) return;
    ++record_.figures.rounds;
    protocol_.round_completed(rounds_.sum(), since_begin_.seconds());
    if (task_.independent && !protocol_.ending()) pool_.lower_incumbent(rounds_.minimum());
  }

  void act(const SubtreePool::Status& status) {
    incumbent_ = status.incumbent;
    (void)protocol_.act(since_begin_.seconds(), status, *this);
  }

  void check_limits(const SubtreePool::Status& status) {
    if (stop_) return;
    const Round& sums = protocol_.sums();
    // This rank's own values are newer.
    const Counts counts{std::max(sums.expanded, status.figures.expanded),
                        std::max(sums.generated, status.figures.generated), 0};
    stop_ = monitor_->check(counts, sums.completed, sums.created);
    if (stop_) protocol_.stop();
  }

  // Afterwards no message is pending: a thief waits for its answers, and all ranks for each other.
  void settle() {
    const Stopwatch watch;
    const auto attend = [&] {
      receive();
      act(pool_.status());
    };
    // A large message is pending until it is received, so this rank keeps receiving until all of
    // its own messages are gone: inside a collective no rank would receive.
    wait_until(session_.state(), [&] {
      attend();
      return protocol_.is_settled() && mail_.all_left();
    });
    barrier(session_, {.meanwhile = attend});
    mail_.wait_until_left();
    record_.did(Activity::settle, watch);
  }

  // Afterwards every rank has the counts of all ranks, also by subtree, and the next bound. They
  // are not part of a RankResult.
  void all_reduce_counts_and_bound(Execution& found) {
    Counts& counts = found.counts;
    std::vector<std::uint64_t>& sums = found.expanded;
    const bool changed = !changed_mapped_file(pool_.earlier_changes()).empty();
    sums.insert(sums.end(),
                {counts.expanded, counts.generated, counts.solutions, changed ? 1U : 0U});
    all_reduce(session_, std::span(sums), std::plus<std::uint64_t>());
    all_reduce(session_, std::span(&found.next_bound, 1), boost::mpi::minimum<int>());
    counts = {sums[items_], sums[items_ + 1], sums[items_ + 2]};
    files_changed_ = sums[items_ + 3] > 0;
    sums.resize(items_);
  }

  // ---- messages between the ranks of an execution

  void ask(int victim, int idle_threads, bool patient) override {
    record_.asked(victim);
    mail_.send(victim, patient ? tag_patient : tag_request, idle_threads);
  }

  std::size_t give(int thief, const Share& share) override {
    const std::vector<PooledItem> items = pool_.give_away(share);
    if (items.empty()) return 0;
    mail_.send(thief, tag_work, items);
    record_.gave(thief, items.size());
    return items.size();
  }

  void refuse(int thief) override {
    mail_.send(thief, tag_work, std::vector<PooledItem>());
    record_.gave(thief, 0);
  }

  void cut_for(int idle_threads) override { pool_.want(idle_threads); }

  void begin_round(const Round& mine) override {
    rounds_.begin(mine, task_.independent ? std::optional(incumbent_) : std::nullopt);
  }

  void receive() {
    for (const MessageTag tag : {tag_request, tag_patient}) {
      mail_.receive<int>(tag, [&](int thief, int idle_threads) {
        protocol_.asked_by(thief, idle_threads, tag == tag_patient);
      });
    }
    mail_.receive<std::vector<PooledItem>>(tag_work, [&](int victim, auto items) {
      record_.answered(victim, items.size());
      protocol_.answered_by(victim, items.size(), since_begin_.seconds());
      pool_.receive(std::move(items));
    });
    if (monitor_ == nullptr) return;
    mail_.receive<std::vector<FinishedSubtree>>(tag_finished, [&](int, const auto& finished) {
      ++finished_received_;
      monitor_->subtrees_finished(finished);
    });
  }

  void send_finished() {
    if (report_timer_.ask()) pool_.ask_finished();
    if (!report_timer_.due()) return;
    std::vector<FinishedSubtree> finished = pool_.take_finished();
    if (monitor_ != nullptr) {
      monitor_->subtrees_finished(finished);
    } else if (!finished.empty()) {
      mail_.send(master_rank, tag_finished, finished);
      record_.timeline.note_moment(Activity::tell, finished.size(), master_rank);
      ++finished_messages_;
    }
  }

  const Session& session_;
  SubtreePool& pool_;
  Task task_;
  std::size_t items_;
  Monitor* monitor_;  // on the master
  Stopwatch since_begin_;
  RankProtocol protocol_;  // its time is since_begin_
  std::optional<Stop> stop_;
  Mail mail_;

  RoundReduction rounds_;
  int incumbent_ = no_bound;  // for independent bounds, as last set in the pool

  ReportTimer report_timer_;
  std::uint64_t finished_messages_ = 0;  // sent
  std::uint64_t finished_received_ = 0;  // such messages, on the master
  bool files_changed_ = false;           // on any rank

  BackOff idle_sleep_;
  double communicate_seconds_ = 0;
  RankRecord record_;
};

}  // namespace

RankResult execute_on_rank(const Session& session, SubtreePool& pool, const Task& task,
                           std::uint64_t items, std::vector<std::vector<PooledItem>> by_rank,
                           Monitor* monitor) {
  RankExecution execution(session, pool, task, items, monitor);
  try {
    execution.scatter_subtrees(std::move(by_rank));
    execution.search_subtrees();
    RankResult result = execution.gather_results();
    execution.expect_unchanged_files();
    return result;
  } catch (...) {
    // A program that embeds the solver goes on, without what the threads here use.
    pool.stop();
    pool.quiesce();
    throw;
  }
}

}  // namespace tessera
