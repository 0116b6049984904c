// SPDX-License-Identifier: MIT
// When a rank takes part in a round, and what its sums say.
#include "tessera/protocol/rank_protocol.hpp"

namespace tessera {

// A busy rank takes part every so often; one that has nothing to do or news for all, immediately.
double RankProtocol::join_round(double now, const PoolLoad& load, RankActions& actions) {
  if (round_pending_) return never;
  const bool idle = load.waiting + load.running == 0;
  const bool news = stopped_ || load.figures.solutions_seen > 0;
  const double next = round_ended_at_ + policy().round_seconds;
  if (!idle && !news && now < next) return next;
  Round mine = load.figures;
  mine.stops = stopped_ ? 1 : 0;
  round_pending_ = true;
  actions.begin_round(mine);
  return never;
}

void RankProtocol::round_completed(const Round& sums, double now) {
  exhausted_ = any_round_ && sums_.completed == sums.created;
  const bool solved = rules_.ends_at_solution && sums.solutions_seen > 0;
  if (solved) ending_ = Ending::solution;
  else if (exhausted_) ending_ = Ending::exhausted;
  else if (sums.stops > 0) ending_ = Ending::stopped;
  sums_ = sums;
  any_round_ = true;
  round_pending_ = false;
  round_ended_at_ = now;
}

}  // namespace tessera
