// SPDX-License-Identifier: MIT
#include "census/ranks/memory_sweep.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "census/levels/sweep.hpp"
#include "census/ranks/halo.hpp"

namespace tessera {
namespace {

// Layers in memory. Ranks either share all of it, and then take slabs as threads do, or each holds
// its own slabs and exchanges a halo, or there is only one rank.
class MemorySweep final : public Sweep {
 public:
  // `common`: shared memory of all ranks for counters and layers; empty: not shared.
  MemorySweep(const RankContext& context, std::span<std::uint8_t> common)
      : Sweep(context, !common.empty()), common_(common) {
    const int ranks = context.ranks.size();
    if (!common.empty()) {
      items_.emplace(context.ranks, common);
      common_ = common.subspan(whole_pages(CommonItems::bytes(ranks)));
    } else if (ranks > 1) {
      halo_.emplace(context.layout, parts_, context.ranks);
    }
  }

  [[nodiscard]] Layer::Storage next_storage(int planes) override {
    Layer::Storage storage{.range = slabs(), .part = own_part(), .disk = {}, .common = {}};
    if (items_) {
      const std::size_t bytes = Layer::shared_bytes(context_.layout, planes);
      storage.common = common_.first(bytes);
      common_ = common_.subspan(bytes);
    }
    return storage;
  }

  bool run(const Work& work) override {
    Crossings& crossings = work.crossings;
    const std::size_t chunks = halo_ ? halo_->chunks() : 1;
    std::atomic<bool> go{true};
    std::uint64_t done = 0;
    const auto report = [&](std::uint64_t more) {
      if (go && !work.progress(done + more, slabs().count)) go = false;
    };
    if (halo_) halo_->start(0, crossings.list(), go);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      if (chunk + 1 < chunks) halo_->start(chunk + 1, crossings.list(), go);
      const SlabRange part = halo_ ? halo_->slabs_of(chunk) : slabs();
      crossings.arrive(slabs(), part.first,
                       halo_ ? halo_->finish(chunk) : std::vector<OutsideBlocks>{});
      const std::vector<std::uint64_t> todo = work.wanted.among(part);
      const auto compute = [&](std::size_t i, int thread) {
        if (go.load(std::memory_order_relaxed)) work.compute(todo[i], thread);
      };
      // The threads on the items, assumed to be equally fast.
      const int alike = context_.team.threads() * (items_ ? context_.ranks.size() : 1);
      std::uint64_t own = 0;
      const auto meanwhile = [&] {
        if (halo_) halo_->progress();
        if ((++own & 7) != 0) return;
        const std::uint64_t here =
            std::min<std::uint64_t>(todo.size(), own * static_cast<std::uint64_t>(alike));
        report(here * part.count / todo.size());
      };
      std::function<std::size_t()> next;  // as within a team, but over all ranks
      if (items_) {
        items_->begin(todo.size());
        next = [&] { return items_->next(); };
      }
      context_.team.share(todo.size(), compute, meanwhile, next);
      done += part.count;
      report(0);
    }
    return go;
  }

  void conclude(Layer& layer, const std::function<void()>& refresh,
                std::span<std::uint64_t> values) override {
    if (!items_) return Sweep::conclude(layer, refresh, values);
    // Other ranks set counts in shared memory; until the next sum they set those of other planes.
    context_.ranks.sum(values);
    refresh();
  }

  void share_active(Layer& layer) override {
    if (!items_) return Sweep::share_active(layer);
    std::array<std::uint64_t, 1> nothing{};
    context_.ranks.sum(nothing);
    for (std::uint64_t slab = 0; slab < context_.layout.slabs(); ++slab) {
      layer.refresh(slab, (1U << layer.planes()) - 1);
    }
    context_.ranks.sum(nothing);  // before any rank sets counts of the next level
  }

  [[nodiscard]] std::uint64_t bytes_sent() const override {
    return halo_ ? halo_->bytes_sent() : 0;
  }

 private:
  std::span<std::uint8_t> common_;  // not yet assigned to a layer
  std::optional<CommonItems> items_;
  std::optional<Halo> halo_;
};

}  // namespace

std::unique_ptr<Sweep> make_memory_sweep(const RankContext& context,
                                         const std::vector<LayerPlan>& plans) {
  std::span<std::uint8_t> common;
  if (const int ranks = context.ranks.size(); ranks > 1) {
    std::size_t bytes = whole_pages(CommonItems::bytes(ranks));
    for (const LayerPlan& plan : plans) bytes += Layer::shared_bytes(context.layout, plan.planes);
    common = context.ranks.common(bytes);
  }
  return std::make_unique<MemorySweep>(context, common);
}

}  // namespace tessera
