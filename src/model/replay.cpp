// SPDX-License-Identifier: MIT
#include "model/replay.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

#include "base/random.hpp"
#include "protocol/rank_protocol.hpp"

namespace tessera {
namespace {

// Simulated main threads and search threads. Each main thread drives the same RankProtocol as real
// ranks.
class Replay {
 public:
  Replay(const SimulationOptions& options, const SimulatedTree& tree, double rate,
         Simulation& result)
      : options_(options),
        machine_(options.machine),
        tree_(tree),
        result_(result),
        random_(options.seed),
        threads_(static_cast<double>(machine_.ranks) * machine_.threads) {
    // A main thread's polls take time from its rank's search threads.
    const double polls = machine_.poll_seconds / balance.busy_wait_seconds / machine_.threads;
    replayed_.lost_to_polls = std::min(0.5, polls);
    const RankProtocol::Rules rules{.schedule = options.schedule,
                                    .cuts = options.schedule == Schedule::stealing};
    std::vector<Thread> threads(static_cast<std::size_t>(machine_.threads));
    for (std::uint16_t number = 0; Thread & thread : threads) thread.number = number++;
    ranks_.reserve(static_cast<std::size_t>(machine_.ranks));
    for (int rank = 0; rank < machine_.ranks; ++rank) {
      const RankProtocol::Place place{
          .rank = rank, .ranks = machine_.ranks, .threads = machine_.threads};
      const bool slow = rank + machine_.slow_ranks >= machine_.ranks;
      ranks_.push_back(
          {.protocol = RankProtocol(place, rules, Random(random_.next())),
           .number = static_cast<std::uint32_t>(rank),
           .rate = rate * (1 - replayed_.lost_to_polls) / (slow ? machine_.slowness : 1),
           .threads = threads});
    }
    // Main threads have polled at some time before.
    for (Rank& rank : ranks_) rank.looked = -random_.unit() * balance.busy_wait_seconds;
  }

  Replayed run(std::vector<std::vector<SimulatedNode>> items, const std::vector<double>& arrival) {
    for (Rank& rank : ranks_) {
      rank.first = std::move(items[rank.number]);
      created_ += rank.created = rank.first.size();
      events_.push({arrival[rank.number], Event::start, rank.number});
    }
    while (ranks_ended_ < ranks_.size() && !events_.empty() && !is_interrupted()) {
      const Event event = events_.top();
      events_.pop();
      note_time(event.time);
      Rank& rank = ranks_[event.rank];
      Thread& thread = rank.threads[event.thread];
      const bool holds = thread.running && thread.version == event.version;
      switch (event.what) {
        case Event::start:
          enqueue(rank, std::move(rank.first));
          rank.started = true;
          if (idle(rank)) begin_idling(rank);
          else plan_look(rank, event.time);
          break;
        case Event::look:
          if (event.time == rank.planned) look(rank);
          break;
        case Event::finish:
          if (holds) finish(rank, thread);
          break;
        case Event::share:
          if (holds) share(rank, thread);
          break;
      }
    }
    replayed_.end = now_;
    add_up_messages();
    return replayed_;
  }

 private:
  static constexpr double never = RankProtocol::never;

  [[nodiscard]] bool is_interrupted() const {
    return options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed);
  }

  struct Event {
    enum What : std::uint32_t { start, look, finish, share };
    double time;
    What what;
    std::uint32_t rank;
    std::uint16_t thread = 0;  // finish, share: the thread and its subtree
    std::uint16_t version = 0;

    bool operator>(const Event& other) const { return time > other.time; }
  };
  enum class Kind : std::uint32_t { request, patient_request, answer };
  struct Message {
    double arrival;
    int from;
    Kind kind;
    int threads;  // the thief's idle threads
    std::vector<SimulatedNode> items;
  };
  struct Thread {
    bool running = false;
    bool asked = false;  // to give away branches at its next check
    std::uint16_t number = 0;
    std::uint16_t version = 0;
    double since = 0;  // when the walk was last advanced
    SimulatedWalk walk;
  };
  struct Rank {
    RankProtocol protocol;
    std::uint32_t number;
    double rate;
    std::vector<Thread> threads;
    bool started = false;
    double looked = 0;           // the last poll for messages
    double idle_since = never;   // while nothing runs or waits
    double planned = never;      // the next poll that matters
    double sums_arrive = never;  // for the round that all have joined
    double main_free = 0;
    double message_seconds = 0;
    std::uint64_t sent = 0;
    int running = 0;
    int wanted = 0;  // threads of other ranks that wait for a cut
    std::uint64_t created = 0;
    std::uint64_t completed = 0;
    std::vector<SimulatedNode> first = {};
    std::deque<SimulatedNode> waiting = {};
    std::vector<std::deque<SimulatedNode>> dealt = {};  // by thread, if nothing is shared
    std::vector<Message> inbox = {};
  };

  [[nodiscard]] bool dealt() const { return options_.schedule == Schedule::dealt; }
  [[nodiscard]] static bool idle(const Rank& rank) {
    return rank.running == 0 && rank.waiting.empty();
  }

  // ---- a rank's threads

  void note_time(double time) {
    if (completed_ < created_) {
      replayed_.idle_seconds += (threads_ - running_) * (time - now_);
      if (running_ >= 0.95 * threads_) replayed_.starved_seconds = replayed_.idle_seconds;
      replayed_.completed_at = time;
    }
    now_ = time;
  }

  void enqueue(Rank& rank, std::vector<SimulatedNode> items) {
    std::ranges::stable_sort(items, std::greater(), [](const auto& item) { return item.expected; });
    if (dealt()) rank.dealt.resize(rank.threads.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      (dealt() ? rank.dealt[i % rank.dealt.size()] : rank.waiting).push_back(items[i]);
    }
    for (Thread& thread : rank.threads) {
      if (!thread.running) take(rank, thread);
    }
  }

  // The next subtree for an idle thread.
  void take(Rank& rank, Thread& thread) {
    std::deque<SimulatedNode>& queue = dealt() ? rank.dealt[thread.number] : rank.waiting;
    if (queue.empty()) return;
    thread.walk = SimulatedWalk(tree_, queue.front());
    queue.pop_front();
    thread.running = true;
    thread.asked = false;
    thread.since = now_;
    ++rank.running;
    ++running_;
    rank.idle_since = never;
    plan_finish(rank, thread);
  }

  // Adds an event for the subtree that the thread is searching.
  void plan(double time, Event::What what, const Rank& rank, const Thread& thread) {
    events_.push({time, what, rank.number, thread.number, thread.version});
  }

  void plan_finish(const Rank& rank, Thread& thread) {
    ++thread.version;
    plan(thread.since + thread.walk.left() / rank.rate, Event::finish, rank, thread);
  }

  void finish(Rank& rank, Thread& thread) {
    thread.running = false;
    --rank.running;
    --running_;
    ++rank.completed;
    if (++completed_ == created_) end_round();
    take(rank, thread);
    if (thread.running) {
      if (rank.waiting.empty()) plan_look(rank, next_look(rank, now_));
    } else if (idle(rank)) {
      begin_idling(rank);
    } else {
      want_cuts(rank);
      plan_look(rank, next_look(rank, now_));
    }
  }

  void begin_idling(Rank& rank) {
    rank.idle_since = now_;
    plan_look(rank, now_);
  }

  // As in SubtreePool.
  [[nodiscard]] int lacking(const Rank& rank) const {
    return machine_.threads - rank.running + rank.wanted - static_cast<int>(rank.waiting.size());
  }

  // Running subtrees give away branches at their next check, while some are wanted.
  void want_cuts(Rank& rank) {
    if (options_.schedule != Schedule::stealing || lacking(rank) <= 0) return;
    for (Thread& thread : rank.threads) {
      if (thread.running && !thread.asked) ask(rank, thread, random_.unit() * balance.look_seconds);
    }
  }

  void ask(const Rank& rank, Thread& thread, double wait) {
    thread.asked = true;
    plan(now_ + wait, Event::share, rank, thread);
  }

  void share(Rank& rank, Thread& thread) {
    thread.asked = false;
    const int most = lacking(rank);
    if (most <= 0) return;
    // Advances to the present, usually the middle of a piece.
    if (const double due = (now_ - thread.since) * rank.rate; due > 0) {
      thread.since +=
          thread.walk.advance(due, balance.piece_seconds * rank.rate, balance.most_pieces) /
          rank.rate;
    }
    std::vector<SimulatedNode> given = thread.walk.give_away(
        static_cast<std::size_t>(most), balance.least_shared_seconds * rank.rate);
    if (!given.empty()) {
      created_ += given.size();
      rank.created += given.size();
      result_.cut += given.size();
      plan_finish(rank, thread);
      enqueue(rank, std::move(given));
      if (!rank.waiting.empty() && rank.wanted > 0) plan_look(rank, next_look(rank, now_));
    }
    if (lacking(rank) > 0 && thread.walk.left() > 0) {
      ask(rank, thread, balance.look_seconds);
    }
  }

  // ---- the main thread of a rank

  // The first poll at or after a time: at fixed intervals while threads search; without work soon
  // at first, then at growing intervals.
  [[nodiscard]] double next_look(const Rank& rank, double time) const {
    if (rank.idle_since == never) {
      const double wait = balance.busy_wait_seconds;
      const double looks = std::max(1.0, std::ceil((time - rank.looked) / wait));
      return std::max(time, rank.looked + looks * wait);  // rounding must not move it before
    }
    double at = rank.idle_since;
    double sleep = balance.idle_first_seconds;
    for (; sleep < balance.idle_wait_seconds; sleep *= 1.5) {
      if (at >= time) return at;
      at += sleep;
    }
    sleep = balance.idle_wait_seconds;
    return std::max(time, at + std::ceil(std::max(0.0, time - at) / sleep) * sleep);
  }

  void plan_look(Rank& rank, double time) {
    time = std::max({time, now_, rank.main_free});
    if (time >= rank.planned) return;
    rank.planned = time;
    events_.push({time, Event::look, rank.number});
  }

  void send(Rank& from, int to, Kind kind, int threads, std::vector<SimulatedNode> items) {
    spend(from);
    ++from.sent;
    const double bytes = machine_.item_bytes * static_cast<double>(items.size());
    const double arrival =
        from.main_free + machine_.latency_seconds + bytes / machine_.bytes_per_second;
    Rank& receiver = ranks_[static_cast<std::size_t>(to)];
    receiver.inbox.push_back(
        {arrival, static_cast<int>(from.number), kind, threads, std::move(items)});
    if (receiver.started) plan_look(receiver, next_look(receiver, arrival));
  }

  void spend(Rank& rank) const {
    rank.main_free = std::max(rank.main_free, now_) + machine_.message_seconds;
    rank.message_seconds += machine_.message_seconds;
  }

  // The actions that a rank's protocol decides on in one poll.
  class Actions final : public RankActions {
   public:
    Actions(Replay& replay, Rank& rank) : replay_(replay), rank_(rank) {}

    void ask(int victim, int idle_threads, bool patient) override {
      replay_.send(rank_, victim, patient ? Kind::patient_request : Kind::request, idle_threads,
                   {});
    }
    std::size_t give(int thief, const Share& share) override {
      std::deque<SimulatedNode>& waiting = rank_.waiting;
      const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(share.of(waiting.size()));
      std::vector<SimulatedNode> given(waiting.begin(), end);
      waiting.erase(waiting.begin(), end);
      const std::size_t count = given.size();
      if (count > 0) replay_.send(rank_, thief, Kind::answer, 0, std::move(given));
      return count;
    }
    void refuse(int thief) override { replay_.send(rank_, thief, Kind::answer, 0, {}); }
    void cut_for(int idle_threads) override { rank_.wanted = idle_threads; }
    void begin_round(const Round& mine) override {
      replay_.joined_.created += mine.created;
      replay_.joined_.completed += mine.completed;
      ++replay_.ranks_joined_;
      replay_.end_round();
    }

   private:
    Replay& replay_;
    Rank& rank_;
  };

  void look(Rank& rank) {
    rank.planned = never;
    rank.looked = now_;
    receive(rank);
    learn_sums(rank);
    Actions actions(*this, rank);
    const double next =
        rank.protocol.act(now_,
                          {.waiting = rank.waiting.size(),
                           .running = static_cast<std::size_t>(rank.running),
                           .figures = {.created = rank.created, .completed = rank.completed}},
                          actions);
    want_cuts(rank);
    const double soonest = now_ + balance.idle_first_seconds;
    if (next != never) plan_look(rank, next_look(rank, std::max(next, soonest)));
    // Messages still in transit are polled later.
    for (const Message& message : rank.inbox) {
      plan_look(rank, next_look(rank, std::max(message.arrival, now_)));
    }
    if (rank.sums_arrive != never) {
      plan_look(rank, next_look(rank, std::max(rank.sums_arrive, now_)));
    }
  }

  void receive(Rank& rank) {
    const auto later =
        std::partition(rank.inbox.begin(), rank.inbox.end(),
                       [&](const Message& message) { return message.arrival <= now_; });
    std::vector<Message> arrived(std::make_move_iterator(rank.inbox.begin()),
                                 std::make_move_iterator(later));
    rank.inbox.erase(rank.inbox.begin(), later);
    for (Message& message : arrived) {
      spend(rank);
      if (message.kind != Kind::answer) {
        rank.protocol.asked_by(message.from, message.threads,
                               message.kind == Kind::patient_request);
        continue;
      }
      rank.protocol.answered_by(message.from, message.items.size(), now_);
      ++(message.items.empty() ? result_.refusals : result_.steals);
      if (!message.items.empty()) enqueue(rank, std::move(message.items));
    }
  }

  // Without solutions and limits, intermediate rounds decide nothing, so the round that all have
  // joined is held until all work is done.
  void end_round() {
    if (ranks_joined_ < ranks_.size() || completed_ < created_) return;
    sums_ = std::exchange(joined_, {});
    ranks_joined_ = 0;
    // The held round was half over on average.
    const double sums_arrive = now_ + round_seconds(machine_) * (rounds_++ == 0 ? 0.5 : 1);
    for (Rank& rank : ranks_) {
      rank.sums_arrive = sums_arrive;
      plan_look(rank, next_look(rank, sums_arrive));
    }
  }

  void learn_sums(Rank& rank) {
    if (now_ < rank.sums_arrive) return;
    rank.sums_arrive = never;
    rank.protocol.round_completed(sums_, now_);
    if (rank.protocol.ending()) ++ranks_ended_;
  }

  void add_up_messages() {
    double sum = 0;
    for (const Rank& rank : ranks_) {
      const auto sent = static_cast<double>(rank.sent);
      sum += sent;
      result_.most_messages = std::max(result_.most_messages, sent);
      result_.busiest_main_thread = std::max(result_.busiest_main_thread, rank.message_seconds);
    }
    result_.messages_per_rank = sum / static_cast<double>(ranks_.size());
  }

  const SimulationOptions& options_;
  const Machine& machine_;
  const SimulatedTree& tree_;
  Simulation& result_;
  Replayed replayed_;
  Random random_;
  std::vector<Rank> ranks_;
  double threads_;  // of all ranks
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
  Round joined_;  // sums of the round that ranks are joining
  Round sums_;    // sums of the one before
  std::size_t ranks_joined_ = 0;
  std::size_t ranks_ended_ = 0;
  int rounds_ = 0;
  double running_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace

double round_seconds(const Machine& machine) {
  if (machine.ranks == 1) return 0;
  return std::ceil(std::log2(machine.ranks)) *
         (balance.idle_wait_seconds / 2 + machine.latency_seconds + machine.message_seconds);
}

Replayed replay(const SimulationOptions& options, const SimulatedTree& tree, double rate,
                std::vector<std::vector<SimulatedNode>> items, const std::vector<double>& arrival,
                Simulation& result) {
  return Replay(options, tree, rate, result).run(std::move(items), arrival);
}

}  // namespace tessera
