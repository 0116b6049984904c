// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "heuristic/registry.hpp"
#include "search/kernels/depth_first.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// The plain kernel of a size with its own kernel; defined once per size (fast_size.cpp). Null for
/// heuristics that are not unrolled.
template <int W, int H>
std::unique_ptr<SubtreeSearch> make_fast_search(const Problem& problem);

/// Whether a kernel for that heuristic and geometry is compiled: all are for the run-time one.
template <class Geometry, class H>
constexpr bool is_compiled() {
  if constexpr (!Geometry::is_static) return true;
  else return Geometry::size().cells() <= H::unrolled_cells;
}

/// Creates the kernel for the heuristic of that name; null if it is not compiled.
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

}  // namespace tessera
