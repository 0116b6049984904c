// SPDX-License-Identifier: MIT
// What the main thread of a simulated rank does.
#include <algorithm>
#include <cmath>
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

void Replay::look(std::uint32_t number) {
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

void Replay::receive(std::uint32_t number) {
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

void Replay::answer(std::uint32_t number) {
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

std::vector<SimulatedNode> Replay::part(Rank& rank, std::size_t thieves, bool idle) const {
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

std::uint32_t Replay::lifeline(std::uint32_t thief, std::uint32_t victim) const {
  const auto count = static_cast<std::uint32_t>(ranks_.size());
  const std::uint32_t distance = (victim + count - thief) % count;
  return (distance & (distance - 1)) == 0 ? distance : 0;
}

void Replay::ask_lifelines(std::uint32_t number) {
  Rank& rank = ranks_[number];
  const auto count = static_cast<std::uint32_t>(ranks_.size());
  for (std::uint32_t bit = 1; bit < count; bit *= 2) {
    const std::uint32_t victim = (number + bit) % count;
    if ((rank.lifelines & bit) != 0 || is_asked(rank, victim)) continue;
    rank.lifelines |= bit;
    send(number, victim, Kind::patient_request, machine_.threads, {});
  }
}

bool Replay::is_asked(const Rank& rank, std::uint32_t victim) {
  return std::find(rank.asked.begin(), rank.asked.end(), victim) != rank.asked.end();
}

void Replay::steal(std::uint32_t number) {
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

}  // namespace tessera
