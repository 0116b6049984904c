// SPDX-License-Identifier: MIT
#include "census/level_engine.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace tessera {

LevelEngine::LevelEngine(const TileLayout& layout, Exchange& exchange, Team& team,
                         const DiskMode& disk)
    : layout_(layout),
      exchange_(exchange),
      team_(team),
      kernels_(tile_kernels()),
      halo_(layout, share_tiles(layout.tiles(), exchange.ranks()), exchange),
      disk_(disk) {
  for (int thread = 0; thread < team.threads(); ++thread) {
    threads_.emplace_back(layout);
    if (disk.spill != nullptr) threads_.back().codec = std::make_unique<BlockCodec>();
  }
  const TileRange& mine = halo_.mine();
  for (std::uint64_t tile = mine.first; tile < mine.first + mine.count; ++tile) {
    tile_parity_.push_back(static_cast<std::uint8_t>(layout.tile_parity(tile)));
  }
}

void LevelEngine::set_goal() {
  place(layout_.goal());
  const LevelPlanes planes = current();
  if (SegmentStore* const segments = planes.layer->segments()) {
    std::vector<std::uint64_t> words(layout_.words());
    words[0] = 1;
    const TileRange batch = segments->batch(0);
    std::vector<BlockEntry> entries(batch.count *
                                    static_cast<std::size_t>(std::popcount(planes.planes)));
    std::vector<std::uint8_t> bytes;
    const auto place =
        static_cast<std::size_t>(std::popcount(planes.planes & ((1U << layout_.goal()) - 1)));
    entries[place * batch.count] = BlockCodec().append(words, 1, bytes);
    Bytes data(bytes.size());
    std::copy(bytes.begin(), bytes.end(), data.data.get());
    segments->replace(0, segments->group_of(planes.planes), std::move(entries), std::move(data));
  } else if (halo_.mine().contains(0)) {
    planes.layer->words(0, layout_.goal())[0] = 1;
  }
  if (halo_.mine().contains(0)) {
    planes.layer->set_count(0, layout_.goal(), 1);
    planes.layer->refresh(0, 1U << layout_.goal());
  }
  restored();
}

bool LevelEngine::each_tile(const std::vector<std::uint8_t>& wanted,
                            const std::function<void(std::uint64_t, Thread&)>& compute,
                            const Tick& tick, const Pass& pass) {
  if (disk_.spill != nullptr) return each_batch(wanted, compute, tick, pass);
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

bool LevelEngine::each_batch(const std::vector<std::uint8_t>& wanted, const Compute& compute,
                             const Tick& tick, const Pass& pass) {
  const TileRange& mine = halo_.mine();
  SegmentStore& written = *pass.output.layer->segments();
  const std::size_t group = written.group_of(pass.output.planes);
  std::vector<std::size_t> batches;
  for (std::size_t index = 0; index < written.batches(); ++index) {
    const TileRange batch = written.batch(index);
    const auto* const begin = wanted.data() + (batch.first - mine.first);
    if (std::any_of(begin, begin + batch.count, [](std::uint8_t tile) { return tile != 0; })) {
      batches.push_back(index);
    } else {
      written.drop(index, group);
    }
  }
  const auto stage = [&](std::size_t i) {
    return std::make_unique<BatchStage>(layout_, *disk_.spill, pass, halo_.pulls(),
                                        written.batch(batches[i]), wanted, mine.first);
  };
  std::vector<std::uint64_t> tiles;
  std::unique_ptr<BatchStage> next;
  if (!batches.empty()) next = stage(0);
  std::atomic<bool> go{true};
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const std::unique_ptr<BatchStage> now = std::move(next);
    if (i + 1 < batches.size()) next = stage(i + 1);
    const TileRange batch = now->batch();
    now->arrive();
    for (const LevelPlanes& input : pass.inputs) input.layer->move_window(batch);
    pass.output.layer->move_window(batch);
    if (far_.size() < now->far_words()) far_.resize(now->far_words());
    team_.share(now->inputs(), [&](std::size_t input, int thread) {
      now->decode_input(input, *threads_[static_cast<std::size_t>(thread)].codec, far_.data());
    });
    halo_.set_near(batch, now->far_blocks(far_.data()));
    tiles.clear();
    for (std::uint64_t tile = batch.first; tile < batch.first + batch.count; ++tile) {
      if (wanted[tile - mine.first] != 0) tiles.push_back(tile);
    }
    encoded_.resize(batch.count);
    for (Encoded& tile : encoded_) tile.entries.clear();
    team_.share(tiles.size(), [&](std::size_t item, int number) {
      Thread& thread = threads_[static_cast<std::size_t>(number)];
      const std::uint64_t tile = tiles[item];
      now->decode_replaced(tile, *thread.codec);
      for (int plane = 0; plane < pass.output.layer->planes(); ++plane) {
        if ((pass.output.planes >> plane & 1) != 0) pass.output.layer->set_count(tile, plane, 0);
      }
      compute(tile, thread);
      encode(tile, pass.output, *thread.codec, encoded_[tile - batch.first]);
    });
    collect(batches[i], pass.output);
    if (tick && !tick(i + 1, batches.size())) return false;
  }
  return true;
}

void LevelEngine::encode(std::uint64_t tile, const LevelPlanes& output, BlockCodec& codec,
                         Encoded& to) const {
  to.bytes.clear();
  for (int plane = 0; plane < output.layer->planes(); ++plane) {
    if ((output.planes >> plane & 1) == 0) continue;
    BlockEntry& entry = to.entries.emplace_back();
    if (output.layer->count_set(tile, plane) == 0) continue;
    const std::span<const std::uint64_t> words{output.layer->words(tile, plane), layout_.words()};
    // Collections of metric multi are not counted.
    entry = codec.append(words, kernels_.count(words.data(), words.size()), to.bytes);
  }
}

void LevelEngine::collect(std::size_t batch, const LevelPlanes& output) {
  SegmentStore& segments = *output.layer->segments();
  const std::size_t tiles = encoded_.size();
  const auto planes = static_cast<std::size_t>(std::popcount(output.planes));
  std::vector<BlockEntry> entries(planes * tiles);
  std::size_t size = 0;
  for (const Encoded& tile : encoded_) {
    for (const BlockEntry& entry : tile.entries) size += entry.length();
  }
  Bytes data(size);
  std::vector<std::size_t> taken(tiles);
  std::uint8_t* to = data.data.get();
  for (std::size_t place = 0; place < planes; ++place) {
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      if (encoded_[tile].entries.empty()) continue;
      const BlockEntry& entry = encoded_[tile].entries[place];
      entries[place * tiles + tile] = entry;
      to = std::copy_n(encoded_[tile].bytes.data() + taken[tile], entry.length(), to);
      taken[tile] += entry.length();
    }
  }
  segments.replace(batch, segments.group_of(output.planes), std::move(entries), std::move(data));
}

std::uint64_t LevelEngine::sum_states() {
  std::uint64_t states = 0;
  for (Thread& thread : threads_) states += std::exchange(thread.states, 0);
  exchange_.sum({&states, 1});
  return states;
}

}  // namespace tessera
