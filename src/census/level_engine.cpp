// SPDX-License-Identifier: MIT
#include "census/level_engine.hpp"

#include <atomic>
#include <utility>

namespace tessera {

LevelEngine::LevelEngine(const TileLayout& layout, Exchange& exchange, Team& team)
    : layout_(layout),
      exchange_(exchange),
      team_(team),
      kernels_(tile_kernels()),
      halo_(layout, share_tiles(layout.tiles(), exchange.ranks()), exchange) {
  for (int thread = 0; thread < team.threads(); ++thread) threads_.emplace_back(layout);
  const TileRange& mine = halo_.mine();
  for (std::uint64_t tile = mine.first; tile < mine.first + mine.count; ++tile) {
    tile_parity_.push_back(static_cast<std::uint8_t>(layout.tile_parity(tile)));
  }
}

void LevelEngine::set_goal() {
  place(layout_.goal());
  const LevelPlanes planes = current();
  if (halo_.mine().contains(0)) {
    planes.layer->words(0, layout_.goal())[0] = 1;
    planes.layer->set_count(0, layout_.goal(), 1);
    planes.layer->refresh(0, 1U << layout_.goal());
  }
  restored();
}

bool LevelEngine::each_tile(const std::vector<std::uint8_t>& wanted,
                            const std::function<void(std::uint64_t, Thread&)>& compute,
                            const Tick& tick) {
  const TileRange& mine = halo_.mine();
  std::vector<std::uint64_t> tiles;
  bool going = true;
  std::uint64_t done = 0;
  halo_.start(0);
  for (std::size_t chunk = 0; chunk < halo_.chunks(); ++chunk) {
    if (chunk + 1 < halo_.chunks()) halo_.start(chunk + 1);
    halo_.finish(chunk);
    const TileRange part = halo_.chunk(chunk);
    tiles.clear();
    for (std::uint64_t tile = part.first; tile < part.first + part.count; ++tile) {
      if (wanted[tile - mine.first] != 0) tiles.push_back(tile);
    }
    std::atomic<bool> go{going};
    std::uint64_t own = 0;
    team_.share(
        tiles.size(),
        [&](std::size_t i, int thread) {
          if (go.load(std::memory_order_relaxed)) {
            compute(tiles[i], threads_[static_cast<std::size_t>(thread)]);
          }
        },
        [&] {
          exchange_.progress();
          if (!tick || (++own & 7) != 0 || !go) return;
          // Where this thread is: the others are about as far.
          const std::uint64_t here = std::min<std::uint64_t>(
              tiles.size(), own * static_cast<std::uint64_t>(team_.threads()));
          if (!tick(done + here * part.count / tiles.size(), mine.count)) go = false;
        });
    going = go;
    done += part.count;
  }
  return going;
}

std::uint64_t LevelEngine::sum_states() {
  std::uint64_t states = 0;
  for (Thread& thread : threads_) states += std::exchange(thread.states, 0);
  exchange_.sum({&states, 1});
  return states;
}

}  // namespace tessera
