// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "base/thread_team.hpp"
#include "census/levels/crossings.hpp"
#include "census/levels/layer.hpp"

namespace tessera {

/// Planes of a layer that hold one level.
struct LevelPlanes {
  Layer* layer = nullptr;
  unsigned planes = 0;  ///< a bit set; plane i of a frontier is the blank's cell i

  [[nodiscard]] bool active(std::uint64_t slab, int plane) const {
    return (layer->active(slab) & planes & (1U << plane)) != 0;
  }
  /// The words of a plane; null if it is empty.
  [[nodiscard]] std::uint64_t* words(std::uint64_t slab, int plane) const {
    return active(slab, plane) ? layer->words(slab, plane) : nullptr;
  }
  /// Calls with(plane) for each plane, ascending.
  template <class With>
  void each_plane(const With& with) const {
    for (int plane = 0; plane < layer->planes(); ++plane) {
      if ((planes >> plane & 1) != 0) with(plane);
    }
  }
  /// The number of states in a slab.
  [[nodiscard]] std::uint64_t count(std::uint64_t slab) const {
    std::uint64_t states = 0;
    each_plane([&](int plane) { states += layer->count(slab, plane); });
    return states;
  }
  /// The number of states in the slabs that this rank counts.
  [[nodiscard]] std::uint64_t count() const {
    const SlabRange& part = layer->part();
    std::uint64_t states = 0;
    for (std::uint64_t slab = part.first; slab < part.end(); ++slab) states += count(slab);
    return states;
  }
};

/// The slabs of each rank, divided as evenly as possible.
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

/// A rank's resources for the search.
struct RankContext {
  const StateLayout& layout;
  Ranks& ranks;
  ThreadTeam& team;
  DiskMode disk{};
};

/// The inputs and output of one pass over all slabs.
struct Pass {
  std::vector<LevelPlanes> inputs;  ///< planes that a slab needs of itself
  LevelPlanes output;               ///< a group of planes written together
  bool replaces = false;            ///< the output's previous contents are needed too
};

/// Some of the slabs that a rank computes.
struct WantedSlabs {
  SlabRange range;
  std::vector<std::uint8_t> flags;  ///< by slab of the range: 1 if it is wanted

  [[nodiscard]] bool contains(std::uint64_t slab) const { return flags[slab - range.first] != 0; }
  /// Those in `slabs`, which must be within the range.
  [[nodiscard]] std::vector<std::uint64_t> among(const SlabRange& slabs) const {
    std::vector<std::uint64_t> wanted;
    for (std::uint64_t slab = slabs.first; slab < slabs.end(); ++slab) {
      if (contains(slab)) wanted.push_back(slab);
    }
    return wanted;
  }
};

/// Processes the slabs that a rank computes, wherever they are stored: in its memory, in memory
/// that all ranks share, or on disk. Blocks of other ranks or batches arrive in `crossings`.
class Sweep {
 public:
  /// Slabs done out of `of`. Return false to give up the level.
  using Progress = std::function<bool(std::uint64_t done, std::uint64_t of)>;
  using Compute = std::function<void(std::uint64_t slab, int thread)>;
  /// A pass over the wanted slabs of slabs().
  struct Work {
    const Pass& pass;
    Crossings& crossings;
    const WantedSlabs& wanted;
    const Compute& compute;
    const Progress& progress;
  };

  /// `all`: ranks share their memory, so each may compute any slab.
  Sweep(const RankContext& context, bool all)
      : context_(context),
        parts_(share_slabs(context.layout.slabs(), context.ranks.size())),
        slabs_(all ? SlabRange{0, context.layout.slabs()} : own_part()) {}
  virtual ~Sweep() = default;

  [[nodiscard]] const SlabRange& slabs() const { return slabs_; }
  /// The storage for the engine's next layer.
  [[nodiscard]] virtual Layer::Storage next_storage(int planes) = 0;
  /// Computes the wanted slabs. False if `progress` gave up the pass on this rank. Collective.
  virtual bool run(const Work& work) = 0;
  /// Ends a pass: `refresh` updates the layer's `active` for slabs(); then all ranks know it for
  /// all slabs, and the sums of `values` over ranks. Collective.
  virtual void conclude(Layer& layer, const std::function<void()>& refresh,
                        std::span<std::uint64_t> values) {
    refresh();
    share_active(layer);
    context_.ranks.sum(values);
  }
  /// Shares `active` with all ranks after slabs were filled in from outside. Collective.
  virtual void share_active(Layer& layer) {
    std::vector<std::uint64_t> sizes;
    for (const SlabRange& part : parts_) sizes.push_back(part.count * sizeof(std::uint16_t));
    complete(context_.ranks, std::as_writable_bytes(layer.active()), sizes);
  }
  /// Bytes sent to other ranks so far.
  [[nodiscard]] virtual std::uint64_t bytes_sent() const = 0;

 protected:
  [[nodiscard]] const SlabRange& own_part() const {
    return parts_[static_cast<std::size_t>(context_.ranks.rank())];
  }

  const RankContext context_;
  const std::vector<SlabRange> parts_;  // by rank

 private:
  SlabRange slabs_;
};

/// Layers in memory (memory_sweep.cpp), shared by ranks if possible. `plans`: of each layer to be
/// stored. Collective, like the next one.
[[nodiscard]] std::unique_ptr<Sweep> make_memory_sweep(const RankContext& context,
                                                       const std::vector<LayerPlan>& plans);
/// Layers on disk (disk_sweep.cpp).
[[nodiscard]] std::unique_ptr<Sweep> make_disk_sweep(const RankContext& context);

}  // namespace tessera
