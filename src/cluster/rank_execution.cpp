// SPDX-License-Identifier: MIT
#include "cluster/rank_execution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>

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

}  // namespace

RankExecution::RankExecution(const Session& session, SubtreePool& pool,
                             const Announcement& announcement)
    : session_(session),
      world_(session.world()),
      pool_(pool),
      task_(announcement.task),
      number_(announcement.number),
      items_(announcement.items),
      rounds_(session),
      random_(static_cast<std::uint64_t>(session.rank())),
      tell_clock_(announcement.task.tell_seconds),
      received_(static_cast<std::size_t>(session.size())),
      pinged_(static_cast<std::size_t>(session.size())),
      idle_sleep_(microseconds(balance.idle_wait_seconds)),
      record_(announcement.task.trace_room) {}

void RankExecution::begin(const std::vector<std::vector<PooledItem>>& items_by_rank) {
  const Stopwatch watch;
  pool_.start(task_);
  std::vector<PooledItem> mine = scatter(session_, items_by_rank);
  communicate_seconds_ += watch.seconds();
  record_.did(Activity::deal, watch);
  record_.figures.dealt = mine.size();
  pool_.add(std::move(mine));
}

void RankExecution::run(Master* master) {
  const Stopwatch watch;
  while (true) {
    session_.state().poll();
    receive(master);
    const SubtreePool::Status status = pool_.status();
    if (status.failed) {
      pool_.quiesce();
      (void)pool_.collect();  // throws what the thread threw
    }
    answer_thieves(status);
    steal(status);
    tell(master);
    if (go_round(status, master)) break;
    if (master != nullptr) watch_ranks(*master);
    forget_sent();
    if (status.waiting + status.running > 0) {
      idle_sleep_.reset();
      pool_.wait(microseconds(balance.busy_wait_seconds));
    } else {
      idle_sleep_();
    }
  }
  over_ = true;
  pool_.stop();
  record_.did(Activity::attend, watch);
}

bool RankExecution::go_round(const SubtreePool::Status& status, Master* master) {
  if (rounds_.complete()) {
    since_round_.lap();
    record_.round();
    const Round& sum = rounds_.sum();
    const bool solved = sum.solutions_seen > 0 && !task_.independent;
    exhausted_ = last_sum_ && last_sum_->completed == sum.created;
    if (solved || exhausted_ || sum.stops > 0) {
      record_.over(solved ? Ending::solution : exhausted_ ? Ending::exhausted : Ending::stopped);
      return true;
    }
    last_sum_ = sum;
    if (task_.independent) pool_.lower_incumbent(rounds_.least());
  }
  if (master != nullptr && !stopped_) {
    Round sum = last_sum_.value_or(Round());
    // What this rank sees of itself is newer.
    sum.expanded = std::max(sum.expanded, status.counts.expanded);
    sum.generated = std::max(sum.generated, status.counts.generated);
    stopped_ = master->stops(sum);
  }
  if (rounds_.pending()) return false;
  const bool idle = status.waiting + status.running == 0;
  if (!idle && !stopped_ && !status.solution_seen &&
      since_round_.seconds() < balance.round_seconds) {
    return false;
  }
  rounds_.begin({status.created, status.completed, status.counts.expanded, status.counts.generated,
                 status.solution_seen ? 1U : 0U, stopped_ ? 1U : 0U},
                status.incumbent, task_.independent);
  return false;
}

RankExecution::End RankExecution::end(Master* master) {
  pool_.quiesce();
  const Stopwatch watch;
  answer_thieves(pool_.status());
  PoliteSleep sleep;
  const auto pinging = [&] {
    return std::find(pinged_.begin(), pinged_.end(), true) != pinged_.end();
  };
  // A large message is on its way until it is received, so this rank receives until all that it
  // sent itself is gone: in a collective nobody would.
  while (!asked_.empty() || lifelines_ != 0 || pinging() || !sent_.empty()) {
    session_.state().poll();
    receive(master);
    answer_thieves(pool_.status());
    forget_sent();
    if (!sent_.empty() || !asked_.empty() || lifelines_ != 0 || pinging()) sleep();
  }
  meet(session_, {.meanwhile = [&] {
         receive(master);
         answer_thieves(pool_.status());
       }});
  boost::mpi::wait_all(sent_.begin(), sent_.end());
  sent_.clear();
  record_.did(Activity::settle, watch);
  expect_unchanged_mapped_files();

  RankResult result;
  if (task_.tell_seconds > 0) result.finished = pool_.take_finished();
  result.told = told_;
  SubtreePool::Collected mine = pool_.collect();
  result.found = mine.solution.has_value();
  if (mine.solution) {
    result.found_item = static_cast<std::uint32_t>(mine.solution->item);
    result.letters = std::move(mine.solution->letters);
  }
  result.solved = mine.solved.has_value();
  result.solved_path = mine.solved.value_or("");
  result.by_bound = std::move(mine.by_bound);
  result.execution_search_seconds = mine.search_seconds;
  result.search_seconds = pool_.search_seconds();
  note_figures(mine);

  End end;
  const Stopwatch reducing;
  end.reduced = all_reduced(mine.counts, mine.next_bound);
  result.communicate_seconds = communicate_seconds_ + watch.seconds();
  // Summed on the way, lest the master list what each rank did of each item.
  mine.expanded.resize(items_);
  end.expanded = reduce(session_, std::move(mine.expanded));
  record_.did(Activity::reduce, reducing);
  result.tracks = pool_.take_tracks(world_.rank());
  if (record_.traces()) result.tracks.push_back(record_.take(world_.rank()));
  end.ranks = gather(session_, result);
  // A message may take longer than a collective that was begun after it.
  for (std::size_t rank = 0; rank < end.ranks.size(); ++rank) {
    while (received_[rank] < end.ranks[rank].told) {
      session_.state().poll();
      receive(master);
      sleep();
    }
  }
  return end;
}

ReducedResult RankExecution::all_reduced(const Counts& mine, int next_bound) const {
  std::array<std::uint64_t, 3> sums{mine.expanded, mine.generated, mine.solutions};
  all_reduce(session_, sums, next_bound);
  return {{sums[0], sums[1], sums[2]}, next_bound};
}

void RankExecution::note_figures(const SubtreePool::Collected& collected) {
  WorkFigures& figures = record_.figures;
  const SubtreePool::Status status = pool_.status();
  figures.threads = pool_.threads();
  figures.searched = status.completed;
  figures.cut = status.created - figures.dealt;
  figures.expanded = collected.counts.expanded;
  figures.seconds = since_begin_.seconds();
  figures.search_seconds = collected.search_seconds;
}

// By tag, so that a collective of Boost.MPI, which sends point to point, is never looked at.
void RankExecution::receive(Master* master) {
  using boost::mpi::any_source;
  for (const MessageTag tag : {tag_request, tag_patient}) {
    while (const auto status = world_.iprobe(any_source, tag)) {
      Thief thief{status->source(), 0, tag == tag_patient};
      world_.recv(thief.rank, tag, thief.threads);
      thieves_.push_back(thief);
    }
  }
  while (const auto status = world_.iprobe(any_source, tag_work)) {
    std::vector<PooledItem> items;
    world_.recv(status->source(), tag_work, items);
    note_answer(status->source(), items.size());
    pool_.receive(std::move(items));
  }
  while (const auto status = world_.iprobe(any_source, tag_ping)) {
    world_.recv(status->source(), tag_ping);
    sent_.push_back(world_.isend(status->source(), tag_pong));
  }
  if (master == nullptr) return;
  while (const auto status = world_.iprobe(any_source, tag_finished)) {
    FinishedMessage message;
    world_.recv(status->source(), tag_finished, message);
    ++received_[static_cast<std::size_t>(status->source())];
    master->keep(std::move(message.finished));
  }
  while (const auto status = world_.iprobe(any_source, tag_pong)) {
    world_.recv(status->source(), tag_pong);
    pinged_[static_cast<std::size_t>(status->source())] = false;
  }
}

void RankExecution::answer_thieves(const SubtreePool::Status& status) {
  // A thief whose own threads are busy only asks ahead, nothing is cut for it.
  const bool cuts = task_.shares() && status.running > 0;
  int threads = 0;
  std::size_t left = thieves_.size();
  std::erase_if(thieves_, [&](const Thief& thief) {
    std::vector<PooledItem> items;
    if (status.waiting > 0) {
      items = pool_.give_away(left, thief.threads > 0,
                              balance.batch * static_cast<std::size_t>(pool_.threads()));
    }
    --left;
    const bool kept = (thief.patient && !over_) || (cuts && thief.threads > 0);
    if (items.empty() && kept) {
      threads += thief.threads;
      return false;
    }
    send(thief.rank, tag_work, items);
    record_.gave(thief.rank, items.size());
    return true;
  });
  pool_.want(threads);
}

void RankExecution::steal(const SubtreePool::Status& status) {
  const int others = world_.size() - 1;
  if (task_.schedule == Schedule::dealt || others == 0 || status.waiting > 0) return;
  const auto asked = static_cast<int>(asked_.size());
  if (asked >= balance.most_requests) return;
  if (asked > 0 && since_request_.seconds() < balance.request_seconds) return;
  if (task_.schedule == Schedule::dynamic && world_.rank() == master_rank) return;  // has the store
  const int round =
      task_.schedule == Schedule::dynamic ? 1 : std::min(others, balance.most_refusals);
  const bool stealing = task_.schedule == Schedule::stealing;
  if (refusals_ >= round) {
    if (stealing && status.running == 0) {
      ask_lifelines();
      return;
    }
    if (since_refusal_.seconds() < balance.rest_seconds) return;
    refusals_ = 0;
  }
  int victim = master_rank;
  if (stealing) {
    victim = static_cast<int>(random_.below(static_cast<std::uint64_t>(others)));
    if (victim >= world_.rank()) ++victim;
    if (is_asked(victim)) {
      ++refusals_;  // it has nothing, as it seems
      return;
    }
  }
  asked_.push_back(victim);
  since_request_.lap();
  record_.asked(victim);
  send(victim, tag_request, pool_.threads() - static_cast<int>(status.running));
}

void RankExecution::ask_lifelines() {
  const auto count = static_cast<std::uint32_t>(world_.size());
  for (std::uint32_t distance = 1; distance < count; distance *= 2) {
    const auto victim =
        static_cast<int>((static_cast<std::uint32_t>(world_.rank()) + distance) % count);
    if (is_asked(victim)) continue;
    lifelines_ |= distance;
    record_.asked(victim);
    send(victim, tag_patient, pool_.threads());
  }
}

std::uint32_t RankExecution::lifeline(int victim) const {
  const int size = world_.size();
  const auto distance = static_cast<std::uint32_t>((victim + size - world_.rank()) % size);
  return std::has_single_bit(distance) ? distance : 0;
}

bool RankExecution::is_asked(int victim) const {
  return (lifelines_ & lifeline(victim)) != 0 ||
         std::find(asked_.begin(), asked_.end(), victim) != asked_.end();
}

void RankExecution::note_answer(int victim, std::size_t items) {
  record_.answered(victim, items);
  if (const auto asked = std::find(asked_.begin(), asked_.end(), victim); asked != asked_.end()) {
    asked_.erase(asked);
  } else {
    lifelines_ &= ~lifeline(victim);
  }
  refusals_ = items == 0 ? refusals_ + 1 : 0;
  since_refusal_.lap();
}

void RankExecution::tell(Master* master) {
  if (tell_clock_.ask()) pool_.ask_finished();
  if (!tell_clock_.due()) return;
  FinishedMessage message{number_, pool_.take_finished()};
  if (master != nullptr) {
    master->keep(std::move(message.finished));
  } else if (!message.finished.empty()) {
    send(master_rank, tag_finished, message);
    record_.told(message.finished.size());
    ++told_;
  }
}

// No round is complete without all ranks, so a stopped one is noticed by the silence; which one it
// is, its missing answer tells.
void RankExecution::watch_ranks(Master& master) {
  const double silence = since_round_.seconds();
  if (silence < silence_seconds) {
    if (warned_) master.unanswered({});
    warned_ = false;
    return;
  }
  if (std::find(pinged_.begin(), pinged_.end(), true) == pinged_.end()) {
    if (warned_) return;
    for (int rank = 1; rank < world_.size(); ++rank) {
      pinged_[static_cast<std::size_t>(rank)] = true;
      sent_.push_back(world_.isend(rank, tag_ping));
    }
  } else if (!warned_ && silence > silence_seconds + ping_seconds) {
    warned_ = true;
    std::vector<int> silent;
    for (std::size_t rank = 0; rank < pinged_.size(); ++rank) {
      if (pinged_[rank]) silent.push_back(static_cast<int>(rank));
    }
    master.unanswered(silent);
  }
}

template <class Message>
void RankExecution::send(int rank, MessageTag tag, const Message& message) {
  sent_.push_back(world_.isend(rank, tag, message));
}

void RankExecution::forget_sent() {
  std::erase_if(sent_, [](boost::mpi::request& request) { return request.test().has_value(); });
}

}  // namespace tessera
