// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "model/simulated_tree.hpp"
#include "tessera/base/random.hpp"
#include "tessera/model/simulate.hpp"
#include "tessera/protocol/rank_protocol.hpp"

namespace tessera {

/// Simulated main threads and search threads from the first subtree until all ranks know the end.
/// Each main thread drives the RankProtocol that real ranks drive.
class Replay {
 public:
  Replay(const SimulationOptions& options, const SimulatedTree& tree, double rate)
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

  /// `arrival(rank)`: when its first subtrees come.
  void run(std::vector<std::vector<SimulatedNode>> items, const std::vector<double>& arrival) {
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

  /// When the last subtree was completed.
  [[nodiscard]] double completed_at() const { return completed_at_; }
  /// When the last rank knew.
  [[nodiscard]] double end() const { return now_; }
  /// What an all-reduce over all ranks takes, each of which looks now and then.
  [[nodiscard]] double round_seconds() const {
    if (machine_.ranks == 1) return 0;
    return std::ceil(std::log2(machine_.ranks)) *
           (policy_.idle_wait_seconds / 2 + machine_.latency_seconds + machine_.message_seconds);
  }

  [[nodiscard]] double lost_to_polls() const { return lost_to_polls_; }
  [[nodiscard]] double starved() const { return idle_before_tail_; }
  [[nodiscard]] double tail() const { return idle_seconds_ - idle_before_tail_; }
  void tell(Simulation& result) const {
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

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct Event {
    enum What : std::uint32_t { start, look, finish, share };
    double time;
    What what;
    std::uint32_t rank;
    std::uint32_t number;  // thread << 16 | version, where a thread is meant

    bool operator>(const Event& other) const { return time > other.time; }
  };
  enum class Kind : std::uint32_t { request, patient_request, answer };
  struct Message {
    double arrival;
    std::uint32_t from;
    Kind kind;
    int threads;  // of a thief that have nothing to do
    std::vector<SimulatedNode> items;
  };
  struct Thread {
    bool running = false;
    bool asked = false;  // to give branches away at its next look
    std::uint16_t version = 0;
    double since = 0;  // when the walk was where it was last looked at
    SimulatedWalk walk;
  };
  struct Rank {
    explicit Rank(RankProtocol machine) : protocol(std::move(machine)) {}
    RankProtocol protocol;
    double rate = 0;
    bool started = false;
    double looked = 0;           // the last look at messages
    double idle_since = never;   // while nothing runs or waits
    double planned = never;      // the next look that matters
    double sums_arrive = never;  // of the round that all have joined
    double main_free = 0;
    double message_seconds = 0;
    std::uint64_t sent = 0;
    int running = 0;
    int wanted = 0;  // threads of other ranks that wait for a cut
    std::uint64_t created = 0;
    std::uint64_t completed = 0;
    std::vector<SimulatedNode> first;
    std::deque<SimulatedNode> waiting;
    std::vector<std::deque<SimulatedNode>> own;  // by thread, where nothing is shared
    std::vector<Message> inbox;
  };

  // What a rank's protocol decides in one look.
  class Actions final : public RankActions {
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

  [[nodiscard]] bool dealt() const { return options_.schedule == Schedule::dealt; }
  [[nodiscard]] double unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
  [[nodiscard]] Thread& thread(std::uint32_t rank, int index) {
    return threads_[rank * static_cast<std::size_t>(machine_.threads) +
                    static_cast<std::size_t>(index)];
  }

  [[nodiscard]] bool idle(std::uint32_t rank) const {
    return ranks_[rank].running == 0 && ranks_[rank].waiting.empty();
  }

  void note_time(double time) {
    if (completed_ < created_) {
      const double all = static_cast<double>(threads_.size());
      idle_seconds_ += (all - running_) * (time - now_);
      if (running_ >= 0.95 * all) idle_before_tail_ = idle_seconds_;
      completed_at_ = time;
    }
    now_ = time;
  }

  // ---- a rank's threads

  void enqueue(std::uint32_t number, std::vector<SimulatedNode> items) {
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

  // The next subtree for a thread that has none.
  void take(std::uint32_t number, int index) {
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

  void plan_finish(std::uint32_t number, int index) {
    Thread& runner = thread(number, index);
    ++runner.version;
    events_.push({runner.since + runner.walk.left() / ranks_[number].rate, Event::finish, number,
                  static_cast<std::uint32_t>(index) << 16 | runner.version});
  }

  void finish(const Event& event) {
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

  void begin_idling(std::uint32_t number) {
    ranks_[number].idle_since = now_;
    plan_look(number, now_);
  }

  [[nodiscard]] int wanted(std::uint32_t number) const {
    return machine_.threads - ranks_[number].running + ranks_[number].wanted;
  }

  // Running subtrees give branches away at their next look, while somebody wants some.
  void want_cuts(std::uint32_t number) {
    if (options_.schedule != Schedule::stealing || !ranks_[number].waiting.empty()) return;
    if (wanted(number) == 0) return;
    for (int i = 0; i < machine_.threads; ++i) {
      Thread& runner = thread(number, i);
      if (runner.running && !runner.asked) ask(number, i, unit() * policy_.look_seconds);
    }
  }

  void ask(std::uint32_t number, int index, double wait) {
    Thread& runner = thread(number, index);
    runner.asked = true;
    events_.push({now_ + wait, Event::share, number,
                  static_cast<std::uint32_t>(index) << 16 | runner.version});
  }

  void share(const Event& event) {
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

  // ---- a rank's main thread

  // The first look at or after a time: every so often while threads search; without work soon at
  // first, then more and more seldom.
  [[nodiscard]] double next_look(std::uint32_t number, double time) const {
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

  void plan_look(std::uint32_t number, double time) {
    Rank& rank = ranks_[number];
    time = std::max({time, now_, rank.main_free});
    if (time >= rank.planned) return;
    rank.planned = time;
    events_.push({time, Event::look, number, 0});
  }

  void send(std::uint32_t from, std::uint32_t to, Kind kind, int threads,
            std::vector<SimulatedNode> items) {
    spend(from);
    ++ranks_[from].sent;
    const double bytes = machine_.item_bytes * static_cast<double>(items.size());
    const double arrival =
        ranks_[from].main_free + machine_.latency_seconds + bytes / machine_.bytes_a_second;
    ranks_[to].inbox.push_back({arrival, from, kind, threads, std::move(items)});
    if (ranks_[to].started) plan_look(to, next_look(to, arrival));
  }

  void spend(std::uint32_t number) {
    Rank& rank = ranks_[number];
    rank.main_free = std::max(rank.main_free, now_) + machine_.message_seconds;
    rank.message_seconds += machine_.message_seconds;
  }

  void look(std::uint32_t number) {
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

  void receive(std::uint32_t number) {
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

  void learn_sums(Rank& rank) {
    if (now_ < rank.sums_arrive) return;
    rank.sums_arrive = never;
    rank.protocol.round_completed(sums_, now_);
    if (rank.protocol.ending()) ++ranks_ended_;
  }

  // Without solutions and limits rounds in the middle decide nothing, so the one that all have
  // joined is held until all work is done.
  void end_round() {
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

  const SimulationOptions& options_;
  const BalancePolicy& policy_;
  const Machine& machine_;
  const SimulatedTree& tree_;
  Random random_;
  std::vector<Rank> ranks_;
  std::vector<Thread> threads_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
  double completed_at_ = 0;
  Round joined_;  // the sums of the round that ranks join now
  Round sums_;    // those of the one before
  std::size_t ranks_joined_ = 0;
  std::size_t ranks_ended_ = 0;
  int rounds_ = 0;
  double lost_to_polls_ = 0;
  double running_ = 0;
  double idle_seconds_ = 0;
  double idle_before_tail_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t steals_ = 0;
  std::uint64_t refusals_ = 0;
};

}  // namespace tessera
