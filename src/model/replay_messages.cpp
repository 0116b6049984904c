// SPDX-License-Identifier: MIT
// What the main thread of a simulated rank does.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "model/replay.hpp"

namespace tessera {

double Replay::next_look(std::uint32_t number, double time) const {
  const Rank& rank = ranks_[number];
  if (rank.idle_since == never) {
    const double wait = policy_.busy_wait_seconds;
    const double looks = std::max(1.0, std::ceil((time - rank.looked) / wait));
    return std::max(time, rank.looked + looks * wait);  // rounding must not bring it before
  }
  double at = rank.idle_since;
  double sleep = policy_.idle_first_seconds;
  for (; sleep < policy_.idle_wait_seconds; sleep *= 1.5) {
    if (at >= time) return at;
    at += sleep;
  }
  sleep = policy_.idle_wait_seconds;
  return std::max(time, at + std::ceil(std::max(0.0, time - at) / sleep) * sleep);
}

void Replay::plan_look(std::uint32_t number, double time) {
  Rank& rank = ranks_[number];
  time = std::max({time, now_, rank.main_free});
  if (time >= rank.planned) return;
  rank.planned = time;
  events_.push({time, Event::look, number, 0});
}

void Replay::send(std::uint32_t from, std::uint32_t to, Kind kind, int threads,
                  std::vector<SimulatedNode> items) {
  spend(from);
  ++ranks_[from].sent;
  const double bytes = machine_.item_bytes * static_cast<double>(items.size());
  const double arrival =
      ranks_[from].main_free + machine_.latency_seconds + bytes / machine_.bytes_a_second;
  ranks_[to].inbox.push_back({arrival, from, kind, threads, std::move(items)});
  if (ranks_[to].started) plan_look(to, next_look(to, arrival));
}

void Replay::spend(std::uint32_t number) {
  Rank& rank = ranks_[number];
  rank.main_free = std::max(rank.main_free, now_) + machine_.message_seconds;
  rank.message_seconds += machine_.message_seconds;
}

// What a rank's protocol decides in one look.
class Replay::Actions final : public RankActions {
 public:
  Actions(Replay& replay, std::uint32_t number) : replay_(replay), number_(number) {}

  void ask(int victim, int idle_threads, bool patient) override {
    replay_.send(number_, static_cast<std::uint32_t>(victim),
                 patient ? Kind::patient_request : Kind::request, idle_threads, {});
  }
  std::size_t give(int thief, const Share& share) override {
    std::deque<SimulatedNode>& waiting = replay_.ranks_[number_].waiting;
    const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(share.of(waiting.size()));
    std::vector<SimulatedNode> given(waiting.begin(), end);
    waiting.erase(waiting.begin(), end);
    const std::size_t count = given.size();
    if (count > 0) answer(thief, std::move(given));
    return count;
  }
  void refuse(int thief) override { answer(thief, {}); }
  void cut_for(int idle_threads) override { replay_.ranks_[number_].wanted = idle_threads; }
  void begin_round(const Round& mine) override {
    replay_.joined_.created += mine.created;
    replay_.joined_.completed += mine.completed;
    ++replay_.ranks_joined_;
    replay_.end_round();
  }

 private:
  void answer(int thief, std::vector<SimulatedNode> items) {
    replay_.send(number_, static_cast<std::uint32_t>(thief), Kind::answer, 0, std::move(items));
  }
  Replay& replay_;
  std::uint32_t number_;
};

void Replay::look(std::uint32_t number) {
  Rank& rank = ranks_[number];
  rank.planned = never;
  rank.looked = now_;
  receive(number);
  learn_sums(rank);
  Actions actions(*this, number);
  const double next =
      rank.protocol.act(now_,
                        {.waiting = rank.waiting.size(),
                         .running = static_cast<std::size_t>(rank.running),
                         .figures = {.created = rank.created, .completed = rank.completed}},
                        actions);
  want_cuts(number);
  const double soonest = now_ + policy_.idle_first_seconds;
  if (next != never) plan_look(number, next_look(number, std::max(next, soonest)));
  // What is under way yet is looked at in its time.
  for (const Message& message : rank.inbox) {
    plan_look(number, next_look(number, std::max(message.arrival, now_)));
  }
  if (rank.sums_arrive != never) {
    plan_look(number, next_look(number, std::max(rank.sums_arrive, now_)));
  }
}

void Replay::receive(std::uint32_t number) {
  Rank& rank = ranks_[number];
  const auto later =
      std::partition(rank.inbox.begin(), rank.inbox.end(),
                     [&](const Message& message) { return message.arrival <= now_; });
  std::vector<Message> arrived(std::make_move_iterator(rank.inbox.begin()),
                               std::make_move_iterator(later));
  rank.inbox.erase(rank.inbox.begin(), later);
  for (Message& message : arrived) {
    spend(number);
    const auto from = static_cast<int>(message.from);
    if (message.kind != Kind::answer) {
      rank.protocol.asked_by(from, message.threads, message.kind == Kind::patient_request);
      continue;
    }
    rank.protocol.answered_by(from, message.items.size(), now_);
    ++(message.items.empty() ? refusals_ : steals_);
    if (!message.items.empty()) enqueue(number, std::move(message.items));
  }
}

double Replay::round_seconds() const {
  if (machine_.ranks == 1) return 0;
  return std::ceil(std::log2(machine_.ranks)) *
         (policy_.idle_wait_seconds / 2 + machine_.latency_seconds + machine_.message_seconds);
}

void Replay::end_round() {
  if (ranks_joined_ < ranks_.size() || completed_ < created_) return;
  sums_ = std::exchange(joined_, {});
  ranks_joined_ = 0;
  // Of the one that was held, half had passed on average.
  const double sums_arrive = now_ + round_seconds() * (rounds_++ == 0 ? 0.5 : 1);
  for (std::uint32_t number = 0; number < ranks_.size(); ++number) {
    ranks_[number].sums_arrive = sums_arrive;
    plan_look(number, next_look(number, sums_arrive));
  }
}

void Replay::learn_sums(Rank& rank) {
  if (now_ < rank.sums_arrive) return;
  rank.sums_arrive = never;
  rank.protocol.round_completed(sums_, now_);
  if (rank.protocol.ending()) ++ranks_ended_;
}

}  // namespace tessera
