// SPDX-License-Identifier: MIT
#include "model/replay.hpp"

#include <algorithm>
#include <utility>

namespace tessera {

Replay::Replay(const SimulationOptions& options, const SimulatedTree& tree, double rate)
    : options_(options),
      policy_(options.policy),
      machine_(options.machine),
      tree_(tree),
      random_(options.seed),
      threads_(static_cast<std::size_t>(machine_.ranks) *
               static_cast<std::size_t>(machine_.threads)) {
  for (int rank = 0; rank < machine_.ranks; ++rank) {
    const RankProtocol::Place place{
        .rank = rank, .ranks = machine_.ranks, .threads = machine_.threads};
    const RankProtocol::Rules rules{.schedule = options.schedule,
                                    .cuts = options.schedule == Schedule::stealing,
                                    .policy = &options.policy};
    ranks_.emplace_back(RankProtocol(place, rules, Random(random_.next())));
  }
  // What a main thread's looks take, its rank's threads do not have.
  const double polls = machine_.poll_seconds / policy_.busy_wait_seconds / machine_.threads;
  lost_to_polls_ = std::min(0.5, polls);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const bool slow = rank + static_cast<std::size_t>(machine_.slow_ranks) >= ranks_.size();
    ranks_[rank].rate = rate * (1 - lost_to_polls_) / (slow ? machine_.slowness : 1);
  }
  // Main threads have looked at some moment before.
  for (Rank& rank : ranks_) rank.looked = -unit() * policy_.busy_wait_seconds;
}

void Replay::run(std::vector<std::vector<SimulatedNode>> items,
                 const std::vector<double>& arrival) {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    created_ += ranks_[rank].created = items[rank].size();
    ranks_[rank].first = std::move(items[rank]);
    events_.push({arrival[rank], Event::start, static_cast<std::uint32_t>(rank), 0});
  }
  while (ranks_ended_ < ranks_.size() && !events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    note_time(event.time);
    switch (event.what) {
      case Event::start:
        enqueue(event.rank, std::move(ranks_[event.rank].first));
        ranks_[event.rank].started = true;
        if (idle(event.rank)) begin_idling(event.rank);
        else plan_look(event.rank, event.time);
        break;
      case Event::look:
        if (event.time == ranks_[event.rank].planned) look(event.rank);
        break;
      case Event::finish:
        finish(event);
        break;
      case Event::share:
        share(event);
        break;
    }
  }
}

void Replay::note_time(double time) {
  if (completed_ < created_) {
    const double all = static_cast<double>(threads_.size());
    idle_seconds_ += (all - running_) * (time - now_);
    if (running_ >= 0.95 * all) idle_before_tail_ = idle_seconds_;
    completed_at_ = time;
  }
  now_ = time;
}

void Replay::enqueue(std::uint32_t number, std::vector<SimulatedNode> items) {
  Rank& rank = ranks_[number];
  std::stable_sort(items.begin(), items.end(),
                   [](const auto& a, const auto& b) { return a.expected > b.expected; });
  if (dealt()) {
    rank.own.resize(static_cast<std::size_t>(machine_.threads));
    for (std::size_t i = 0; i < items.size(); ++i)
      rank.own[i % rank.own.size()].push_back(items[i]);
  } else {
    for (const SimulatedNode& item : items) rank.waiting.push_back(item);
  }
  for (int i = 0; i < machine_.threads; ++i) {
    if (!thread(number, i).running) take(number, i);
  }
}

void Replay::take(std::uint32_t number, int index) {
  Rank& rank = ranks_[number];
  std::deque<SimulatedNode>& queue =
      dealt() && !rank.own.empty() ? rank.own[static_cast<std::size_t>(index)] : rank.waiting;
  if (queue.empty()) return;
  Thread& taker = thread(number, index);
  taker.walk = SimulatedWalk(tree_, queue.front());
  queue.pop_front();
  taker.running = true;
  taker.asked = false;
  taker.since = now_;
  ++rank.running;
  ++running_;
  rank.idle_since = never;
  plan_finish(number, index);
}

void Replay::plan_finish(std::uint32_t number, int index) {
  Thread& runner = thread(number, index);
  ++runner.version;
  events_.push({runner.since + runner.walk.left() / ranks_[number].rate, Event::finish, number,
                static_cast<std::uint32_t>(index) << 16 | runner.version});
}

void Replay::finish(const Event& event) {
  const int index = static_cast<int>(event.number >> 16);
  Thread& done = thread(event.rank, index);
  if (!done.running || done.version != (event.number & 0xffff)) return;
  Rank& rank = ranks_[event.rank];
  done.running = false;
  --rank.running;
  --running_;
  ++rank.completed;
  if (++completed_ == created_) end_round();
  take(event.rank, index);
  if (done.running) {
    if (rank.waiting.empty()) plan_look(event.rank, next_look(event.rank, now_));
  } else if (idle(event.rank)) {
    begin_idling(event.rank);
  } else {
    want_cuts(event.rank);
    plan_look(event.rank, next_look(event.rank, now_));
  }
}

void Replay::begin_idling(std::uint32_t number) {
  ranks_[number].idle_since = now_;
  plan_look(number, now_);
}

int Replay::wanted(std::uint32_t number) const {
  return machine_.threads - ranks_[number].running + ranks_[number].wanted;
}

void Replay::want_cuts(std::uint32_t number) {
  if (options_.schedule != Schedule::stealing || !ranks_[number].waiting.empty()) return;
  if (wanted(number) == 0) return;
  for (int i = 0; i < machine_.threads; ++i) {
    Thread& runner = thread(number, i);
    if (runner.running && !runner.asked) ask(number, i, unit() * policy_.look_seconds);
  }
}

void Replay::ask(std::uint32_t number, int index, double wait) {
  Thread& runner = thread(number, index);
  runner.asked = true;
  events_.push({now_ + wait, Event::share, number,
                static_cast<std::uint32_t>(index) << 16 | runner.version});
}

void Replay::share(const Event& event) {
  const int index = static_cast<int>(event.number >> 16);
  Thread& runner = thread(event.rank, index);
  if (!runner.running || runner.version != (event.number & 0xffff)) return;
  runner.asked = false;
  Rank& rank = ranks_[event.rank];
  const int threads = wanted(event.rank);
  if (threads == 0 || !rank.waiting.empty()) return;
  // To where it is by now: in the midst of a piece, mostly.
  if (const double due = (now_ - runner.since) * rank.rate; due > 0) {
    runner.since +=
        runner.walk.advance(due, policy_.piece_seconds * rank.rate, policy_.most_pieces) /
        rank.rate;
  }
  std::vector<SimulatedNode> given = runner.walk.give_away(
      static_cast<std::size_t>(threads), policy_.least_shared_seconds * rank.rate);
  if (!given.empty()) {
    created_ += given.size();
    rank.created += given.size();
    cut_ += given.size();
    plan_finish(event.rank, index);
    enqueue(event.rank, std::move(given));
    if (!rank.waiting.empty() && rank.wanted > 0) {
      plan_look(event.rank, next_look(event.rank, now_));
    }
  }
  if (rank.waiting.empty() && wanted(event.rank) > 0 && runner.walk.left() > 0) {
    ask(event.rank, index, policy_.look_seconds);
  }
}

void Replay::tell(Simulation& result) const {
  result.cut = cut_;
  result.steals = steals_;
  result.refusals = refusals_;
  double sum = 0;
  for (const Rank& rank : ranks_) {
    sum += static_cast<double>(rank.sent);
    result.most_messages = std::max(result.most_messages, static_cast<double>(rank.sent));
    result.busiest_main_thread = std::max(result.busiest_main_thread, rank.message_seconds);
  }
  result.messages_per_rank = sum / static_cast<double>(ranks_.size());
}

}  // namespace tessera
