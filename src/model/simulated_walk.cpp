// SPDX-License-Identifier: MIT
#include "model/simulated_walk.hpp"

#include <algorithm>

namespace tessera {

double SimulatedWalk::advance(double nodes, double quantum, double most_pieces) {
  double done = 0;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.branches.size()) {
      frames_.pop_back();
      continue;
    }
    if (done >= nodes && done > 0) break;
    const SimulatedNode branch = frame.branches[frame.next++];
    const bool whole_in_time = done + branch.cost <= nodes;
    const bool cut = branch.expected > quantum || branch.cost > most_pieces * quantum;
    Frame inner;
    if (!whole_in_time && cut) tree_->expand(branch, inner.branches);
    if (inner.branches.empty()) {
      done += branch.cost;
      continue;
    }
    double below = 0;
    for (const SimulatedNode& child : inner.branches) below += child.cost;
    done += std::max(0.0, branch.cost - below);
    frames_.push_back(std::move(inner));
  }
  left_ = frames_.empty() ? 0 : std::max(0.0, left_ - done);
  return done;
}

std::vector<SimulatedNode> SimulatedWalk::give_away(std::size_t most, double least) {
  std::vector<SimulatedNode> given;
  for (std::size_t depth = 1; depth < frames_.size() && given.size() < most; ++depth) {
    Frame& frame = frames_[depth];
    while (frame.next < frame.branches.size() && given.size() < most) {
      if (frame.branches.back().expected < least) break;
      given.push_back(frame.branches.back());
      left_ -= given.back().cost;
      frame.branches.pop_back();
    }
  }
  left_ = std::max(0.0, left_);
  return given;
}

}  // namespace tessera
