// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "census/kernels/slab_mover.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// A frontier and the one before it, and the step from one level to the next: N(current) minus
/// previous minus current. The graph is undirected, so nothing older can come up again (Munagala
/// and Ranade 1999). Where slabs lie, in memory, with other ranks or on disk, is the sweep's
/// affair.
class LevelEngine {
 public:
  using Progress = Sweep::Progress;
  /// Asked at the end of a level, on each rank; the answers are summed with the states.
  using Decide = std::function<std::uint64_t()>;
  struct Level {
    std::uint64_t states = 0;
    std::uint64_t decision = 0;
  };

  LevelEngine(const StateLayout& layout, ThreadTeam& team, std::unique_ptr<Sweep> sweep);
  virtual ~LevelEngine() = default;

  /// Takes the memory of both levels from the system, as far as `goes_on` lets it. Throws
  /// Error(resource) where there is not so much.
  virtual void take_memory(const std::function<bool()>& goes_on) = 0;
  /// The next depth, over all ranks; where it has states, it is current now. Empty where `progress`
  /// gave it up: then neither level is whole any more. Collective.
  virtual std::optional<Level> advance(const Progress& progress, const Decide& decide) = 0;
  [[nodiscard]] virtual LevelPlanes current() = 0;
  [[nodiscard]] virtual LevelPlanes previous() = 0;
  /// Before words and counts of this rank's slabs are filled in from outside: `current_cell` is a
  /// cell of the blank in the current level.
  virtual void begin_fill(int current_cell) = 0;
  /// After that. Collective.
  virtual void finish_fill() = 0;

  /// To other ranks, so far.
  [[nodiscard]] std::uint64_t bytes_sent() const { return sweep_->bytes_sent(); }

 protected:
  struct Thread {
    explicit Thread(const StateLayout& layout) : mover(layout), a(layout), b(layout) {}
    SlabMover mover;
    SlabBuffer a;
    SlabBuffer b;
    std::vector<SlabBuffer> planes;  ///< of a whole slab, where an engine makes them together
    std::uint64_t states = 0;
  };

  /// Calls mark(slab of this rank) for each slab that a crossing reaches.
  template <class Mark>
  void each_reached(const Crossing& crossing, const Mark& mark) {
    const Window& window = *crossing.window;
    const SlabRange& mine = slabs();
    const std::uint64_t span = window.below * window.groups;
    // Only slabs that share the other digits with one of this rank's.
    const std::uint64_t begin = mine.first / span * span;
    const std::uint64_t end = std::min(layout_.slabs(), (mine.end() + span - 1) / span * span);
    for (std::uint64_t slab = begin; slab < end; ++slab) {
      if (!crossing.source->active(slab, crossing.plane)) continue;
      const std::uint64_t group = slab / window.below % window.groups;
      for (const std::uint16_t target : window.target_groups[group]) {
        const std::uint64_t reached = slab + (target - group) * window.below;
        if (mine.contains(reached)) mark(reached);
      }
    }
  }
  /// Computes the wanted slabs; false where `progress` gave up.
  bool each_slab(const std::vector<std::uint8_t>& wanted,
                 const std::function<void(std::uint64_t, Thread&)>& compute,
                 const Progress& progress, const Pass& pass);
  /// The goal alone. Collective.
  void set_goal();
  /// The end of a pass: `refresh()` updates `active` for slabs(), and then all ranks know it.
  /// Returns the states found.
  Level conclude(Layer& layer, const std::function<void()>& refresh, const Decide& decide = {});
  /// The slabs that this rank computes.
  [[nodiscard]] const SlabRange& slabs() const { return sweep_->slabs(); }
  [[nodiscard]] int slab_parity(std::uint64_t slab) const {
    return slab_parity_[slab - slabs().first];
  }

  const StateLayout& layout_;
  ThreadTeam& team_;
  const SlabKernels& kernels_;
  const std::unique_ptr<Sweep> sweep_;
  Crossings crossings_;

 private:
  std::vector<Thread> threads_;
  std::vector<std::uint8_t> slab_parity_;  // by slab of slabs()
};

[[nodiscard]] std::unique_ptr<LevelEngine> make_single_engine(const StateLayout& layout,
                                                              Exchange& exchange, ThreadTeam& team,
                                                              const DiskMode& disk = {});
[[nodiscard]] std::unique_ptr<LevelEngine> make_multi_engine(const StateLayout& layout,
                                                             Exchange& exchange, ThreadTeam& team,
                                                             const DiskMode& disk = {});

}  // namespace tessera
