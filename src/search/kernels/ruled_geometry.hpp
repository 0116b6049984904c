// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "puzzle/geometry.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {

/// A grid with the moves that a pruning rule allows: the "way" by which a node was reached is the
/// rule's state, which also excludes moves off the board. Cells are types if they are in `G`.
template <class G>
class Ruled : public G {
 public:
  using Grid = G;
  static constexpr bool knows_ways = false;

  Ruled(const Grid& grid, std::shared_ptr<const Pruning> pruning)
      : Grid(grid), pruning_(std::move(pruning)) {}

  [[nodiscard]] bool may(int way, int direction) const {
    return pruning_->next(static_cast<Pruning::State>(way), direction) != Pruning::none;
  }
  [[nodiscard]] int after(int way, int direction) const {
    return static_cast<int>(pruning_->next(static_cast<Pruning::State>(way), direction));
  }
  [[nodiscard]] int count_allowed(int, int way, int first = 0) const {
    return pruning_->count_open(static_cast<Pruning::State>(way), first);
  }

 private:
  std::shared_ptr<const Pruning> pruning_;
};
using RuledGeometry = Ruled<RuntimeGeometry>;

}  // namespace tessera
