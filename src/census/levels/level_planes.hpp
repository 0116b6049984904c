// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "census/levels/layer.hpp"

namespace tessera {

/// Planes of a layer that hold one level.
struct LevelPlanes {
  Layer* layer = nullptr;
  std::uint16_t planes = 0;  ///< bit by plane; plane i of a frontier is the blank's cell i

  [[nodiscard]] bool active(std::uint64_t slab, int plane) const {
    return (layer->active(slab) & planes & (1U << plane)) != 0;
  }
  /// Calls with(plane) for each of them, ascending.
  template <class With>
  void each_plane(const With& with) const {
    for (int plane = 0; plane < layer->planes(); ++plane) {
      if ((planes >> plane & 1) != 0) with(plane);
    }
  }
  /// States in a slab.
  [[nodiscard]] std::uint64_t count(std::uint64_t slab) const {
    std::uint64_t states = 0;
    each_plane([&](int plane) { states += layer->count(slab, plane); });
    return states;
  }
  /// States in the slabs that this rank answers for.
  [[nodiscard]] std::uint64_t count() const {
    const SlabRange& part = layer->part();
    std::uint64_t states = 0;
    for (std::uint64_t slab = part.first; slab < part.first + part.count; ++slab) {
      states += count(slab);
    }
    return states;
  }
};

}  // namespace tessera
