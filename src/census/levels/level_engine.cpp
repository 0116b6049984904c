// SPDX-License-Identifier: MIT
#include "census/levels/level_engine.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace tessera {

namespace {

std::size_t bytes_of_items(const Exchange& exchange) {
  return whole_pages(CommonItems::bytes(exchange.ranks()));
}

std::span<std::uint8_t> memory_in_common(const TileLayout& layout, Exchange& exchange,
                                         const DiskMode& disk, const std::vector<int>& planes) {
  if (disk.spill != nullptr || exchange.ranks() == 1) return {};
  for (int rank = 0; rank < exchange.ranks(); ++rank) {
    if (rank != exchange.rank() && !exchange.sees(rank)) return {};
  }
  std::size_t bytes = bytes_of_items(exchange);
  for (const int count : planes) bytes += Layer::bytes_in_common(layout, count);
  return exchange.common(bytes);
}

}  // namespace

LevelEngine::LevelEngine(const TileLayout& layout, Exchange& exchange, ThreadTeam& team,
                         const DiskMode& disk, const std::vector<int>& planes)
    : layout_(layout),
      exchange_(exchange),
      team_(team),
      kernels_(tile_kernels()),
      common_(memory_in_common(layout, exchange, disk, planes)),
      halo_(layout, share_tiles(layout.tiles(), common_.empty() ? exchange.ranks() : 1), exchange,
            disk.spill != nullptr),
      disk_(disk) {
  if (!common_.empty()) {
    items_.emplace(exchange, common_);
    common_ = common_.subspan(bytes_of_items(exchange));
  }
  if (disk.spill != nullptr) {
    far_exchange_.emplace(layout, exchange, halo_.parts(), disk.batch_tiles, *disk.spill);
  }
  for (int thread = 0; thread < team.threads(); ++thread) {
    threads_.emplace_back(layout);
    if (disk.spill != nullptr) threads_.back().codec = std::make_unique<BlockCodec>();
  }
  const TileRange& mine = halo_.mine();
  for (std::uint64_t tile = mine.first; tile < mine.first + mine.count; ++tile) {
    tile_parity_.push_back(static_cast<std::uint8_t>(layout.tile_parity(tile)));
  }
}

Layer::Place LevelEngine::place_of_layer(int planes) {
  const std::vector<TileRange> parts = share_tiles(layout_.tiles(), exchange_.ranks());
  Layer::Place place{
      halo_.mine(), parts[static_cast<std::size_t>(exchange_.rank())], disk_, halo_.shares(), {}};
  if (items_) {
    const std::size_t bytes = Layer::bytes_in_common(layout_, planes);
    place.common = common_.first(bytes);
    common_ = common_.subspan(bytes);
  }
  return place;
}

void LevelEngine::set_goal() {
  place(layout_.goal());
  const LevelPlanes planes = current();
  SegmentStore* const segments = planes.layer->segments();
  const bool here = planes.layer->part().contains(0);
  if (segments != nullptr && here) {
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
  } else if (here) {
    planes.layer->words(0, layout_.goal())[0] = 1;
  }
  if (here) {
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
    // Threads that are about as far as this one.
    const int alike = team_.threads() * (items_ ? exchange_.ranks() : 1);
    share(
        tiles.size(),
        [&](std::size_t i, int thread) {
          if (go.load(std::memory_order_relaxed)) {
            compute(tiles[i], threads_[static_cast<std::size_t>(thread)]);
          }
        },
        [&] {
          exchange_.progress();
          if (!tick || (++own & 7) != 0 || !go) return;
          const std::uint64_t here =
              std::min<std::uint64_t>(tiles.size(), own * static_cast<std::uint64_t>(alike));
          if (!tick(done + here * part.count / tiles.size(), mine.count)) go = false;
        });
    going = go;
    done += part.count;
  }
  return going;
}

void LevelEngine::share(std::size_t items, const std::function<void(std::size_t, int)>& work,
                        const std::function<void()>& meanwhile) {
  if (!items_) {
    team_.share(items, work, meanwhile);
    return;
  }
  items_->begin(items);
  team_.share(
      items, [this] { return items_->next(); }, work, meanwhile);
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
  // Ranks go step by step, whether they have anything to compute or not: others may need their
  // blocks. One rank alone passes over what is empty.
  const bool alone = exchange_.ranks() == 1;
  const std::size_t steps = alone ? batches.size() : far_exchange_->steps();
  const auto batch_of_step = [&](std::size_t step) -> std::optional<std::size_t> {
    if (alone) return batches[step];
    const bool computes = std::binary_search(batches.begin(), batches.end(), step);
    return computes ? std::optional(step) : std::nullopt;
  };
  const auto stage = [&](std::size_t step) -> std::unique_ptr<BatchStage> {
    const auto index = batch_of_step(step);
    std::unique_ptr<BatchStage> begun;
    if (index) {
      begun = std::make_unique<BatchStage>(layout_, *disk_.spill, pass, halo_.pulls(),
                                           written.batch(*index), wanted, mine);
    }
    far_exchange_->start(step, halo_.pulls(), begun ? begun->remote() : std::vector<FarTile>{});
    return begun;
  };
  std::unique_ptr<BatchStage> next;
  if (steps > 0) next = stage(0);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::unique_ptr<BatchStage> now = std::move(next);
    std::shared_ptr<const FarArrival> arrival = far_exchange_->finish();
    if (step + 1 < steps) next = stage(step + 1);
    if (now != nullptr) {
      const auto goes_on = [&] { return !tick || tick(step, steps); };
      if (!compute_batch(*now, std::move(arrival), wanted, compute, pass, goes_on)) return false;
      collect(*batch_of_step(step), pass.output);
    }
    if (tick && !tick(step + 1, steps)) return false;
  }
  return true;
}

bool LevelEngine::compute_batch(BatchStage& stage, std::shared_ptr<const FarArrival> arrival,
                                const std::vector<std::uint8_t>& wanted, const Compute& compute,
                                const Pass& pass, const std::function<bool()>& goes_on) {
  const TileRange batch = stage.batch();
  std::atomic<bool> go{true};
  std::uint64_t own = 0;
  const auto meanwhile = [&] {
    far_exchange_->progress();
    if ((++own & 7) == 0 && go && !goes_on()) go = false;
  };
  stage.arrive(std::move(arrival));
  for (const LevelPlanes& input : pass.inputs) input.layer->move_window(batch);
  pass.output.layer->move_window(batch);
  if (far_.size() < stage.far_words()) far_.resize(stage.far_words());
  team_.share(
      stage.inputs(),
      [&](std::size_t input, int thread) {
        if (!go.load(std::memory_order_relaxed)) return;
        stage.decode_input(input, *threads_[static_cast<std::size_t>(thread)].codec, far_.data());
      },
      meanwhile);
  halo_.set_near(batch, stage.far_blocks(far_.data()));
  std::vector<std::uint64_t> tiles;
  for (std::uint64_t tile = batch.first; tile < batch.first + batch.count; ++tile) {
    if (wanted[tile - halo_.mine().first] != 0) tiles.push_back(tile);
  }
  encoded_.resize(batch.count);
  for (Encoded& tile : encoded_) tile.entries.clear();
  team_.share(
      tiles.size(),
      [&](std::size_t item, int number) {
        if (!go.load(std::memory_order_relaxed)) return;
        Thread& thread = threads_[static_cast<std::size_t>(number)];
        const std::uint64_t tile = tiles[item];
        stage.decode_replaced(tile, *thread.codec);
        for (int plane = 0; plane < pass.output.layer->planes(); ++plane) {
          if ((pass.output.planes >> plane & 1) != 0) pass.output.layer->set_count(tile, plane, 0);
        }
        compute(tile, thread);
        encode(tile, pass.output, *thread.codec, encoded_[tile - batch.first]);
      },
      meanwhile);
  return go;
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

LevelEngine::Level LevelEngine::conclude(Layer& layer, const std::function<void()>& refresh,
                                         const Word& word) {
  std::array<std::uint64_t, 2> found{};
  for (Thread& thread : threads_) found[0] += std::exchange(thread.states, 0);
  if (word) found[1] = word();
  // Others set counts in common; until the next meeting they set those of other planes.
  if (items_) exchange_.sum(found);
  refresh();
  if (!items_) exchange_.conclude(layer.active(), halo_.parts(), found);
  return {found[0], found[1]};
}

void LevelEngine::share_active(Layer& layer) {
  if (!items_) {
    exchange_.complete(layer.active(), halo_.parts());
    return;
  }
  std::array<std::uint64_t, 1> nothing{};
  exchange_.sum(nothing);
  const TileRange& all = layer.range();
  for (std::uint64_t tile = all.first; tile < all.first + all.count; ++tile) {
    layer.refresh(tile, (1U << layer.planes()) - 1);
  }
  exchange_.sum(nothing);  // before anybody sets counts of the next level
}

}  // namespace tessera
