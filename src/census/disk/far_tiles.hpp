// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "census/ranks/halo.hpp"
#include "tessera/census/tile_layout.hpp"

namespace tessera {

/// A plane of a tile outside a batch.
struct FarTile {
  Layer* layer = nullptr;
  int plane = 0;
  std::uint64_t tile = 0;
};

/// What the moves of a pass bring to a batch from tiles outside it that lie in `from`, each once.
/// Empty ones are left out, which the layers' masks tell; so any rank lists any rank's, in the same
/// order.
[[nodiscard]] std::vector<FarTile> far_tiles(const TileLayout& layout,
                                             const std::vector<Pull>& pulls, TileRange batch,
                                             TileRange from);

/// The most tiles that metric single's or multi's moves can bring to a batch of so many, were none
/// of them empty.
[[nodiscard]] std::uint64_t most_far_tiles(const TileLayout& layout, bool single,
                                           std::uint64_t batch_tiles);

}  // namespace tessera
