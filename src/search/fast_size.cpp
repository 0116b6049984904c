// SPDX-License-Identifier: MIT
// Compiled for each size of TESSERA_FAST_SIZES, whose width and height are FAST_SIZE.
#include "search/kernel_factory.hpp"

namespace tessera {

template <>
std::unique_ptr<SubtreeSearch> make_fast_search<FAST_SIZE>(const Problem& problem) {
  using Fixed = Geometry<FAST_SIZE>;
  using Position = PositionFor<Fixed::size().cells()>;
  auto pruning = Pruning::named(problem.prune, Fixed::size(), problem.table_directory);
  if (pruning->is_parent()) return make_unrolled<Fixed, Position>(problem, Fixed{});
  // With another pruning rule, where compiling it once more is repaid.
  using Ruled = RuledGrid<FAST_SIZE>;
  if constexpr (Fixed::size().cells() > NibblePosition::max_cells) return nullptr;
  else return make_unrolled<Ruled, Position>(problem, Ruled(std::move(pruning)));
}

}  // namespace tessera
