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
/// previous minus current. The graph is undirected, so no older state can appear again (Munagala
/// and Ranade 1999). The sweep determines where slabs are stored: in memory, on other ranks or on
/// disk.
class LevelEngine {
 public:
  using Progress = Sweep::Progress;
  /// Called at the end of a level on each rank; the results are summed with the states.
  using Decide = std::function<std::uint64_t()>;
  struct Level {
    std::uint64_t states = 0;
    std::uint64_t decision = 0;
  };

  virtual ~LevelEngine() = default;

  /// Allocates the memory of all layers, as long as `may_continue` returns true. Throws
  /// Error(resource) if memory is insufficient.
  void take_memory(const std::function<bool()>& may_continue);
  /// Computes the next depth, over all ranks; if it has states, it becomes current. Empty if
  /// `progress` gave up on any rank: then the previous level is not valid any more. Collective.
  virtual std::optional<Level> advance(const Progress& progress, const Decide& decide) = 0;
  [[nodiscard]] const LevelPlanes& current() const { return current_; }
  [[nodiscard]] const LevelPlanes& previous() const { return previous_; }
  /// Call it before words and counts of this rank's slabs are filled in from outside:
  /// `current_cell` is a cell of the blank in the current level.
  void begin_fill(int current_cell);
  /// Call it afterwards. Collective.
  void finish_fill();

  /// Bytes sent to other ranks so far.
  [[nodiscard]] std::uint64_t bytes_sent() const { return sweep_->bytes_sent(); }

 protected:
  struct Thread {
    explicit Thread(const StateLayout& layout) : mover(layout), a(layout), b(layout) {}
    SlabMover mover;
    SlabBuffer a;
    SlabBuffer b;
    std::vector<SlabBuffer> planes;  ///< of a whole slab, if an engine computes them together
    std::uint64_t states = 0;
  };
  using Compute = std::function<void(std::uint64_t slab, Thread& thread)>;

  LevelEngine(const RankContext& context, const std::vector<LayerPlan>& plans);
  /// Sets the current level to the goal only. Collective.
  void set_goal();
  /// Computes the slabs that can receive states from the pass's inputs or crossings; in all others
  /// its output becomes empty. Returns the states found; empty if any rank gave up. Collective.
  std::optional<Level> run_pass(const Pass& pass, std::vector<Crossing> crossings,
                                const Compute& compute, const Progress& progress,
                                const Decide& decide = {});
  /// The parity of the digits of a plane's orders outside the slab.
  [[nodiscard]] int odd(std::uint64_t slab, int plane) const {
    return layout_.plane_parity(plane) ^ slab_parity_[slab - sweep_->slabs().first];
  }

  /// Replaces a plane of the previous level by the new states of `found`, `a` and `b`; the last two
  /// may be null.
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
