// SPDX-License-Identifier: MIT
#include "cluster/rank_execution.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <chrono>

namespace tessera {
namespace {

using namespace std::chrono_literals;

constexpr int master = 0;
// How often a busy rank tells how far it is; an idle one tells at once.
constexpr double report_seconds = 0.005;
// A thief that every other rank has refused rests a little before it asks again.
constexpr double rest_seconds = 0.002;
// Subtrees a thread that one answer carries, unless half of what waits is less.
constexpr std::size_t batch = 8;

}  // namespace

RankExecution::RankExecution(const Session& session, SubtreePool& pool,
                             const Announcement& announcement)
    : world_(session.world()),
      pool_(pool),
      task_(announcement.task),
      number_(announcement.number),
      stop_(session.stop_channel(), session.rank()),
      progress_(static_cast<std::size_t>(session.size())),
      random_(static_cast<std::uint64_t>(session.rank())) {}

void RankExecution::begin(const std::vector<std::vector<PooledItem>>& items_by_rank) {
  const Stopwatch watch;
  pool_.start(task_);
  std::vector<PooledItem> mine;
  if (world_.rank() == master) boost::mpi::scatter(world_, items_by_rank, mine, master);
  else boost::mpi::scatter(world_, mine, master);
  communicate_seconds_ += watch.seconds();
  pool_.add(std::move(mine));
}

int RankExecution::run(const Decide& decide) {
  bool decided = false;
  while (!stop_.arrived()) {
    receive();
    const SubtreePool::Status status = pool_.status();
    if (status.failed) {
      pool_.quiesce();
      (void)pool_.collect();  // throws what the thread threw
    }
    report(status);
    steal(status);
    if (world_.rank() == master && !decided) {
      if (task_.independent) forward_incumbent();
      if (const auto reason = decide(progress_)) {
        stop_.send(*reason);
        decided = true;
        continue;
      }
    }
    forget_sent();
    if (status.waiting + status.running > 0) {
      idle_sleep_.reset();
      pool_.wait(1000us);
    } else {
      idle_sleep_();
    }
  }
  pool_.stop();
  return stop_.value();
}

RankExecution::End RankExecution::end() {
  pool_.quiesce();
  const Stopwatch watch;
  PoliteSleep sleep;
  while (asking_) {
    receive();
    if (asking_) sleep();
  }
  meet(world_, [this] { receive(); });
  receive();  // what arrived with the last rank
  boost::mpi::wait_all(sent_.begin(), sent_.end());
  sent_.clear();

  SubtreePool::Collected mine = pool_.collect();
  RankResult result;
  result.reports = std::move(mine.reports);
  result.found = mine.solution.has_value();
  if (mine.solution) {
    result.found_item = static_cast<std::uint32_t>(mine.solution->item);
    result.letters = std::move(mine.solution->letters);
  }
  result.by_bound = std::move(mine.by_bound);
  result.execution_search_seconds = mine.search_seconds;
  result.search_seconds = pool_.search_seconds();

  End end;
  boost::mpi::all_reduce(world_, ReducedResult{mine.counts, mine.next_bound, result.found},
                         end.reduced, Reduce{});
  result.communicate_seconds = communicate_seconds_ + watch.seconds();
  if (world_.rank() == master) boost::mpi::gather(world_, result, end.ranks, master);
  else boost::mpi::gather(world_, result, master);
  return end;
}

// By tag, so that a collective of Boost.MPI, which sends point to point, is never looked at.
void RankExecution::receive() {
  using boost::mpi::any_source;
  while (const auto status = world_.iprobe(any_source, tag_request)) {
    world_.recv(status->source(), tag_request);
    answer(status->source());
  }
  while (const auto status = world_.iprobe(any_source, tag_work)) {
    std::vector<PooledItem> items;
    world_.recv(status->source(), tag_work, items);
    asking_ = false;
    refusals_ = items.empty() ? refusals_ + 1 : 0;
    since_refusal_.lap();
    pool_.add(std::move(items));
  }
  while (const auto status = world_.iprobe(any_source, tag_progress)) {
    RankProgress progress;
    world_.recv(status->source(), tag_progress, progress);
    if (progress.execution == number_) {
      progress_[static_cast<std::size_t>(status->source())] = progress;
    }
  }
  while (const auto status = world_.iprobe(any_source, tag_incumbent)) {
    Incumbent incumbent;
    world_.recv(status->source(), tag_incumbent, incumbent);
    if (incumbent.execution == number_) pool_.lower_incumbent(incumbent.length);
  }
}

void RankExecution::answer(int thief) {
  send(thief, tag_work, pool_.give_away(batch * static_cast<std::size_t>(pool_.threads())));
}

void RankExecution::steal(const SubtreePool::Status& status) {
  const int others = world_.size() - 1;
  if (task_.schedule == Schedule::dealt || others == 0 || asking_ || status.waiting > 0) return;
  if (task_.schedule == Schedule::dynamic && world_.rank() == master) return;  // it has the store
  const int round = task_.schedule == Schedule::dynamic ? 1 : others;
  if (refusals_ >= round) {
    if (since_refusal_.seconds() < rest_seconds) return;
    refusals_ = 0;
  }
  int victim = master;
  if (task_.schedule == Schedule::stealing) {
    victim = static_cast<int>(random_.below(static_cast<std::uint64_t>(others)));
    if (victim >= world_.rank()) ++victim;
  }
  asking_ = true;
  sent_.push_back(world_.isend(victim, tag_request));
}

void RankExecution::report(const SubtreePool::Status& status) {
  const RankProgress now{number_, status.completed, status.counts, status.solution_seen,
                         status.incumbent};
  if (world_.rank() == master) {
    progress_[master] = now;
    return;
  }
  if (now == last_reported_) return;
  const bool urgent = status.solution_seen || status.waiting + status.running == 0;
  if (!urgent && since_report_.seconds() < report_seconds) return;
  send(master, tag_progress, now);
  last_reported_ = now;
  since_report_.lap();
}

void RankExecution::forward_incumbent() {
  int best = no_bound;
  for (const RankProgress& rank : progress_) best = std::min(best, rank.incumbent);
  if (best >= forwarded_incumbent_) return;
  forwarded_incumbent_ = best;
  pool_.lower_incumbent(best);
  for (int rank = 1; rank < world_.size(); ++rank)
    send(rank, tag_incumbent, Incumbent{number_, best});
}

template <class Message>
void RankExecution::send(int rank, MessageTag tag, const Message& message) {
  sent_.push_back(world_.isend(rank, tag, message));
}

void RankExecution::forget_sent() {
  std::erase_if(sent_, [](boost::mpi::request& request) { return request.test().has_value(); });
}

}  // namespace tessera
