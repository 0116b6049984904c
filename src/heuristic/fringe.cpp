// SPDX-License-Identifier: MIT
#include "tessera/heuristic/fringe.hpp"

namespace tessera {

Fringe::Fringe(const Instance& instance, const std::string& table_directory)
    : steps_(instance, symmetries(instance.size()).front(),
             fringe_homes(instance.size(), instance.goal_blank), fringe_index(instance.size())),
      table_(
          open_table(table_directory, fringe_request(instance.size(), instance.goal_blank), 1, {})),
      entries_(table_->data()) {}

Fringe::State Fringe::start(const Board& board) const {
  const std::uint32_t index = steps_.index_of(board);
  return {index, entries_[index]};
}

}  // namespace tessera
