// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "census/levels/crossings.hpp"
#include "census/levels/layer.hpp"
#include "tessera/base/thread_team.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// Planes of a layer that hold one level.
struct LevelPlanes {
  Layer* layer = nullptr;
  std::uint16_t planes = 0;  ///< bit by plane; plane i of a frontier is the blank's cell i

  [[nodiscard]] bool active(std::uint64_t slab, int plane) const {
    return (layer->active(slab) & planes & (1U << plane)) != 0;
  }
  /// The words of a plane; null where it is empty.
  [[nodiscard]] std::uint64_t* words(std::uint64_t slab, int plane) const {
    return active(slab, plane) ? layer->words(slab, plane) : nullptr;
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
    for (std::uint64_t slab = part.first; slab < part.end(); ++slab) states += count(slab);
    return states;
  }
};

/// The slabs of each rank, as equal in number as can be.
[[nodiscard]] inline std::vector<SlabRange> share_slabs(std::uint64_t slabs, int ranks) {
  std::vector<SlabRange> parts;
  const auto count = static_cast<std::uint64_t>(ranks);
  for (std::uint64_t rank = 0, first = 0; rank < count; ++rank) {
    const std::uint64_t own = slabs / count + (rank < slabs % count ? 1 : 0);
    parts.push_back({first, own});
    first += own;
  }
  return parts;
}

/// What a rank searches with, and where its frontiers go.
struct RankContext {
  const StateLayout& layout;
  Exchange& exchange;
  ThreadTeam& team;
  DiskMode disk{};
};

/// What one pass over all slabs reads and writes.
struct Pass {
  std::vector<LevelPlanes> inputs;  ///< that a slab needs of itself
  LevelPlanes output;               ///< a group of planes that is written together
  bool replaces = false;            ///< what the output held before is needed, too
};

/// Some of the slabs that a rank computes.
struct WantedSlabs {
  SlabRange range;
  std::vector<std::uint8_t> flags;  ///< by slab of the range: 1 where it is wanted

  [[nodiscard]] bool contains(std::uint64_t slab) const { return flags[slab - range.first] != 0; }
  /// Those among `slabs`, which lie in the range.
  [[nodiscard]] std::vector<std::uint64_t> among(const SlabRange& slabs) const {
    std::vector<std::uint64_t> wanted;
    for (std::uint64_t slab = slabs.first; slab < slabs.end(); ++slab) {
      if (contains(slab)) wanted.push_back(slab);
    }
    return wanted;
  }
};

/// Goes through the slabs that a rank computes, wherever they lie: in its memory, in memory that
/// all ranks share, or on disk. What other ranks or batches hold arrives in `crossings`.
class Sweep {
 public:
  /// Slabs done of how many. False: give the level up.
  using Progress = std::function<bool(std::uint64_t done, std::uint64_t of)>;
  using Compute = std::function<void(std::uint64_t slab, int thread)>;
  /// A pass to be made, over those of slabs() that are wanted.
  struct Work {
    const Pass& pass;
    Crossings& crossings;
    const WantedSlabs& wanted;
    const Compute& compute;
    const Progress& progress;  ///< or empty
  };

  /// `all`: ranks share their memory, so that each may compute any slab.
  Sweep(const RankContext& context, bool all)
      : context_(context),
        parts_(share_slabs(context.layout.slabs(), context.exchange.ranks())),
        slabs_(all ? SlabRange{0, context.layout.slabs()} : own_part()) {}
  virtual ~Sweep() = default;

  [[nodiscard]] const SlabRange& slabs() const { return slabs_; }
  /// Where the next layer of the engine lies.
  [[nodiscard]] virtual Layer::Storage next_storage(int planes) = 0;
  /// Computes the wanted slabs. False where `progress` gave the pass up. Collective.
  virtual bool run(const Work& work) = 0;
  /// The end of a pass: `refresh` updates the layer's `active` for slabs(), then all ranks know it
  /// of all slabs, and the sums over ranks of `values`. Collective.
  virtual void conclude(Layer& layer, const std::function<void()>& refresh,
                        std::span<std::uint64_t> values) {
    refresh();
    share_active(layer);
    context_.exchange.sum(values);
  }
  /// After slabs of a layer were filled in from outside: all ranks learn which. Collective.
  virtual void share_active(Layer& layer) { context_.exchange.complete(layer.active(), parts_); }
  /// To other ranks, so far.
  [[nodiscard]] virtual std::uint64_t bytes_sent() const = 0;

 protected:
  [[nodiscard]] const SlabRange& own_part() const {
    return parts_[static_cast<std::size_t>(context_.exchange.rank())];
  }

  const RankContext context_;
  const std::vector<SlabRange> parts_;  // by rank

 private:
  SlabRange slabs_;
};

/// Layers in memory (memory_sweep.cpp), which ranks share where they can. `plans`: of each layer
/// that it will store. Collective, as below.
[[nodiscard]] std::unique_ptr<Sweep> make_memory_sweep(const RankContext& context,
                                                       const std::vector<LayerPlan>& plans);
/// Layers on disk (disk_sweep.cpp).
[[nodiscard]] std::unique_ptr<Sweep> make_disk_sweep(const RankContext& context);

}  // namespace tessera
