// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "census/levels/layer.hpp"

namespace tessera {

/// Planes of a layer that hold one level.
struct LevelPlanes {
  Layer* layer = nullptr;
  std::uint16_t planes = 0;  ///< bit by plane; plane i of a frontier is the blank's cell i

  [[nodiscard]] bool active(std::uint64_t tile, int plane) const {
    return (layer->active(tile) & planes & (1U << plane)) != 0;
  }
};

}  // namespace tessera
