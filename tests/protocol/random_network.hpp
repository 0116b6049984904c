// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "protocol/rank_protocol.hpp"

namespace tessera {

struct NetworkOptions {
  RankProtocol::Place place;  // of all ranks but for `rank`
  RankProtocol::Rules rules;
  std::uint64_t units = 0;       // of work, numbered
  std::uint64_t largest = 1000;  // units in a subtree that is dealt
  double unit_seconds = 20e-6;
  double longest_delay = 3e-3;             // of a message
  int slow_ranks = 0;                      // which are 20 times slower in everything
  std::optional<std::uint64_t> goal = {};  // the unit that is a solution
  std::optional<double> stop_at = {};      // when the master reaches a limit
  std::uint64_t seed = 1;
};

// Ranks in one process that drive a RankProtocol each. Their work is an interval of units, a
// subtree part of it. Looks, messages and rounds take random times, and messages overtake one
// another. What holds for every run is checked on the way.
class RandomNetwork {
 public:
  explicit RandomNetwork(const NetworkOptions& options)
      : options_(options), random_(options.seed), visits_(options.units) {
    const auto ranks = static_cast<std::size_t>(options_.place.ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      RankProtocol::Place place = options_.place;
      place.rank = static_cast<int>(rank);
      ranks_.emplace_back(RankProtocol(place, options_.rules, Random(random_.next())));
      ranks_.back().running.resize(static_cast<std::size_t>(place.threads));
    }
    deal_units();
    for (std::size_t rank = 0; rank < ranks; ++rank) look_later(rank);
  }

  // Until every rank knows the end, its requests are answered and no message is under way.
  void run() {
    while (!is_over()) {
      ASSERT_FALSE(events_.empty());
      ASSERT_LT(now_, 100) << "no end";
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      event.happen();
      if (testing::Test::HasFailure()) return;
    }
    for (const auto& [pair, requests] : open_requests_) EXPECT_EQ(requests, 0);
    for (const Rank& rank : ranks_) EXPECT_EQ(rank.rounds, ranks_.front().rounds);
  }

  [[nodiscard]] Ending ending() const { return ranks_.front().protocol.ending().value(); }
  [[nodiscard]] double seconds() const { return now_; }
  /// When the last rank found its first subtree.
  [[nodiscard]] double all_had_work_at() const { return all_had_work_at_; }
  [[nodiscard]] std::uint64_t stolen() const { return stolen_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t visited() const {
    return static_cast<std::uint64_t>(std::count(visits_.begin(), visits_.end(), 1));
  }

 private:
  struct Subtree {
    std::uint64_t next = 0;
    std::uint64_t end = 0;
  };
  struct Rank {
    explicit Rank(RankProtocol machine) : protocol(std::move(machine)) {}
    RankProtocol protocol;
    std::deque<Subtree> waiting;
    std::vector<Subtree> running;  // by thread; empty where it is idle
    Round figures;
    int wanted = 0;
    int rounds = 0;
    double looked = 0;
    bool had_work = false;
    bool over = false;
  };
  struct Event {
    double time;
    std::function<void()> happen;
    bool operator>(const Event& other) const { return time > other.time; }
  };
  struct Sums {
    Round sum;
    int joined = 0;
  };

  struct Actions final : RankActions {
    Actions(RandomNetwork& all, std::size_t rank) : network(all), self(static_cast<int>(rank)) {}
    void ask(int victim, int idle_threads, bool patient) override {
      EXPECT_NE(victim, self);
      EXPECT_FALSE(network.ranks_[at(self)].over) << "asks after the end";
      ++network.requests_;
      ++network.open_requests_[{self, victim}];
      network.send([n = &network, victim, thief = self, idle_threads, patient] {
        n->ranks_[at(victim)].protocol.asked_by(thief, idle_threads, patient);
      });
    }
    std::size_t give(int thief, const Share& share) override {
      std::deque<Subtree>& waiting = network.ranks_[at(self)].waiting;
      const auto count = static_cast<std::ptrdiff_t>(share.of(waiting.size()));
      if (count == 0) return 0;
      std::vector<Subtree> given(waiting.begin(), waiting.begin() + count);
      waiting.erase(waiting.begin(), waiting.begin() + count);
      network.stolen_ += given.size();
      answer(thief, given);
      return given.size();
    }
    void refuse(int thief) override { answer(thief, {}); }
    void cut_for(int idle_threads) override { network.ranks_[at(self)].wanted = idle_threads; }
    void begin_round(const Round& mine) override {
      EXPECT_FALSE(network.ranks_[at(self)].over) << "a round after the end";
      network.join_round(at(self), mine);
    }

   private:
    void answer(int thief, std::vector<Subtree> subtrees) {
      int& open = network.open_requests_[std::pair(thief, self)];
      EXPECT_GT(open--, 0) << "answered twice";
      network.send([n = &network, thief, victim = self, subtrees = std::move(subtrees)] {
        Rank& rank = n->ranks_[at(thief)];
        rank.protocol.answered_by(victim, subtrees.size(), n->now_);
        if (rank.over) return;  // the pool has stopped
        rank.waiting.insert(rank.waiting.end(), subtrees.begin(), subtrees.end());
      });
    }
    RandomNetwork& network;
    int self;
  };

  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  [[nodiscard]] double slowness(std::size_t rank) const {
    return rank + at(options_.slow_ranks) >= ranks_.size() ? 20 : 1;
  }

  void deal_units() {
    std::vector<Subtree> subtrees;
    std::vector<double> costs;
    for (std::uint64_t unit = 0; unit < options_.units;) {
      const std::uint64_t size = 1 + random_.below(options_.largest);
      subtrees.push_back({unit, std::min(unit + size, options_.units)});
      // What a subtree cost before says little of what it costs now.
      costs.push_back(static_cast<double>(random_.below(options_.largest)));
      unit += size;
    }
    const std::vector<int> threads(ranks_.size(), options_.place.threads);
    const auto by_rank = deal(costs, threads, options_.rules.schedule);
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
      for (const std::uint32_t i : by_rank[rank]) ranks_[rank].waiting.push_back(subtrees[i]);
      ranks_[rank].figures.created = by_rank[rank].size();
    }
  }

  void at_time(double time, std::function<void()> what) { events_.push({time, std::move(what)}); }
  void look_later(std::size_t rank) {
    at_time(now_ + slowness(rank) * (20e-6 + random_.unit() * 1e-3), [this, rank] { look(rank); });
  }
  void send(std::function<void()> arrives) {
    ++under_way_;
    at_time(now_ + random_.unit() * options_.longest_delay, [this, arrives = std::move(arrives)] {
      --under_way_;
      arrives();
    });
  }

  void look(std::size_t number) {
    Rank& rank = ranks_[number];
    if (!rank.over) search(number, rank);
    if (!rank.had_work && running(rank) > 0) {
      rank.had_work = true;
      all_had_work_at_ = now_;
    }
    rank.looked = now_;
    if (number == master_rank && options_.stop_at && now_ >= *options_.stop_at) {
      rank.protocol.stop();
    }
    PoolLoad load{
        .waiting = rank.waiting.size(), .running = running(rank), .figures = rank.figures};
    Actions actions(*this, number);
    (void)rank.protocol.act(now_, load, actions);
    look_later(number);
  }

  [[nodiscard]] static std::size_t running(const Rank& rank) {
    return static_cast<std::size_t>(
        std::count_if(rank.running.begin(), rank.running.end(),
                      [](const Subtree& subtree) { return subtree.next < subtree.end; }));
  }

  // What the threads have done since the last look.
  void search(std::size_t number, Rank& rank) {
    const auto units = static_cast<std::uint64_t>((now_ - rank.looked) /
                                                  (slowness(number) * options_.unit_seconds));
    for (Subtree& subtree : rank.running) {
      for (std::uint64_t left = 1 + units; left > 0; --left) {
        if (subtree.next == subtree.end && !take(rank, subtree)) break;
        if (subtree.next == options_.goal) rank.figures.solutions_seen = 1;
        ++visits_[subtree.next++];
        if (subtree.next == subtree.end) ++rank.figures.completed;
      }
      const bool wanted = rank.wanted > 0 || running(rank) < rank.running.size();
      if (options_.rules.cuts && wanted && rank.waiting.empty()) cut(rank, subtree);
    }
  }
  static bool take(Rank& rank, Subtree& subtree) {
    if (rank.waiting.empty()) return false;
    subtree = rank.waiting.front();
    rank.waiting.pop_front();
    return true;
  }
  static void cut(Rank& rank, Subtree& subtree) {
    if (subtree.end - subtree.next < 8) return;
    const std::uint64_t middle = subtree.next + (subtree.end - subtree.next) / 2;
    rank.waiting.push_back({middle, subtree.end});
    subtree.end = middle;
    ++rank.figures.created;
  }

  void join_round(std::size_t number, const Round& mine) {
    Rank& rank = ranks_[number];
    const auto round = static_cast<std::size_t>(rank.rounds++);
    if (rounds_.size() <= round) rounds_.resize(round + 1);
    Round& sum = rounds_[round].sum;
    sum.created += mine.created;
    sum.completed += mine.completed;
    sum.solutions_seen += mine.solutions_seen;
    sum.stops += mine.stops;
    if (++rounds_[round].joined < options_.place.ranks) return;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      at_time(now_ + random_.unit() * options_.longest_delay,
              [this, i, sums = rounds_[round].sum] { learn(i, sums); });
    }
  }

  void learn(std::size_t number, const Round& sums) {
    Rank& rank = ranks_[number];
    ASSERT_FALSE(rank.over) << "the end twice";
    rank.protocol.round_completed(sums, now_);
    if (!rank.protocol.ending()) return;
    rank.over = true;
    if (rank.protocol.is_exhausted()) {
      expect_all_done();
    } else {
      EXPECT_EQ(rank.protocol.ending(),
                sums.solutions_seen > 0 ? Ending::solution : Ending::stopped);
    }
    rank.waiting.clear();
    std::fill(rank.running.begin(), rank.running.end(), Subtree{});
  }

  void expect_all_done() const {
    ASSERT_EQ(visited(), options_.units) << "the end comes early, or a unit is searched twice";
    for (const Rank& rank : ranks_) ASSERT_TRUE(rank.waiting.empty() && running(rank) == 0);
  }

  [[nodiscard]] bool is_over() const {
    return under_way_ == 0 && std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
             return rank.over && rank.protocol.is_settled();
           });
  }

  NetworkOptions options_;
  Random random_;
  std::vector<std::uint8_t> visits_;  // by unit
  std::vector<Rank> ranks_;
  std::vector<Sums> rounds_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::map<std::pair<int, int>, int> open_requests_;  // by thief and victim
  double now_ = 0;
  double all_had_work_at_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t stolen_ = 0;
  std::uint64_t under_way_ = 0;  // messages
};

}  // namespace tessera
