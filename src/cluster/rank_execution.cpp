// SPDX-License-Identifier: MIT
#include "cluster/rank_execution.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <memory>

#include "cluster/collectives.hpp"
#include "tessera/base/mapped_files.hpp"
#include "tessera/search/balance_policy.hpp"
#include "tessera/search/move_order.hpp"

namespace tessera {
namespace {

std::chrono::microseconds microseconds(double seconds) {
  return std::chrono::microseconds(static_cast<int>(seconds * 1e6));
}

template <class T>
void append(std::vector<T>& all, std::vector<T>& next) {
  all.insert(all.end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
}

// Adds the result of the ranks that follow.
void merge(RankResult& all, RankResult next, Metric metric) {
  if (next.solution && (!all.solution || solution_length(next.solution->letters, metric) <
                                             solution_length(all.solution->letters, metric))) {
    all.solution = std::move(next.solution);
  }
  if (next.solved && (!all.solved || comes_before(*next.solved, *all.solved, metric))) {
    all.solved = std::move(next.solved);
  }
  for (const auto& [bound, counts] : next.by_bound) all.by_bound[bound] += counts;
  append(all.finished, next.finished);
  all.finished_messages += next.finished_messages;
  all.execution_search_seconds += next.execution_search_seconds;
  append(all.seconds, next.seconds);
  append(all.tracks, next.tracks);
}

}  // namespace

RankExecution::RankExecution(const Session& session, SubtreePool& pool, const Task& task,
                             std::uint64_t items)
    : session_(session),
      world_(session.world()),
      pool_(pool),
      task_(task),
      items_(items),
      protocol_({.rank = session.rank(), .ranks = session.size(), .threads = pool.threads()},
                {.schedule = task_.schedule,
                 .cuts = task_.shares(),
                 .ends_at_solution = !task_.independent},
                Random(static_cast<std::uint64_t>(session.rank()))),
      rounds_(session),
      report_timer_(task_.report_seconds),
      pinged_(static_cast<std::size_t>(session.size())),
      idle_sleep_(microseconds(balance.idle_wait_seconds)),
      record_(task_.trace_room) {}

// After a failure MPI may yet read what was to be sent.
RankExecution::~RankExecution() {
  if (sent_.empty()) return;
  session_.state().retain(std::make_shared<std::vector<boost::mpi::request>>(std::move(sent_)));
}

void RankExecution::scatter_subtrees(const std::vector<std::vector<PooledItem>>& by_rank) {
  const Stopwatch watch;
  pool_.start(task_);
  std::vector<PooledItem> mine = scatter(session_, by_rank);
  communicate_seconds_ += watch.seconds();
  record_.did(Activity::deal, watch);
  record_.figures.dealt = mine.size();
  pool_.add(std::move(mine));
}

void RankExecution::search_subtrees(Monitor* monitor) {
  const Stopwatch watch;
  while (true) {
    session_.state().poll();
    receive(monitor);
    complete_round();
    if (protocol_.ending()) break;
    const SubtreePool::Status status = pool_.status();
    if (status.failed) {
      pool_.quiesce();
      (void)pool_.collect(items_);  // throws what the thread threw
    }
    if (monitor != nullptr) check_limits(status, *monitor);
    act(status);
    send_finished(monitor);
    if (monitor != nullptr) watch_ranks(*monitor);
    forget_sent();
    if (status.waiting + status.running > 0) {
      idle_sleep_.reset();
      pool_.wait(microseconds(balance.busy_wait_seconds));
    } else {
      idle_sleep_();
    }
  }
  record_.over(*protocol_.ending());
  pool_.stop();
  record_.did(Activity::attend, watch);
}

void RankExecution::complete_round() {
  if (!rounds_.complete()) return;
  since_round_.lap();
  record_.round();
  protocol_.round_completed(rounds_.sum(), since_begin_.seconds());
  if (task_.independent && !protocol_.ending()) pool_.lower_incumbent(rounds_.minimum());
}

void RankExecution::act(const SubtreePool::Status& status) {
  incumbent_ = status.incumbent;
  (void)protocol_.act(since_begin_.seconds(),
                      {.waiting = status.waiting,
                       .running = status.running,
                       .figures = {.created = status.created,
                                   .completed = status.completed,
                                   .expanded = status.counts.expanded,
                                   .generated = status.counts.generated,
                                   .solutions_seen = status.solution_seen ? 1U : 0U}},
                      *this);
}

void RankExecution::check_limits(const SubtreePool::Status& status, Monitor& monitor) {
  if (protocol_.is_stopped()) return;
  const Round& sums = protocol_.sums();
  // What this rank sees of itself is newer.
  const Counts counts{std::max(sums.expanded, status.counts.expanded),
                      std::max(sums.generated, status.counts.generated), 0};
  stop_ = monitor.check(counts, sums.completed, sums.created);
  if (stop_) protocol_.stop();
}

// Afterwards no message is under way: a thief waits for its answers, and everyone for the others.
void RankExecution::settle(Monitor* monitor) {
  const Stopwatch watch;
  BackOff sleep;
  const auto attend = [&] {
    receive(monitor);
    act(pool_.status());
    forget_sent();
  };
  // A large message is on its way until it is received, so this rank receives until all that it
  // sent itself is gone: in a collective nobody would.
  for (attend(); !protocol_.is_settled() || is_pinging() || !sent_.empty(); attend()) {
    session_.state().poll();
    sleep();
  }
  barrier(session_, {.meanwhile = attend});
  boost::mpi::wait_all(sent_.begin(), sent_.end());
  sent_.clear();
  record_.did(Activity::settle, watch);
  expect_unchanged_mapped_files();
}

RankExecution::Results RankExecution::gather_results(Monitor* monitor) {
  pool_.quiesce();
  const Stopwatch watch;
  settle(monitor);
  Execution mine = pool_.collect(items_);
  RankResult result = own_result(mine);
  Results results;
  const Stopwatch reducing;
  all_reduce_counts(mine, results.all);
  result.seconds.front() = communicate_seconds_ + watch.seconds();
  // Summed on the way, lest the master list what each rank did of each item.
  results.all.expanded = reduce(session_, std::move(mine.expanded));
  record_.did(Activity::reduce, reducing);
  result.tracks = pool_.take_tracks(world_.rank());
  if (record_.traces()) result.tracks.push_back(record_.take(world_.rank()));
  results.ranks = gather_merged(session_, std::move(result), [&](RankResult& all, RankResult next) {
    merge(all, std::move(next), pool_.problem().metric);
  });
  // A message may take longer than a collective that was begun after it.
  BackOff sleep;
  while (monitor != nullptr && finished_received_ < results.ranks.finished_messages) {
    session_.state().poll();
    receive(monitor);
    sleep();
  }
  return results;
}

RankResult RankExecution::own_result(Execution& mine) {
  note_figures(mine);
  RankResult result;
  if (task_.report_seconds > 0) result.finished = pool_.take_finished();
  result.finished_messages = finished_messages_;
  result.solution = std::move(mine.solution);
  result.solved = std::move(mine.solved);
  result.by_bound = std::move(mine.by_bound);
  result.execution_search_seconds = mine.search_seconds;
  result.seconds = pool_.search_seconds();
  result.seconds.insert(result.seconds.begin(), 0);  // in collectives, once they are over
  return result;
}

void RankExecution::all_reduce_counts(const Execution& mine, Execution& all) const {
  std::array<std::uint64_t, 3> sums{mine.counts.expanded, mine.counts.generated,
                                    mine.counts.solutions};
  all.next_bound = mine.next_bound;
  all_reduce(session_, std::span<std::uint64_t>(sums), std::plus<std::uint64_t>());
  all_reduce(session_, std::span(&all.next_bound, 1), boost::mpi::minimum<int>());
  all.counts = {sums[0], sums[1], sums[2]};
}

void RankExecution::note_figures(const Execution& collected) {
  WorkFigures& figures = record_.figures;
  const SubtreePool::Status status = pool_.status();
  figures.threads = pool_.threads();
  figures.searched = status.completed;
  figures.cut = status.created - figures.dealt;
  figures.expanded = collected.counts.expanded;
  figures.seconds = since_begin_.seconds();
  figures.search_seconds = collected.search_seconds;
}

}  // namespace tessera
