// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include "tessera/heuristic/registry.hpp"
#include "tessera/search/depth_first.hpp"

namespace tessera {

/// The plain kernel of a size that has one of its own; defined once a size (fast_size.cpp.in).
/// Null for heuristics that are not unrolled.
template <int W, int H>
std::unique_ptr<SubtreeSearch> make_fast_search(const Problem& problem);

/// Makes the kernel of the heuristic of that name, which the registry holds.
template <class Geometry, class Position, std::size_t I = 0>
std::unique_ptr<SubtreeSearch> make_depth_first(const Problem& problem, const Geometry& geometry) {
  if constexpr (I < std::tuple_size_v<Heuristics>) {
    using Candidate = std::tuple_element_t<I, Heuristics>;
    if constexpr (Candidate::unrolled || !Geometry::is_static) {
      if (Candidate::info.name == problem.heuristic) {
        return std::make_unique<DepthFirst<Geometry, Candidate, Position>>(problem, geometry);
      }
    }
    return make_depth_first<Geometry, Position, I + 1>(problem, geometry);
  } else {
    return nullptr;
  }
}

}  // namespace tessera
