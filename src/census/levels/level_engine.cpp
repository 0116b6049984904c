// SPDX-License-Identifier: MIT
#include "census/levels/level_engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera {

LevelEngine::LevelEngine(const RankContext& context, const std::vector<LayerPlan>& plans)
    : layout_(context.layout),
      size_(layout_.size()),
      kernels_(slab_kernels()),
      crossings_(layout_),
      team_(context.team),
      sweep_(context.disk.spill != nullptr ? make_disk_sweep(context)
                                           : make_memory_sweep(context, plans)),
      threads_(static_cast<std::size_t>(team_.threads()), Thread(layout_)),
      wanted_{sweep_->slabs(), std::vector<std::uint8_t>(sweep_->slabs().count)} {
  for (const LayerPlan& plan : plans) {
    layers_.emplace_back(layout_, plan, sweep_->next_storage(plan.planes));
  }
  const SlabRange& mine = sweep_->slabs();
  for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
    slab_parity_.push_back(static_cast<std::uint8_t>(layout_.slab_parity(slab)));
  }
}

void LevelEngine::take_memory(const std::function<bool()>& may_continue) {
  for (Layer& layer : layers_) layer.touch(team_, may_continue);
}

void LevelEngine::begin_fill(int current_cell) {
  if ((current_.planes >> current_cell & 1) == 0) std::swap(current_, previous_);
}

void LevelEngine::finish_fill() {
  for (Layer& layer : layers_) sweep_->share_active(layer);
}

void LevelEngine::set_goal() {
  begin_fill(layout_.goal());
  Layer& layer = *current_.layer;
  if (layer.part().contains(0)) layer.set_first_state(layout_.goal());
  finish_fill();
}

void LevelEngine::finish_plane(std::uint64_t slab, int plane, const std::uint64_t* found,
                               const std::uint64_t* a, const std::uint64_t* b, Thread& thread) {
  Layer& into = *previous_.layer;
  const std::uint64_t count = kernels_.remove_duplicates(found, a, b, current_.words(slab, plane),
                                                         previous_.words(slab, plane),
                                                         into.words(slab, plane), layout_.stride());
  into.set_count(slab, plane, static_cast<std::uint32_t>(count));
  thread.states += count;
}

void LevelEngine::find_wanted(const Pass& pass) {
  const SlabRange& mine = sweep_->slabs();
  for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
    wanted_.flags[slab - mine.first] = std::ranges::any_of(
        pass.inputs,
        [&](const LevelPlanes& input) { return (input.layer->active(slab) & input.planes) != 0; });
  }
  for (const Crossing& crossing : crossings_.list()) {
    const Window& window = *crossing.window;
    const std::uint64_t span = window.below * window.groups;
    // Only slabs that share the other digits with one of this rank's.
    const std::uint64_t begin = mine.first / span * span;
    const std::uint64_t end = std::min(layout_.slabs(), (mine.end() + span - 1) / span * span);
    for (std::uint64_t slab = begin; slab < end; ++slab) {
      if (!crossing.source->active(slab, crossing.plane)) continue;
      const std::uint64_t group = slab / window.below % window.groups;
      for (const std::uint16_t target : window.target_groups[group]) {
        const std::uint64_t reached = slab + (target - group) * window.below;
        if (mine.contains(reached)) wanted_.flags[reached - mine.first] = 1;
      }
    }
  }
}

std::optional<LevelEngine::Level> LevelEngine::run_pass(const Pass& pass,
                                                        std::vector<Crossing> crossings,
                                                        const Compute& compute,
                                                        const Progress& progress,
                                                        const Decide& decide) {
  crossings_.begin(std::move(crossings));
  find_wanted(pass);
  const auto compute_by_thread = [&](std::uint64_t slab, int thread) {
    compute(slab, threads_[static_cast<std::size_t>(thread)]);
  };
  const bool done = sweep_->run({pass, crossings_, wanted_, compute_by_thread, progress});
  std::array<std::uint64_t, 3> sums{0, 0, done ? 0U : 1U};
  for (Thread& thread : threads_) sums[0] += std::exchange(thread.states, 0);
  if (decide) sums[1] = decide();
  const auto refresh = [&] {
    const SlabRange& mine = sweep_->slabs();
    for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
      if (wanted_.contains(slab)) pass.output.layer->refresh(slab, pass.output.planes);
      else pass.output.layer->clear(slab, pass.output.planes);
    }
  };
  sweep_->conclude(*pass.output.layer, refresh, sums);
  if (sums[2] > 0) return {};
  return Level{sums[0], sums[1]};
}

}  // namespace tessera
