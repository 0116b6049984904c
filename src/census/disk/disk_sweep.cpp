// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "census/disk/batch_stage.hpp"
#include "census/disk/block_exchange.hpp"
#include "census/kernels/kernels.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {
namespace {

// Layers on disk: batch by batch, the blocks of a batch are unpacked into the windows of the
// layers, computed, and packed. While one batch is computed, the next one's blocks are read, and
// those of other ranks' slabs come from their owners.
class DiskSweep final : public Sweep {
 public:
  DiskSweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk)
      : Sweep(layout, exchange, team, false),
        disk_(disk),
        exchange_blocks_(layout, exchange, parts_, disk.batch_slabs, *disk.spill),
        codecs_(static_cast<std::size_t>(team.threads())) {}

  [[nodiscard]] Layer::Storage next_storage(int /*planes*/) override {
    return {.range = slabs(), .part = slabs(), .disk = disk_, .common = {}};
  }

  bool run(Crossings& crossings, const std::vector<std::uint8_t>& wanted, const Compute& compute,
           const Progress& progress, const Pass& pass) override {
    const Work work{crossings, wanted, compute, pass};
    SegmentStore& written = *pass.output.layer->segments();
    const std::size_t group = written.group_of(pass.output.planes);
    std::vector<std::size_t> batches;
    for (std::size_t index = 0; index < written.batches(); ++index) {
      const SlabRange batch = written.batch(index);
      const auto* const begin = wanted.data() + (batch.first - slabs().first);
      if (std::any_of(begin, begin + batch.count, [](std::uint8_t slab) { return slab != 0; })) {
        batches.push_back(index);
      } else {
        written.drop(index, group);
      }
    }
    // Ranks go step by step, whether they have anything to compute or not: others may need their
    // blocks. One rank alone passes over what is empty.
    const bool alone = exchange_.ranks() == 1;
    const std::size_t steps = alone ? batches.size() : exchange_blocks_.steps();
    const auto batch_of_step = [&](std::size_t step) -> std::optional<std::size_t> {
      if (alone) return batches[step];
      const bool computes = std::binary_search(batches.begin(), batches.end(), step);
      return computes ? std::optional(step) : std::nullopt;
    };
    const auto begin_stage = [&](std::size_t step) -> std::unique_ptr<BatchStage> {
      const auto index = batch_of_step(step);
      std::unique_ptr<BatchStage> begun;
      if (index) {
        begun = std::make_unique<BatchStage>(layout_, *disk_.spill, pass, crossings.list(),
                                             written.batch(*index), wanted, slabs());
      }
      exchange_blocks_.start(step, crossings.list(),
                             begun ? begun->remote() : std::vector<OutsideSlab>{});
      return begun;
    };
    std::unique_ptr<BatchStage> next;
    if (steps > 0) next = begin_stage(0);
    for (std::size_t step = 0; step < steps; ++step) {
      const std::unique_ptr<BatchStage> stage = std::move(next);
      std::shared_ptr<const RemoteBlocks> remote = exchange_blocks_.finish();
      if (step + 1 < steps) next = begin_stage(step + 1);
      if (stage != nullptr) {
        const auto goes_on = [&] { return !progress || progress(step, steps); };
        if (!compute_batch(work, *stage, std::move(remote), goes_on)) return false;
        store(*batch_of_step(step), pass.output);
      }
      if (progress && !progress(step + 1, steps)) return false;
    }
    return true;
  }

  [[nodiscard]] std::uint64_t bytes_sent() const override { return exchange_blocks_.bytes_sent(); }

 private:
  // A slab's blocks until the batch is whole.
  struct Encoded {
    std::vector<BlockEntry> entries;  // by plane of the group
    std::vector<std::uint8_t> bytes;
  };
  // What stays the same from batch to batch.
  struct Work {
    Crossings& crossings;
    const std::vector<std::uint8_t>& wanted;
    const Compute& compute;
    const Pass& pass;
  };
  // False where `goes_on` ended it: then the batch is not whole.
  bool compute_batch(const Work& work, BatchStage& stage,
                     std::shared_ptr<const RemoteBlocks> remote,
                     const std::function<bool()>& goes_on) {
    const SlabRange batch = stage.batch();
    const LevelPlanes& output = work.pass.output;
    std::atomic<bool> go{true};
    std::uint64_t own = 0;
    const auto meanwhile = [&] {
      exchange_blocks_.progress();
      if ((++own & 7) == 0 && go && !goes_on()) go = false;
    };
    stage.arrive(std::move(remote));
    for (const LevelPlanes& input : work.pass.inputs) input.layer->move_window(batch);
    output.layer->move_window(batch);
    if (outside_.size() < stage.outside_words()) outside_.resize(stage.outside_words());
    team_.share(
        stage.inputs(),
        [&](std::size_t input, int thread) {
          if (!go.load(std::memory_order_relaxed)) return;
          stage.decode_input(input, codecs_[static_cast<std::size_t>(thread)], outside_.data());
        },
        meanwhile);
    work.crossings.arrive(batch, batch.first, stage.outside_blocks(outside_.data()));
    std::vector<std::uint64_t> todo;
    for (std::uint64_t slab = batch.first; slab < batch.end(); ++slab) {
      if (work.wanted[slab - slabs().first] != 0) todo.push_back(slab);
    }
    encoded_.resize(batch.count);
    for (Encoded& slab : encoded_) slab.entries.clear();
    team_.share(
        todo.size(),
        [&](std::size_t item, int thread) {
          if (!go.load(std::memory_order_relaxed)) return;
          BlockCodec& codec = codecs_[static_cast<std::size_t>(thread)];
          const std::uint64_t slab = todo[item];
          stage.decode_replaced(slab, codec);
          output.each_plane([&](int plane) { output.layer->set_count(slab, plane, 0); });
          work.compute(slab, thread);
          encode(slab, output, codec, encoded_[slab - batch.first]);
        },
        meanwhile);
    return go;
  }

  void encode(std::uint64_t slab, const LevelPlanes& output, BlockCodec& codec, Encoded& to) const {
    to.bytes.clear();
    output.each_plane([&](int plane) {
      BlockEntry& entry = to.entries.emplace_back();
      if (output.layer->count_set(slab, plane) == 0) return;
      const std::span<const std::uint64_t> words{output.layer->words(slab, plane), layout_.words()};
      // Collections of metric multi are not counted.
      entry = codec.append(words, slab_kernels().count(words.data(), words.size()), to.bytes);
    });
  }

  // By plane, then by slab, as segments have them.
  void store(std::size_t batch, const LevelPlanes& output) {
    SegmentStore& segments = *output.layer->segments();
    const std::size_t slabs = encoded_.size();
    const auto planes = static_cast<std::size_t>(std::popcount(output.planes));
    std::vector<BlockEntry> entries(planes * slabs);
    std::size_t size = 0;
    for (const Encoded& slab : encoded_) {
      for (const BlockEntry& entry : slab.entries) size += entry.length();
    }
    Bytes data(size);
    std::vector<std::size_t> taken(slabs);
    std::uint8_t* to = data.data.get();
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t slab = 0; slab < slabs; ++slab) {
        if (encoded_[slab].entries.empty()) continue;
        const BlockEntry& entry = encoded_[slab].entries[plane];
        entries[plane * slabs + slab] = entry;
        to = std::copy_n(encoded_[slab].bytes.data() + taken[slab], entry.length(), to);
        taken[slab] += entry.length();
      }
    }
    segments.replace(batch, segments.group_of(output.planes), std::move(entries), std::move(data));
  }

  DiskMode disk_;
  BlockExchange exchange_blocks_;
  std::vector<BlockCodec> codecs_;      // by thread
  std::vector<std::uint64_t> outside_;  // blocks of slabs outside the batch
  std::vector<Encoded> encoded_;        // by slab of the batch
};

}  // namespace

std::unique_ptr<Sweep> make_disk_sweep(const StateLayout& layout, Exchange& exchange,
                                       ThreadTeam& team, const DiskMode& disk) {
  return std::make_unique<DiskSweep>(layout, exchange, team, disk);
}

}  // namespace tessera
