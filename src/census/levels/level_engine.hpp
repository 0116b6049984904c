// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "census/disk/batch_stage.hpp"
#include "census/disk/far_exchange.hpp"
#include "census/kernels/tile_work.hpp"
#include "census/levels/level_planes.hpp"
#include "census/ranks/common_items.hpp"
#include "census/ranks/halo.hpp"
#include "tessera/base/thread_team.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera {

/// A frontier and the one before it, in memory or in disk mode, and the step from one level to the
/// next: N(current) minus previous minus current. The graph is undirected, so nothing older can
/// come up again (Munagala and Ranade 1999).
class LevelEngine {
 public:
  /// What is told while a level is computed: tiles done of how many. False: give the level up.
  using Tick = std::function<bool(std::uint64_t done, std::uint64_t of)>;
  /// Asked at the end of a level; what ranks say is summed as its states are.
  using Word = std::function<std::uint64_t()>;
  struct Level {
    std::uint64_t states = 0;
    std::uint64_t word = 0;
  };

  /// `planes`: of each layer.
  LevelEngine(const TileLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk,
              const std::vector<int>& planes);
  virtual ~LevelEngine() = default;

  /// Takes the memory of both levels from the system, as far as `goes_on` lets it. Throws
  /// Error(resource) where there is not so much.
  virtual void take_memory(const std::function<bool()>& goes_on) = 0;
  /// The next depth, over all ranks; where it has states, it is current now. Empty where `tick`
  /// gave it up: then neither level is whole any more. Collective.
  virtual std::optional<Level> advance(const Tick& tick, const Word& word) = 0;
  [[nodiscard]] virtual LevelPlanes current() = 0;
  [[nodiscard]] virtual LevelPlanes previous() = 0;
  /// Before words and counts of this rank's tiles are filled in from outside: `current_cell` is a
  /// cell of the blank in the current level.
  virtual void place(int current_cell) = 0;
  /// After that: tells other ranks.
  virtual void restored() = 0;
  /// Bytes that so many tiles take.
  [[nodiscard]] static std::uint64_t memory_bytes(const TileLayout& layout, Metric metric,
                                                  std::uint64_t tiles);

  /// Bytes beside the segments that disk mode takes of one of so many ranks with batches of so many
  /// tiles.
  [[nodiscard]] static std::uint64_t disk_memory_bytes(const TileLayout& layout, Metric metric,
                                                       std::uint64_t batch_tiles, int threads,
                                                       int ranks);

  [[nodiscard]] const Halo& halo() const { return halo_; }
  /// To other ranks, so far.
  [[nodiscard]] std::uint64_t bytes_sent() const {
    return halo_.words_sent() * 8 + (far_exchange_ ? far_exchange_->bytes_sent() : 0);
  }

 protected:
  struct Thread {
    explicit Thread(const TileLayout& layout) : work(layout), a(layout), b(layout) {}
    TileWork work;
    Scratch a;
    Scratch b;
    std::vector<Scratch> planes;  ///< of a whole tile, where an engine makes them all at once
    std::uint64_t states = 0;
    std::unique_ptr<BlockCodec> codec;  ///< in disk mode
  };

  /// Calls mark(tile of this rank) for each tile that a move of the pass reaches from another one.
  template <class Mark>
  void each_reached(const Pull& pull, const Mark& mark);
  /// Goes through the tiles chunk by chunk; false where `tick` gave up.
  bool each_tile(const std::vector<std::uint8_t>& wanted,
                 const std::function<void(std::uint64_t, Thread&)>& compute, const Tick& tick,
                 const Pass& pass);
  /// The goal alone. Collective.
  void set_goal();
  /// Where the next layer of this engine lies.
  [[nodiscard]] Layer::Place place_of_layer(int planes);
  /// The end of a pass: `refresh()` makes `active` tell of this rank's tiles, or of all that ranks
  /// have in common; then it tells of all. Returns the states found.
  Level conclude(Layer& layer, const std::function<void()>& refresh, const Word& word = {});
  /// After tiles of a layer were filled in from outside.
  void share_active(Layer& layer);

  const TileLayout& layout_;
  Exchange& exchange_;
  ThreadTeam& team_;
  const TileKernels& kernels_;
  std::span<std::uint8_t> common_;  // what all ranks have, if they do, and no layer has yet
  Halo halo_;
  std::vector<Thread> threads_;
  std::vector<std::uint8_t> tile_parity_;  // by tile of this rank

 private:
  using Compute = std::function<void(std::uint64_t, Thread&)>;
  // A tile's blocks as they come, until the batch is whole.
  struct Encoded {
    std::vector<BlockEntry> entries;  // by plane of the group
    std::vector<std::uint8_t> bytes;
  };
  /// Does the items of a chunk, which ranks with memory in common share.
  void share(std::size_t items, const std::function<void(std::size_t, int)>& work,
             const std::function<void()>& meanwhile);
  bool each_batch(const std::vector<std::uint8_t>& wanted, const Compute& compute, const Tick& tick,
                  const Pass& pass);
  /// False where `goes_on` ended it: then the batch is not whole.
  bool compute_batch(BatchStage& stage, std::shared_ptr<const FarArrival> arrival,
                     const std::vector<std::uint8_t>& wanted, const Compute& compute,
                     const Pass& pass, const std::function<bool()>& goes_on);
  void encode(std::uint64_t tile, const LevelPlanes& output, BlockCodec& codec, Encoded& to) const;
  void collect(std::size_t batch, const LevelPlanes& output);

  DiskMode disk_;
  std::optional<CommonItems> items_;         // where ranks have their memory in common
  std::optional<FarExchange> far_exchange_;  // in disk mode
  std::vector<std::uint64_t> far_;           // other tiles' blocks
  std::vector<Encoded> encoded_;             // by tile of the batch
};

template <class Mark>
void LevelEngine::each_reached(const Pull& pull, const Mark& mark) {
  const Window& window = *pull.window;
  const TileRange& mine = halo_.mine();
  const std::uint64_t span = window.below * window.groups;
  // Only tiles that share the other digits with one of this rank's.
  const std::uint64_t begin = mine.first / span * span;
  const std::uint64_t end =
      std::min(layout_.tiles(), (mine.first + mine.count + span - 1) / span * span);
  for (std::uint64_t tile = begin; tile < end; ++tile) {
    if (!pull.source->active(tile, pull.plane)) continue;
    const std::uint64_t group = tile / window.below % window.groups;
    for (const std::uint16_t target : window.target_groups[group]) {
      const std::uint64_t reached = tile + (target - group) * window.below;
      if (mine.contains(reached)) mark(reached);
    }
  }
}

[[nodiscard]] std::unique_ptr<LevelEngine> make_single_engine(const TileLayout& layout,
                                                              Exchange& exchange, ThreadTeam& team,
                                                              const DiskMode& disk = {});
[[nodiscard]] std::unique_ptr<LevelEngine> make_multi_engine(const TileLayout& layout,
                                                             Exchange& exchange, ThreadTeam& team,
                                                             const DiskMode& disk = {});

}  // namespace tessera
