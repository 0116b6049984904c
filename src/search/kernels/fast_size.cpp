// SPDX-License-Identifier: MIT
// Compiled once per size in TESSERA_FAST_SIZES, with its width and height as FAST_SIZE.
#include "heuristic/table_steps.hpp"
#include "search/kernels/kernel_factory.hpp"

namespace tessera {
namespace {

using Fixed = Geometry<FAST_SIZE>;
using Position = PositionFor<Fixed::size().cells()>;
// The 15-puzzle and its neighbours. Smaller boards take microseconds with any kernel.
constexpr bool is_midsize =
    Fixed::size().cells() >= 15 && Fixed::size().cells() <= NibblePosition::max_cells;

// Tables of at most eight patterns, including their mirror images.
template <class Geometry>
std::unique_ptr<SubtreeSearch> make_table_steps(const Problem& problem, const Geometry& geometry) {
  constexpr int passed = std::max(Fixed::size().width, Fixed::size().height) - 1;
  using Plain = TableSteps<8, passed, false>;
  using WithWalking = TableSteps<8, passed, true>;
  const HeuristicSpec spec = parse_heuristic(problem.heuristic);
  if (!is_table_heuristic(spec)) return nullptr;
  const TableHeuristic tables(problem.instance, spec, problem.table_directory);
  if (Plain::holds(tables)) {
    return std::make_unique<DepthFirst<Geometry, Plain, Position>>(problem, geometry);
  }
  if (WithWalking::holds(tables)) {
    return std::make_unique<DepthFirst<Geometry, WithWalking, Position>>(problem, geometry);
  }
  return nullptr;
}

template <class Geometry>
std::unique_ptr<SubtreeSearch> make_unrolled(const Problem& problem, const Geometry& geometry) {
  if (auto search = make_depth_first<Geometry, Position>(problem, geometry)) return search;
  // Larger boards have larger tables, for which the block kernel is better.
  if constexpr (is_midsize) return make_table_steps(problem, geometry);
  return nullptr;
}

}  // namespace

template <>
std::unique_ptr<SubtreeSearch> make_fast_search<FAST_SIZE>(const Problem& problem) {
  auto pruning = Pruning::of(problem.prune, problem.instance, problem.table_directory);
  if (pruning->is_parent()) return make_unrolled(problem, Fixed{});
  // With another pruning rule, if compiling the code once more pays off.
  if constexpr (!is_midsize) return nullptr;
  else return make_unrolled(problem, Ruled<Fixed>(Fixed{}, std::move(pruning)));
}

}  // namespace tessera
