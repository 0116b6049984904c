// SPDX-License-Identifier: MIT
#include "tessera/protocol/termination_detection.hpp"

namespace tessera {

bool TerminationDetection::joins_round(double now, const Round& mine, bool busy) {
  const bool news = mine.stops > 0 || mine.solutions_seen > 0;
  if (pending_ || (busy && !news && now < next_round())) return false;
  return pending_ = true;
}

void TerminationDetection::round_completed(const Round& sums, double now) {
  exhausted_ = any_round_ && sums_.completed == sums.created;
  if (sums.solutions_seen > 0) ending_ = Ending::solution;
  else if (exhausted_) ending_ = Ending::exhausted;
  else if (sums.stops > 0) ending_ = Ending::stopped;
  sums_ = sums;
  any_round_ = true;
  pending_ = false;
  ended_at_ = now;
}

}  // namespace tessera
