// SPDX-License-Identifier: MIT
// How a rank requests work and answers requests; when it takes part in a round.
#include <algorithm>
#include <bit>

#include "protocol/rank_protocol.hpp"

namespace tessera {

void RankProtocol::asked_by(int thief, int idle_threads, bool patient) {
  thieves_.push_back({thief, idle_threads, patient});
}

void RankProtocol::answered_by(int victim, std::size_t subtrees, double now) {
  if (const auto asked = std::ranges::find(asked_, victim); asked != asked_.end()) {
    asked_.erase(asked);
  } else {
    lifelines_ &= ~lifeline(victim);
  }
  refusals_ = subtrees == 0 ? refusals_ + 1 : 0;
  if (subtrees > 0) rest_ = balance.rest_seconds;
  answered_at_ = now;
}

double RankProtocol::act(double now, const PoolLoad& load, RankActions& actions) {
  PoolLoad left = load;
  left.waiting -= answer_thieves(load, actions);
  if (ending()) return never;
  return std::min(steal(now, left, actions), join_round(now, left, actions));
}

// Returns the number of subtrees given away.
std::size_t RankProtocol::answer_thieves(const PoolLoad& load, RankActions& actions) {
  // A thief whose own threads are busy only asks in advance: nothing is cut for it. Nor does it
  // wait for a rank that lacks work itself: most of what is cut there stays there.
  const bool cuts = rules_.cuts && load.running > 0 &&
                    2 * load.running >= static_cast<std::size_t>(place_.threads);
  std::size_t given = 0;
  std::size_t unanswered = thieves_.size();
  int idle_threads = 0;
  std::erase_if(thieves_, [&](const Thief& thief) {
    const Share share{.thieves = unanswered--,
                      .idle = thief.idle_threads > 0,
                      .most = balance.batch * static_cast<std::size_t>(place_.threads)};
    if (given < load.waiting) {
      const std::size_t now_given = actions.give(thief.rank, share);
      given = std::min(given + now_given, load.waiting);
      if (now_given > 0) return true;
    }
    if (!ending() && (thief.patient || (cuts && thief.idle_threads > 0))) {
      idle_threads += thief.idle_threads;
      return false;
    }
    actions.refuse(thief.rank);
    return true;
  });
  actions.cut_for(idle_threads);
  return given;
}

double RankProtocol::join_round(double now, const PoolLoad& load, RankActions& actions) {
  Round mine = load.figures;
  mine.stops = stopped_ ? 1 : 0;
  if (!rules_.ends_at_solution) mine.solutions_seen = 0;
  if (!detection_.joins_round(now, mine, load.waiting + load.running > 0)) {
    return detection_.next_round();
  }
  actions.begin_round(mine);
  return never;
}

double RankProtocol::steal(double now, const PoolLoad& load, RankActions& actions) {
  const int others = place_.ranks - 1;
  const bool stealing = rules_.schedule == Schedule::stealing;
  if (rules_.schedule == Schedule::dealt || others == 0 || load.waiting > 0) return never;
  if (!stealing && place_.rank == master_rank) return never;  // the master has the shared store
  const auto open = static_cast<int>(asked_.size());
  if (open >= balance.most_requests) return never;
  if (const double next = asked_at_ + balance.request_seconds; open > 0 && now < next) return next;
  if (refusals_ >= (stealing ? std::min(others, balance.most_refusals) : 1)) {
    if (stealing && load.running == 0) {
      ask_lifelines(actions);
      return never;
    }
    // Without idle threads it only asks in advance: in vain while few ranks have waiting subtrees.
    const bool ahead = load.running >= static_cast<std::size_t>(place_.threads);
    const double rest = ahead ? rest_ : balance.rest_seconds;
    if (const double next = answered_at_ + rest; now < next) return next;
    refusals_ = 0;
    if (ahead) rest_ = std::min(2 * rest_, balance.longest_rest_seconds);
  }
  int victim = master_rank;
  if (stealing) {
    victim = static_cast<int>(random_.below(static_cast<std::uint64_t>(others)));
    if (victim >= place_.rank) ++victim;
    if (is_asked(victim)) {
      ++refusals_;  // apparently it has no work
      return now;
    }
  }
  asked_.push_back(victim);
  asked_at_ = now;
  actions.ask(victim, place_.threads - static_cast<int>(load.running), false);
  return now + balance.request_seconds;
}

void RankProtocol::ask_lifelines(RankActions& actions) {
  const auto ranks = static_cast<std::uint32_t>(place_.ranks);
  for (std::uint32_t distance = 1; distance < ranks; distance *= 2) {
    const auto victim =
        static_cast<int>((static_cast<std::uint32_t>(place_.rank) + distance) % ranks);
    if (is_asked(victim)) continue;
    lifelines_ |= distance;
    actions.ask(victim, place_.threads, true);
  }
}

std::uint32_t RankProtocol::lifeline(int victim) const {
  const auto distance =
      static_cast<std::uint32_t>((victim + place_.ranks - place_.rank) % place_.ranks);
  return std::has_single_bit(distance) ? distance : 0;
}

bool RankProtocol::is_asked(int victim) const {
  return (lifelines_ & lifeline(victim)) != 0 || std::ranges::find(asked_, victim) != asked_.end();
}

}  // namespace tessera
