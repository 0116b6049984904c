// SPDX-License-Identifier: MIT
#include "tessera/model/simulate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <queue>

#include "model/simulated_walk.hpp"
#include "tessera/base/random.hpp"

namespace tessera {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Simulated main threads and search threads between the first and the last subtree.
class Replay {
 public:
  Replay(const SimulationOptions& options, const SimulatedTree& tree, double rate)
      : options_(options),
        policy_(options.policy),
        machine_(options.machine),
        tree_(tree),
        random_(options.seed),
        ranks_(static_cast<std::size_t>(machine_.ranks)),
        threads_(ranks_.size() * static_cast<std::size_t>(machine_.threads)) {
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
      created_ += items[rank].size();
      ranks_[rank].first = std::move(items[rank]);
      events_.push({arrival[rank], Event::start, static_cast<std::uint32_t>(rank), 0});
    }
    while (completed_ < created_ && !events_.empty()) {
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

  [[nodiscard]] double end() const { return now_; }
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
    double rate = 0;
    bool started = false;
    double looked = 0;          // the last look at messages
    double idle_since = never;  // while nothing runs or waits
    double planned = never;     // the next look that matters
    double main_free = 0;
    double message_seconds = 0;
    std::uint64_t sent = 0;
    int running = 0;
    std::vector<std::uint32_t> asked;  // victims that have not answered yet
    std::uint32_t lifelines = 0;       // those asked, a bit each
    int refused = 0;                   // in a row
    double asked_at = -1;
    double refused_at = -1;
    std::vector<SimulatedNode> first;
    std::deque<SimulatedNode> waiting;
    std::vector<std::deque<SimulatedNode>> own;  // by thread, where nothing is shared
    std::vector<Message> inbox;
    std::vector<Message> thieves;  // that wait for a cut
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
    const double all = static_cast<double>(threads_.size());
    idle_seconds_ += (all - running_) * (time - now_);
    now_ = time;
    if (running_ >= 0.95 * all) idle_before_tail_ = idle_seconds_;
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
    ++completed_;
    take(event.rank, index);
    if (done.running) {
      if (rank.waiting.empty()) plan_look(event.rank, next_look(event.rank, now_));
    } else if (!dealt()) {
      if (idle(event.rank)) begin_idling(event.rank);
      else want_cuts(event.rank);
    }
  }

  void begin_idling(std::uint32_t number) {
    ranks_[number].idle_since = now_;
    plan_look(number, now_);
  }

  [[nodiscard]] int wanted(std::uint32_t number) const {
    const Rank& rank = ranks_[number];
    int threads = machine_.threads - rank.running;
    for (const Message& thief : rank.thieves) threads += thief.threads;
    return threads;
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
      cut_ += given.size();
      plan_finish(event.rank, index);
      enqueue(event.rank, std::move(given));
      if (!rank.waiting.empty() && !rank.thieves.empty()) {
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
    answer(number);
    steal(number);
    // What is under way yet is looked at in its time.
    for (const Message& message : rank.inbox) {
      plan_look(number, next_look(number, std::max(message.arrival, now_)));
    }
  }

  void receive(std::uint32_t number) {
    Rank& rank = ranks_[number];
    std::vector<Message> arrived;
    for (std::size_t i = 0; i < rank.inbox.size();) {
      if (rank.inbox[i].arrival <= now_) {
        arrived.push_back(std::move(rank.inbox[i]));
        rank.inbox[i] = std::move(rank.inbox.back());
        rank.inbox.pop_back();
      } else {
        ++i;
      }
    }
    for (Message& message : arrived) {
      spend(number);
      if (message.kind != Kind::answer) {
        rank.thieves.push_back(std::move(message));
        continue;
      }
      const auto victim = std::find(rank.asked.begin(), rank.asked.end(), message.from);
      if (victim != rank.asked.end()) rank.asked.erase(victim);
      else rank.lifelines &= ~lifeline(number, message.from);
      rank.refused_at = now_;
      if (message.items.empty()) {
        ++rank.refused;
        ++refusals_;
      } else {
        rank.refused = 0;
        ++steals_;
        enqueue(number, std::move(message.items));
      }
    }
  }

  void answer(std::uint32_t number) {
    Rank& rank = ranks_[number];
    const bool cuts = options_.schedule == Schedule::stealing && rank.running > 0;
    std::vector<Message> waiting = std::move(rank.thieves);
    rank.thieves.clear();
    std::size_t thieves = waiting.size();
    for (Message& thief : waiting) {
      std::vector<SimulatedNode> items = part(rank, thieves--, thief.threads > 0);
      const bool kept = thief.kind == Kind::patient_request || (cuts && thief.threads > 0);
      if (items.empty() && kept) rank.thieves.push_back(std::move(thief));
      else send(number, thief.from, Kind::answer, 0, std::move(items));
    }
    want_cuts(number);
  }

  // As much of what waits for each of so many thieves as is kept here; the last one only for a
  // thief that has nothing to do.
  [[nodiscard]] std::vector<SimulatedNode> part(Rank& rank, std::size_t thieves, bool idle) const {
    if (rank.waiting.size() < 2 && !idle) return {};
    std::vector<SimulatedNode> given;
    std::deque<SimulatedNode> kept;
    const std::size_t most = policy_.batch * static_cast<std::size_t>(machine_.threads);
    for (std::size_t i = 0; !rank.waiting.empty() && given.size() < most; ++i) {
      if (i % (thieves + 1) == 0) given.push_back(rank.waiting.front());
      else kept.push_back(rank.waiting.front());
      rank.waiting.pop_front();
    }
    rank.waiting.insert(rank.waiting.begin(), kept.begin(), kept.end());
    return given;
  }

  // A rank asks those 1, 2, 4, ... further on as a last resort. The bit of one of them, else 0.
  [[nodiscard]] std::uint32_t lifeline(std::uint32_t thief, std::uint32_t victim) const {
    const auto count = static_cast<std::uint32_t>(ranks_.size());
    const std::uint32_t distance = (victim + count - thief) % count;
    return (distance & (distance - 1)) == 0 ? distance : 0;
  }

  void ask_lifelines(std::uint32_t number) {
    Rank& rank = ranks_[number];
    const auto count = static_cast<std::uint32_t>(ranks_.size());
    for (std::uint32_t bit = 1; bit < count; bit *= 2) {
      const std::uint32_t victim = (number + bit) % count;
      if ((rank.lifelines & bit) != 0 || is_asked(rank, victim)) continue;
      rank.lifelines |= bit;
      send(number, victim, Kind::patient_request, machine_.threads, {});
    }
  }
  static bool is_asked(const Rank& rank, std::uint32_t victim) {
    return std::find(rank.asked.begin(), rank.asked.end(), victim) != rank.asked.end();
  }

  void steal(std::uint32_t number) {
    Rank& rank = ranks_[number];
    const auto others = static_cast<int>(ranks_.size()) - 1;
    const bool dynamic = options_.schedule == Schedule::dynamic;
    if (dealt() || others == 0 || !rank.waiting.empty() || (dynamic && number == 0)) return;
    const auto later = [&](double time) { plan_look(number, next_look(number, time)); };
    const int asked = static_cast<int>(rank.asked.size());
    if (asked >= policy_.most_requests) return;  // an answer brings the next look
    // Compared as it is planned, lest rounding bring a look before its time for ever.
    if (asked > 0 && now_ < rank.asked_at + policy_.request_seconds) {
      later(rank.asked_at + policy_.request_seconds);
      return;
    }
    if (rank.refused >= (dynamic ? 1 : std::min(others, policy_.most_refusals))) {
      if (options_.schedule == Schedule::stealing && rank.running == 0) {
        ask_lifelines(number);
        return;
      }
      if (now_ < rank.refused_at + policy_.rest_seconds) {
        later(rank.refused_at + policy_.rest_seconds);
        return;
      }
      rank.refused = 0;
    }
    std::uint32_t victim = 0;
    if (!dynamic) {
      victim = static_cast<std::uint32_t>(random_.below(static_cast<std::uint64_t>(others)));
      if (victim >= number) ++victim;
      if ((rank.lifelines & lifeline(number, victim)) != 0 || is_asked(rank, victim)) {
        ++rank.refused;  // it has nothing, as it seems
        later(now_ + policy_.idle_first_seconds);
        return;
      }
    }
    rank.asked.push_back(victim);
    rank.asked_at = now_;
    send(number, victim, Kind::request, machine_.threads - rank.running, {});
    later(now_ + policy_.request_seconds);
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

// The cut of the tree before the iteration, as Frontier::grow and its caller have it: the subtrees
// that were costliest in the iteration before are split.
std::vector<SimulatedNode> frontier(const SimulatedTree& tree, const BalancePolicy& policy,
                                    double workers) {
  struct Leaf {
    double before;
    SimulatedNode node;
    bool operator<(const Leaf& other) const { return before < other.before; }
  };
  const double cost = tree.cost_before(tree.root());
  const double least =
      workers > 1 ? static_cast<double>(policy.subtrees(static_cast<std::size_t>(workers))) : 1;
  const double heaviest =
      std::max(std::clamp(cost / least, policy.heaviest_least, policy.heaviest_most),
               cost / policy.most_subtrees);
  std::vector<SimulatedNode> leaves;
  std::priority_queue<Leaf> splittable;
  splittable.push({cost, tree.root()});
  std::vector<SimulatedNode> children;
  while (!splittable.empty()) {
    const std::size_t count = leaves.size() + splittable.size();
    const bool enough = static_cast<double>(count) >= least && splittable.top().before <= heaviest;
    if (enough || count >= policy.most_leaves) break;
    const SimulatedNode node = splittable.top().node;
    tree.expand(node, children);
    if (children.empty()) {
      leaves.push_back(node);
      splittable.pop();
      continue;
    }
    splittable.pop();
    for (const SimulatedNode& child : children) splittable.push({tree.cost_before(child), child});
  }
  for (; !splittable.empty(); splittable.pop()) leaves.push_back(splittable.top().node);
  for (SimulatedNode& leaf : leaves) leaf.expected = tree.growth() * tree.cost_before(leaf);
  return leaves;
}

// Costliest first, each to the rank with the least, as ClusterExecutor::dealt has it.
std::vector<std::vector<SimulatedNode>> deal(std::vector<SimulatedNode> leaves,
                                             const SimulationOptions& options) {
  const Machine& machine = options.machine;
  std::stable_sort(leaves.begin(), leaves.end(),
                   [](const auto& a, const auto& b) { return a.expected > b.expected; });
  std::vector<std::vector<SimulatedNode>> by_rank(static_cast<std::size_t>(machine.ranks));
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least_loaded;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) least_loaded.emplace(0, rank);
  for (const SimulatedNode& leaf : leaves) {
    auto [load, rank] = least_loaded.top();
    least_loaded.pop();
    least_loaded.emplace(load + (1 + leaf.expected) / machine.threads, rank);
    if (options.schedule == Schedule::dynamic &&
        by_rank[rank].size() >= 2 * static_cast<std::size_t>(machine.threads)) {
      rank = 0;
    }
    by_rank[rank].push_back(leaf);
  }
  return by_rank;
}

}  // namespace

Simulation simulate(const WorkRecord& record, const SimulationOptions& options) {
  const Machine& machine = options.machine;
  const BalancePolicy& policy = options.policy;
  const double rate = machine.rate > 0 ? machine.rate : record.rate;
  const double workers = static_cast<double>(machine.ranks) * machine.threads;
  const double slow = machine.slow_ranks * (1 - 1 / machine.slowness) * machine.threads;
  const double together = (workers - slow) * rate;  // nodes a second of all threads

  Simulation result;
  // Scaled by the last iteration, so that the others keep their proportion to it.
  const auto last = static_cast<double>(record.iterations.back().nodes.front().expanded);
  if (options.work_seconds > 0) {
    result.scale = options.work_seconds * rate * machine.ranks * machine.threads / last;
  }
  result.bound = record.iterations[options.iteration].bound;
  const SimulatedTree tree(record, options.iteration, result.scale, options.seed);
  std::vector<SimulatedNode> leaves = frontier(tree, policy, workers);
  result.subtrees = leaves.size();
  const auto count = static_cast<double>(leaves.size());
  // What was drawn for the scaled tree, so that efficiency is of the work that is replayed.
  result.expanded = 0;
  for (const SimulatedNode& leaf : leaves) result.expanded += leaf.cost;

  // Rank 0 lists and deals, an announcement goes down a tree, then each rank gets its part from
  // rank 0, one after the other.
  const double stages = std::ceil(std::log2(std::max(2, machine.ranks)));
  const double order =
      stages * (machine.latency_seconds + machine.message_seconds + policy.busy_wait_seconds / 2);
  const double listed = count * machine.item_seconds + order;
  const double packet =
      machine.message_seconds + count / machine.ranks * machine.item_bytes / machine.bytes_a_second;
  std::vector<double> arrival(static_cast<std::size_t>(machine.ranks));
  for (std::size_t rank = 0; rank < arrival.size(); ++rank) {
    arrival[rank] = listed + packet * static_cast<double>(rank) + machine.latency_seconds;
  }
  Replay replay(options, tree, rate);
  replay.run(deal(std::move(leaves), options), arrival);
  replay.tell(result);

  // The round under way, one that sees all completed, one more that sees as many created; then all
  // meet, and rank 0 gathers.
  const double stage =
      policy.idle_wait_seconds / 2 + machine.latency_seconds + machine.message_seconds;
  const double round = stages * stage;
  const double gather =
      machine.ranks * (machine.message_seconds + machine.result_seconds) +
      stages * (machine.latency_seconds + count * machine.sum_bytes / machine.bytes_a_second);
  const double end = machine.ranks > 1 ? 2.5 * round + 2 * round + gather : 0;
  result.makespan_seconds = replay.end() + end;
  const double busy_stage =
      policy.busy_wait_seconds / 2 + machine.latency_seconds + machine.message_seconds;
  const double rounds =
      machine.ranks > 1 ? replay.end() / std::max(policy.round_seconds, stages * busy_stage) : 0;
  result.messages_per_rank += rounds * 2 * stages;
  result.most_messages += rounds * 2 * stages;

  const double makespan = result.makespan_seconds;
  result.efficiency = result.expanded / (makespan * together);
  double start = 0;
  for (const double time : arrival) start += time / static_cast<double>(arrival.size());
  result.lost_start = start / makespan;
  result.lost_starved = std::max(0.0, replay.starved() / (makespan * workers) - result.lost_start);
  result.lost_tail = std::max(0.0, (replay.starved() + replay.tail()) / (makespan * workers) -
                                       result.lost_start - result.lost_starved);
  result.lost_end = end / makespan;
  result.lost_polls = replay.lost_to_polls() * (1 - result.lost_start - result.lost_end);
  result.busiest_main_thread =
      (result.busiest_main_thread + rounds * 2 * stages * machine.message_seconds) / makespan;
  return result;
}

std::string Simulation::limit() const {
  struct Loss {
    double share;
    const char* name;
  };
  const std::array<Loss, 5> losses{{{lost_start, "start-up: rank 0 deals and scatters"},
                                    {lost_starved, "threads without work in the middle"},
                                    {lost_tail, "the tail: too little is left to share"},
                                    {lost_end, "the end: rounds and the gather on rank 0"},
                                    {lost_polls, "looks of main threads at messages"}}};
  const auto worst = std::max_element(
      losses.begin(), losses.end(), [](const Loss& a, const Loss& b) { return a.share < b.share; });
  if (busiest_main_thread > 0.5) return "a main thread that is busy with messages";
  return worst->name;
}

}  // namespace tessera
