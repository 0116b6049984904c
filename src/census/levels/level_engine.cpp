// SPDX-License-Identifier: MIT
#include "census/levels/level_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tessera {
namespace {

std::vector<int> planes_of(const std::vector<std::vector<std::uint16_t>>& groups) {
  std::vector<int> planes;
  for (const auto& layer : groups) {
    unsigned all = 0;
    for (const std::uint16_t group : layer) all |= group;
    planes.push_back(static_cast<int>(std::bit_width(all)));
  }
  return planes;
}

}  // namespace

LevelEngine::LevelEngine(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
                         const DiskMode& disk,
                         const std::vector<std::vector<std::uint16_t>>& groups)
    : layout_(layout),
      kernels_(slab_kernels()),
      crossings_(layout),
      team_(team),
      sweep_(disk.spill != nullptr ? make_disk_sweep(layout, exchange, team, disk)
                                   : make_memory_sweep(layout, exchange, team, planes_of(groups))),
      threads_(static_cast<std::size_t>(team.threads()), Thread(layout)),
      wanted_(sweep_->slabs().count) {
  const std::vector<int> planes = planes_of(groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    layers_.emplace_back(layout, planes[i], sweep_->next_storage(planes[i]), groups[i]);
  }
  const SlabRange& mine = sweep_->slabs();
  for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
    slab_parity_.push_back(static_cast<std::uint8_t>(layout.slab_parity(slab)));
  }
}

void LevelEngine::take_memory(const std::function<bool()>& goes_on) {
  for (Layer& layer : layers_) layer.touch(team_, goes_on);
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

void LevelEngine::find_wanted(const Pass& pass) {
  const SlabRange& mine = sweep_->slabs();
  for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
    unsigned active = 0;
    for (const LevelPlanes& input : pass.inputs) {
      active |= static_cast<unsigned>(input.layer->active(slab) & input.planes);
    }
    wanted_[slab - mine.first] = active != 0 ? 1 : 0;
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
        if (mine.contains(reached)) wanted_[reached - mine.first] = 1;
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
  if (!sweep_->run(crossings_, wanted_, compute_by_thread, progress, pass)) return {};
  std::array<std::uint64_t, 2> sums{};
  for (Thread& thread : threads_) sums[0] += std::exchange(thread.states, 0);
  if (decide) sums[1] = decide();
  const auto refresh = [&] {
    const SlabRange& mine = sweep_->slabs();
    for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
      if (wanted_[slab - mine.first] != 0) pass.output.layer->refresh(slab, pass.output.planes);
      else pass.output.layer->clear(slab, pass.output.planes);
    }
  };
  sweep_->conclude(*pass.output.layer, refresh, sums);
  return Level{sums[0], sums[1]};
}

}  // namespace tessera
