// SPDX-License-Identifier: MIT
#include "census/layer.hpp"

namespace tessera {

Layer::Layer(const TileLayout& layout, int planes, TileRange range)
    : range_(range),
      planes_(planes),
      stride_(layout.stride()),
      memory_(bytes(layout, planes, range.count)),
      words_(reinterpret_cast<std::uint64_t*>(memory_.bytes().data())),
      counts_(range.count * static_cast<std::size_t>(planes)),
      active_(layout.tiles()) {}

}  // namespace tessera
