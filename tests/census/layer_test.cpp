// SPDX-License-Identifier: MIT
#include "census/levels/layer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace tessera {
namespace {

// Bytes of the layer that the system has handed out.
std::size_t resident(Layer& layer, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  EXPECT_EQ(mincore(layer.words(layer.part().first, 0), bytes, pages.data()), 0);
  const auto in = std::count_if(pages.begin(), pages.end(), [](auto p) { return (p & 1) != 0; });
  return static_cast<std::size_t>(in) * page;
}

TEST(Layer, TakesItsMemoryBeforeItIsUsed) {
  const StateLayout layout({3, 4}, 11);
  const std::size_t bytes = Layer::bytes(layout, layout.cells(), layout.slabs());
  for (const int threads : {1, 2}) {
    const SlabRange all{0, layout.slabs()};
    Layer layer(layout, {layout.cells()}, {.range = all, .part = all});
    EXPECT_EQ(resident(layer, bytes), 0U);
    ThreadTeam team(threads);
    layer.touch(team, [] { return false; });
    EXPECT_EQ(resident(layer, bytes), 0U);
    layer.touch(team, [] { return true; });
    EXPECT_GE(resident(layer, bytes), bytes);
  }
}

}  // namespace
}  // namespace tessera
