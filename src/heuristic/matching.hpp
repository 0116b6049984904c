// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "puzzle/size.hpp"

namespace tessera {

/// A graph over labels with a weight > 0 on each edge; sets of vertices are bit sets in one word.
class WeightedGraph {
 public:
  void add(unsigned a, unsigned b, std::uint8_t weight) {
    neighbors_[a] |= std::uint64_t{1} << b;
    neighbors_[b] |= std::uint64_t{1} << a;
    vertices_ |= std::uint64_t{1} << a | std::uint64_t{1} << b;
    weights_[a][b] = weights_[b][a] = weight;
  }
  /// Removes a vertex's edges.
  void isolate(unsigned a) {
    for (std::uint64_t left = neighbors_[a]; left != 0; left &= left - 1) {
      neighbors_[static_cast<std::size_t>(std::countr_zero(left))] &= ~(std::uint64_t{1} << a);
    }
    neighbors_[a] = 0;
  }
  /// The vertices that have edges, or had them before.
  [[nodiscard]] std::uint64_t vertices() const { return vertices_; }
  [[nodiscard]] std::uint64_t neighbors(unsigned a) const { return neighbors_[a]; }
  [[nodiscard]] int weight(unsigned a, unsigned b) const { return weights_[a][b]; }

 private:
  std::uint64_t vertices_ = 0;
  std::array<std::uint64_t, Size::max_cells> neighbors_{};
  // Uninitialized where there is no edge: clearing 4 KiB would cost more than the matching.
  std::array<std::array<std::uint8_t, Size::max_cells>, Size::max_cells> weights_;
};

/// The largest weight of a matching (edges that share no vertex), exactly, by branching on a vertex
/// of least degree within each connected component. Exponential in the worst case, but conflicts
/// between tiles are few and form small components.
[[nodiscard]] int maximum_weight_matching(const WeightedGraph& graph);

}  // namespace tessera
