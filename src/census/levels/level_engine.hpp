// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
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

  virtual ~LevelEngine() = default;

  /// Takes the memory of all layers from the system, as far as `goes_on` lets it. Throws
  /// Error(resource) where there is not so much.
  void take_memory(const std::function<bool()>& goes_on);
  /// The next depth, over all ranks; where it has states, it is current now. Empty where `progress`
  /// gave it up: then neither level is whole any more. Collective.
  virtual std::optional<Level> advance(const Progress& progress, const Decide& decide) = 0;
  [[nodiscard]] const LevelPlanes& current() const { return current_; }
  [[nodiscard]] const LevelPlanes& previous() const { return previous_; }
  /// Before words and counts of this rank's slabs are filled in from outside: `current_cell` is a
  /// cell of the blank in the current level.
  void begin_fill(int current_cell);
  /// After that. Collective.
  void finish_fill();

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
  using Compute = std::function<void(std::uint64_t slab, Thread& thread)>;

  LevelEngine(const RankContext& context, const std::vector<LayerPlan>& plans);
  /// The goal alone. Collective.
  void set_goal();
  /// Computes the slabs that can get anything from the pass's inputs or crossings; in all others
  /// its output becomes empty. Returns the states found; nothing where `progress` gave up.
  /// Collective.
  std::optional<Level> run_pass(const Pass& pass, std::vector<Crossing> crossings,
                                const Compute& compute, const Progress& progress,
                                const Decide& decide = {});
  /// The parity of the digits of a plane's orders outside the slab.
  [[nodiscard]] int odd(std::uint64_t slab, int plane) const {
    return layout_.plane_parity(plane) ^ slab_parity_[slab - sweep_->slabs().first];
  }

  /// Replaces a plane of the previous level by what is new of `found`, `a` and `b`, the last two of
  /// which may be null.
  void finish_plane(std::uint64_t slab, int plane, const std::uint64_t* found,
                    const std::uint64_t* a, const std::uint64_t* b, Thread& thread);

  const StateLayout& layout_;
  const Size size_;
  const SlabKernels& kernels_;
  std::deque<Layer> layers_;
  LevelPlanes current_;
  LevelPlanes previous_;
  Crossings crossings_;

 private:
  void find_wanted(const Pass& pass);

  ThreadTeam& team_;
  const std::unique_ptr<Sweep> sweep_;
  std::vector<Thread> threads_;
  std::vector<std::uint8_t> slab_parity_;  // by slab of sweep_->slabs()
  WantedSlabs wanted_;
};

[[nodiscard]] std::unique_ptr<LevelEngine> make_single_engine(const RankContext& context);
[[nodiscard]] std::unique_ptr<LevelEngine> make_multi_engine(const RankContext& context);

}  // namespace tessera
