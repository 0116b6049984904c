// SPDX-License-Identifier: MIT
#include "compare/time_left.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr double most_done = 0.99;  // of a run that is not over yet, however long it takes

}  // namespace

void TimeLeft::ended(double seconds) {
  Runs& runs = configurations_[*current_];
  ++runs.count;
  runs.seconds += seconds;
  current_.reset();
}

TimeLeft::Estimate TimeLeft::estimate(double seconds) const {
  double spent = seconds;
  double means = 0;  // of configurations that have run
  int known = 0;
  for (const Runs& runs : configurations_) {
    spent += runs.seconds;
    if (runs.count == 0) continue;
    means += runs.seconds / runs.count;
    ++known;
  }
  if (known == 0) return {};
  double left = 0;
  bool all_known = true;
  for (std::size_t i = 0; i < configurations_.size(); ++i) {
    const Runs& runs = configurations_[i];
    if (runs.cut) continue;
    all_known = all_known && runs.count > 0;
    double mean = runs.count > 0 ? runs.seconds / runs.count : means / known;
    if (i == current_ && runs.count == 0) mean = std::max(mean, seconds);
    left += mean * (repeat_ - runs.count);
    if (i == current_) left -= std::min(most_done * mean, seconds);
  }
  Estimate estimate;
  if (spent + left > 0) estimate.done = spent / (spent + left);
  if (all_known) estimate.seconds_left = left;
  return estimate;
}

}  // namespace tessera
