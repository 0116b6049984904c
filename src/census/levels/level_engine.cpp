// SPDX-License-Identifier: MIT
#include "census/levels/level_engine.hpp"

#include <array>
#include <utility>

namespace tessera {

LevelEngine::LevelEngine(const StateLayout& layout, ThreadTeam& team, std::unique_ptr<Sweep> sweep)
    : layout_(layout),
      team_(team),
      kernels_(slab_kernels()),
      sweep_(std::move(sweep)),
      crossings_(layout) {
  for (int thread = 0; thread < team.threads(); ++thread) threads_.emplace_back(layout);
  for (std::uint64_t slab = slabs().first; slab < slabs().end(); ++slab) {
    slab_parity_.push_back(static_cast<std::uint8_t>(layout.slab_parity(slab)));
  }
}

void LevelEngine::set_goal() {
  begin_fill(layout_.goal());
  Layer& layer = *current().layer;
  if (layer.part().contains(0)) layer.set_first_state(layout_.goal());
  finish_fill();
}

bool LevelEngine::each_slab(const std::vector<std::uint8_t>& wanted,
                            const std::function<void(std::uint64_t, Thread&)>& compute,
                            const Progress& progress, const Pass& pass) {
  const auto compute_by_thread = [&](std::uint64_t slab, int thread) {
    compute(slab, threads_[static_cast<std::size_t>(thread)]);
  };
  return sweep_->run(crossings_, wanted, compute_by_thread, progress, pass);
}

LevelEngine::Level LevelEngine::conclude(Layer& layer, const std::function<void()>& refresh,
                                         const Decide& decide) {
  std::array<std::uint64_t, 2> sums{};
  for (Thread& thread : threads_) sums[0] += std::exchange(thread.states, 0);
  if (decide) sums[1] = decide();
  sweep_->conclude(layer, refresh, sums);
  return {sums[0], sums[1]};
}

}  // namespace tessera
