// SPDX-License-Identifier: MIT
#include "cluster/rank_execution.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>

#include "cluster/collectives.hpp"
#include "tessera/base/mapped_files.hpp"
#include "tessera/search/balance_policy.hpp"

namespace tessera {
namespace {

std::chrono::microseconds microseconds(double seconds) {
  return std::chrono::microseconds(static_cast<int>(seconds * 1e6));
}

// Without a round for so long a rank must be stopped or lost.
constexpr double silence_seconds = 30;
constexpr double ping_seconds = 2;

// Adds the result of the ranks that follow.
void merge(RankResult& all, RankResult next, Metric metric) {
  all.found.add(std::move(next.found), metric);
  all.finished_messages += next.finished_messages;
  std::ranges::copy(next.seconds, std::back_inserter(all.seconds));
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
    nonblocking::forget_complete(sent_);
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
  const auto attend = [&] {
    receive(monitor);
    act(pool_.status());
    nonblocking::forget_complete(sent_);
  };
  // A large message is on its way until it is received, so this rank receives until all that it
  // sent itself is gone: in a collective nobody would.
  wait_until(session_.state(), [&] {
    attend();
    return protocol_.is_settled() && pinged_.empty() && sent_.empty();
  });
  barrier(session_, {.meanwhile = attend});
  boost::mpi::wait_all(sent_.begin(), sent_.end());
  sent_.clear();
  record_.did(Activity::settle, watch);
  expect_unchanged_mapped_files();
}

RankResult RankExecution::gather_results(Monitor* monitor) {
  pool_.quiesce();
  const Stopwatch watch;
  settle(monitor);
  RankResult result{.found = pool_.collect(items_),
                    .finished_messages = finished_messages_,
                    .seconds = pool_.search_seconds()};
  note_figures(result.found);
  const Stopwatch reducing;
  all_reduce_counts(result.found);
  result.seconds.insert(result.seconds.begin(), communicate_seconds_ + watch.seconds());
  record_.did(Activity::reduce, reducing);
  result.found.tracks = pool_.take_tracks(world_.rank());
  if (record_.traces()) result.found.tracks.push_back(record_.take(world_.rank()));
  RankResult all =
      gather_merged(session_, std::move(result), [&](RankResult& merged, RankResult next) {
        merge(merged, std::move(next), pool_.problem().metric);
      });
  if (monitor == nullptr) return all;
  // A message may take longer than a collective that was begun after it.
  wait_until(session_.state(), [&] {
    receive(monitor);
    return finished_received_ == all.finished_messages;
  });
  return all;
}

// Afterwards every rank has those of all. They are no part of a RankResult.
void RankExecution::all_reduce_counts(Execution& found) const {
  Counts& counts = found.counts;
  std::vector<std::uint64_t>& sums = found.expanded;
  sums.insert(sums.end(), {counts.expanded, counts.generated, counts.solutions});
  all_reduce(session_, std::span(sums), std::plus<std::uint64_t>());
  all_reduce(session_, std::span(&found.next_bound, 1), boost::mpi::minimum<int>());
  counts = {sums[items_], sums[items_ + 1], sums[items_ + 2]};
  sums.resize(items_);
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

// ---- what the ranks of an execution send one another

void RankExecution::ask(int victim, int idle_threads, bool patient) {
  record_.asked(victim);
  send(victim, patient ? tag_patient : tag_request, idle_threads);
}

std::size_t RankExecution::give(int thief, const Share& share) {
  const std::vector<PooledItem> items = pool_.give_away(share);
  if (items.empty()) return 0;
  send(thief, tag_work, items);
  record_.gave(thief, items.size());
  return items.size();
}

void RankExecution::refuse(int thief) {
  send(thief, tag_work, std::vector<PooledItem>());
  record_.gave(thief, 0);
}

void RankExecution::begin_round(const Round& mine) {
  rounds_.begin(mine, task_.independent ? std::optional(incumbent_) : std::nullopt);
}

// By tag, so that a collective of Boost.MPI, which sends point to point, is never looked at.
void RankExecution::receive(Monitor* monitor) {
  using boost::mpi::any_source;
  for (const MessageTag tag : {tag_request, tag_patient}) {
    while (const auto status = world_.iprobe(any_source, tag)) {
      int idle_threads = 0;
      world_.recv(status->source(), tag, idle_threads);
      protocol_.asked_by(status->source(), idle_threads, tag == tag_patient);
    }
  }
  while (const auto status = world_.iprobe(any_source, tag_work)) {
    std::vector<PooledItem> items;
    world_.recv(status->source(), tag_work, items);
    record_.answered(status->source(), items.size());
    protocol_.answered_by(status->source(), items.size(), since_begin_.seconds());
    pool_.receive(std::move(items));
  }
  while (const auto status = world_.iprobe(any_source, tag_ping)) {
    world_.recv(status->source(), tag_ping);
    send(status->source(), tag_pong);
  }
  if (monitor == nullptr) return;
  while (const auto status = world_.iprobe(any_source, tag_finished)) {
    std::vector<FinishedSubtree> finished;
    world_.recv(status->source(), tag_finished, finished);
    ++finished_received_;
    monitor->subtrees_finished(finished);
  }
  while (const auto status = world_.iprobe(any_source, tag_pong)) {
    world_.recv(status->source(), tag_pong);
    pinged_.erase(status->source());
  }
}

void RankExecution::send_finished(Monitor* monitor) {
  if (report_timer_.ask()) pool_.ask_finished();
  if (!report_timer_.due()) return;
  std::vector<FinishedSubtree> finished = pool_.take_finished();
  if (monitor != nullptr) {
    monitor->subtrees_finished(finished);
  } else if (!finished.empty()) {
    send(master_rank, tag_finished, finished);
    record_.sent_finished(finished.size());
    ++finished_messages_;
  }
}

// No round is complete without all ranks, so a stopped one is noticed by the silence, and found by
// the answer that is missing.
void RankExecution::watch_ranks(Monitor& monitor) {
  const double silence = since_round_.seconds();
  if (silence < silence_seconds) {
    if (warned_) monitor.unanswered({});
    warned_ = false;
    return;
  }
  if (pinged_.empty()) {
    if (warned_) return;
    for (int rank = 1; rank < world_.size(); ++rank) {
      pinged_.insert(rank);
      send(rank, tag_ping);
    }
  } else if (!warned_ && silence > silence_seconds + ping_seconds) {
    warned_ = true;
    monitor.unanswered({pinged_.begin(), pinged_.end()});
  }
}

}  // namespace tessera
