// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include "tessera/puzzle/geometry.hpp"
#include "tessera/search/pruning.hpp"

namespace tessera {

/// A size known to the compiler with the moves that a pruning rule leaves: the cells are types, the
/// "way" that a node was reached is the rule's state.
template <int W, int H>
class RuledGrid : public Geometry<W, H> {
 public:
  using Grid = Geometry<W, H>;
  static constexpr bool knows_ways = false;

  explicit RuledGrid(std::shared_ptr<const Pruning> pruning) : pruning_(std::move(pruning)) {}

  [[nodiscard]] bool may(int way, int direction) const {
    return pruning_->next(static_cast<Pruning::State>(way), direction) != Pruning::none;
  }
  [[nodiscard]] int after(int way, int direction) const {
    return static_cast<int>(pruning_->next(static_cast<Pruning::State>(way), direction));
  }
  [[nodiscard]] int count_allowed(int, int way, int first = 0) const {
    return first == 0 ? static_cast<int>(pruning_->ways(static_cast<Pruning::State>(way)).count)
                      : pruning_->count_ways(static_cast<Pruning::State>(way), first);
  }

 private:
  std::shared_ptr<const Pruning> pruning_;
};

/// A size known at run time, with the moves that a pruning rule leaves: the "way" that a node was
/// reached is the rule's state, which also knows the rim.
class RuledGeometry {
 public:
  static constexpr bool is_static = false;
  static constexpr bool knows_ways = false;

  RuledGeometry(Size size, std::shared_ptr<const Pruning> pruning)
      : offsets_{-size.width, -1, 1, size.width}, pruning_(std::move(pruning)) {}

  [[nodiscard]] int offset(int direction) const {
    return offsets_[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] bool allowed(int, int way, int direction) const {
    return pruning_->next(static_cast<Pruning::State>(way), direction) != Pruning::none;
  }
  [[nodiscard]] int after(int way, int direction) const {
    return static_cast<int>(pruning_->next(static_cast<Pruning::State>(way), direction));
  }
  [[nodiscard]] int count_allowed(int, int way, int first = 0) const {
    return pruning_->count_ways(static_cast<Pruning::State>(way), first);
  }

 private:
  std::array<int, 4> offsets_;
  std::shared_ptr<const Pruning> pruning_;
};

}  // namespace tessera
