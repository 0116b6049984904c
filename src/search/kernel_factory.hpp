// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "tessera/heuristic/registry.hpp"
#include "tessera/heuristic/table_steps.hpp"
#include "tessera/search/depth_first.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The plain kernel of a size that has one of its own; defined once a size (fast_size.cpp).
/// Null for heuristics that are not unrolled.
template <int W, int H>
std::unique_ptr<SubtreeSearch> make_fast_search(const Problem& problem);

/// Whether there is a kernel of that heuristic for that geometry: all for the run-time one.
template <class Geometry, class H>
constexpr bool is_compiled() {
  if constexpr (Geometry::is_static) {
    return H::unrolled && H::info.max_cells >= Geometry::size().cells();
  } else {
    return true;
  }
}

/// Makes the kernel of the heuristic of that name; null where it is not compiled.
template <class Geometry, class Position>
std::unique_ptr<SubtreeSearch> make_depth_first(const Problem& problem, const Geometry& geometry) {
  std::unique_ptr<SubtreeSearch> search;
  (void)with_heuristic<Heuristics>(problem.heuristic, [&]<class H>(std::type_identity<H>) {
    if constexpr (is_compiled<Geometry, H>()) {
      search = std::make_unique<DepthFirst<Geometry, H, Position>>(problem, geometry);
    }
  });
  return search;
}

/// The same for heuristics with tables, of at most eight patterns, their mirror images counted.
template <class Geometry, class Position>
std::unique_ptr<SubtreeSearch> make_table_steps(const Problem& problem, const Geometry& geometry) {
  constexpr int passed = std::max(Geometry::size().width, Geometry::size().height) - 1;
  using Plain = TableSteps<8, 2, passed, false>;
  using WithWalking = TableSteps<8, 2, passed, true>;
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

/// Both, for a size that the compiler knows.
template <class Geometry, class Position>
std::unique_ptr<SubtreeSearch> make_unrolled(const Problem& problem, const Geometry& geometry) {
  if (auto search = make_depth_first<Geometry, Position>(problem, geometry)) return search;
  // Smaller boards take microseconds with any kernel; larger ones have larger tables, which the
  // block kernel is for.
  constexpr int cells = Geometry::size().cells();
  if constexpr (cells >= 15 && cells <= NibblePosition::max_cells) {
    return make_table_steps<Geometry, Position>(problem, geometry);
  }
  return nullptr;
}

/// Searches with another kernel and sleeps the rest of the time that a machine of
/// the problem's emulated speed would take. Many more ranks than there are cores then do the
/// same work, messages and waiting as on so many such machines, as long as all of them together
/// are slower than the kernel.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_emulated_search(
    const Problem& problem, std::unique_ptr<SubtreeSearch> search);

}  // namespace tessera
