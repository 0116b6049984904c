// SPDX-License-Identifier: MIT
#include "pdb/walking_table.hpp"

#include <cstdlib>

namespace tessera {

WalkingTable::WalkingTable(const WalkingKey& key, std::shared_ptr<const Table> file)
    : lines_(static_cast<std::size_t>(key.lines)),
      index_(walking_index(key)),
      goal_(walking_goal(key, *index_)),
      key_(key),
      file_(std::move(file)) {
  if (!file_) link();
  else if (file_->key().kind == TableKind::walking) bits_ = file_->data();
  else escapes_ = reinterpret_cast<const std::uint64_t*>(file_->data());  // page-aligned
}

void WalkingTable::link() {
  constexpr Link unknown = ~Link{0};
  own_links_.assign(2 * index_->size() * lines_, unknown);
  links_ = own_links_.data();
  self_.assign(index_->size(), unknown);
  std::vector<State> states{goal_};  // by distance
  self_[index_->rank(goal_)] = place(index_->rank(goal_));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::uint32_t rank = index_->rank(states[i]);
    const Link farther = (self_[rank] >> link_shift) + 1;
    const int blank = index_->blank_line(states[i]);
    for_walking_steps(*index_, State{states[i]}, key_.lines, [&](State next, int line, int home) {
      const std::uint32_t other = index_->rank(next);
      if (self_[other] == unknown) {
        self_[other] = place(other) | farther << link_shift;
        states.push_back(next);
      }
      own_links_[place(rank) + link_number(line > blank, home)] = self_[other];
      return false;
    });
  }
}

WalkingTable::State WalkingTable::start(WalkingIndex::Rows rows, State demands) const {
  const State state = index_->state_of(rows);
  const std::uint32_t rank = index_->rank(state);
  if (links_ != nullptr) return expanded(self_[rank]);
  constexpr int shift = WalkingIndex::distance_shift;
  constexpr State far = 128;  // more than any distance, and a multiple of four
  const auto lines = static_cast<State>(std::abs(index_->blank_line(state) - key_.blank_home));
  const State now = escapes_ != nullptr ? escape_bit(state, rank) : bit(rank);
  State way = state | (far + 2 * now + lines % 2) << shift;
  State distance = 0;
  for (; (way ^ goal_) << (64 - shift) != 0; ++distance) {
    const State from = way;
    for_walking_steps(*index_, from, key_.lines, [&](State next, int, int) {
      way = stepped(next, index_->rank(next));
      return way >> shift < from >> shift;
    });
  }
  // The way met no demands.
  if (escapes_ != nullptr) distance += 2 * surcharge(demands, rank);
  return state | demands | distance << shift;
}

}  // namespace tessera
