// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
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
  Replay(const SimulationOptions& options, const SimulatedTree& tree, double rate);

  /// `arrival(rank)`: when its first subtrees come.
  void run(std::vector<std::vector<SimulatedNode>> items, const std::vector<double>& arrival);

  /// When the last subtree was completed.
  [[nodiscard]] double completed_at() const { return completed_at_; }
  /// When the last rank knew.
  [[nodiscard]] double end() const { return now_; }
  /// What an all-reduce over all ranks takes, each of which looks now and then.
  [[nodiscard]] double round_seconds() const;
  [[nodiscard]] double lost_to_polls() const { return lost_to_polls_; }
  [[nodiscard]] double starved() const { return idle_before_tail_; }
  [[nodiscard]] double tail() const { return idle_seconds_ - idle_before_tail_; }
  void tell(Simulation& result) const;

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct Event {
    enum What : std::uint32_t { start, look, finish, share };
    double time;
    What what;
    std::uint32_t rank;
    std::uint16_t thread = 0;  // finish, share: the thread, and its subtree
    std::uint16_t version = 0;

    bool operator>(const Event& other) const { return time > other.time; }
  };
  enum class Kind : std::uint32_t { request, patient_request, answer };
  struct Message {
    double arrival;
    int from;
    Kind kind;
    int threads;  // of a thief that have nothing to do
    std::vector<SimulatedNode> items;
  };
  struct Thread {
    bool running = false;
    bool asked = false;  // to give branches away at its next look
    std::uint16_t number = 0;
    std::uint16_t version = 0;
    double since = 0;  // when the walk was where it was last looked at
    SimulatedWalk walk;
    std::deque<SimulatedNode> own;  // that wait, where nothing is shared
  };
  struct Rank {
    RankProtocol protocol;
    std::uint32_t number;
    double rate;
    std::vector<Thread> threads;
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
    std::vector<SimulatedNode> first = {};
    std::deque<SimulatedNode> waiting = {};
    std::vector<Message> inbox = {};
  };
  class Actions;

  [[nodiscard]] bool dealt() const { return options_.schedule == Schedule::dealt; }
  [[nodiscard]] double unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
  [[nodiscard]] static bool idle(const Rank& rank) {
    return rank.running == 0 && rank.waiting.empty();
  }

  void note_time(double time);

  // ---- a rank's threads

  void enqueue(Rank& rank, std::vector<SimulatedNode> items);
  // The next subtree for a thread that has none.
  void take(Rank& rank, Thread& thread);
  // An event of what the thread searches now.
  void plan(double time, Event::What what, const Rank& rank, const Thread& thread);
  void plan_finish(const Rank& rank, Thread& thread);
  void finish(Rank& rank, Thread& thread);
  void begin_idling(Rank& rank);
  [[nodiscard]] int wanted(const Rank& rank) const;
  // Running subtrees give branches away at their next look, while somebody wants some.
  void want_cuts(Rank& rank);
  void ask(const Rank& rank, Thread& thread, double wait);
  void share(Rank& rank, Thread& thread);

  // ---- a rank's main thread

  // The first look at or after a time: every so often while threads search; without work soon at
  // first, then more and more seldom.
  [[nodiscard]] double next_look(const Rank& rank, double time) const;
  void plan_look(Rank& rank, double time);
  void send(Rank& from, int to, Kind kind, int threads, std::vector<SimulatedNode> items);
  void spend(Rank& rank) const;
  void look(Rank& rank);
  void receive(Rank& rank);
  void learn_sums(Rank& rank);
  // Without solutions and limits rounds in the middle decide nothing, so the one that all have
  // joined is held until all work is done.
  void end_round();

  const SimulationOptions& options_;
  const BalancePolicy& policy_;
  const Machine& machine_;
  const SimulatedTree& tree_;
  Random random_;
  std::vector<Rank> ranks_;
  double threads_;  // of all ranks
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
