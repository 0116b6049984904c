// SPDX-License-Identifier: MIT
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "census/disk/block_exchange.hpp"
#include "census/disk/segment_store.hpp"
#include "census/kernels/kernels.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {
namespace {

// Loads the blocks that a batch of slabs needs: from segments into the windows of layers, and the
// blocks that crossings bring from outside the batch.
class BatchStage {
 public:
  BatchStage(const RankContext& context, const Sweep::Work& work, SlabRange batch,
             std::vector<std::uint64_t> todo)
      : layout_(context.layout),
        batch_(batch),
        todo_(std::move(todo)),
        replaced_(batch.count),
        reads_(*context.disk.spill) {
    // All slabs of the batch: moves inside the batch also read slabs that are not computed.
    for (std::uint64_t slab = batch.first; slab < batch.end(); ++slab) {
      for (const LevelPlanes& level : work.pass.inputs) {
        level.each_plane([&](int plane) { add(inputs_, *level.layer, slab, plane); });
      }
      if (!work.pass.replaces || !work.wanted.contains(slab)) continue;
      const LevelPlanes& output = work.pass.output;
      output.each_plane(
          [&](int plane) { add(replaced_[slab - batch.first], *output.layer, slab, plane); });
    }
    inside_ = inputs_.size();
    for (const OutsideSlab& outside :
         outside_slabs(layout_, work.crossings.list(), batch, {0, layout_.slabs()})) {
      if (work.wanted.range.contains(outside.slab)) {
        add(inputs_, *outside.layer, outside.slab, outside.plane);
      } else {
        inputs_.push_back({outside, remote_.size(), true});
        remote_.push_back(outside);
      }
    }
  }

  [[nodiscard]] SlabRange batch() const { return batch_; }
  // The slabs of the batch that are computed.
  [[nodiscard]] const std::vector<std::uint64_t>& todo() const { return todo_; }
  // The blocks needed from other ranks.
  [[nodiscard]] const std::vector<OutsideSlab>& remote() const { return remote_; }
  // Starts to read what is not in memory.
  void begin() { reads_.begin(); }
  // Waits for pending reads; `remote` are the blocks listed by remote(). The layers' windows must
  // be at the batch from now on.
  void arrive(RemoteBlocks remote) {
    reads_.wait();
    arrived_ = std::move(remote);
  }

  // Threads decode all inputs in parallel; those from outside the batch go into `outside`, which
  // has outside_words() words.
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t outside_words() const {
    return (inputs_.size() - inside_) * layout_.stride() + 8;
  }
  void decode_input(std::size_t i, std::uint64_t* outside) const {
    if (i < inside_) decode_inside(inputs_[i]);
    else decode(inputs_[i], {outside + (i - inside_) * layout_.stride(), layout_.words()});
  }

  // Decodes the output's previous contents of this slab.
  void decode_replaced(std::uint64_t slab) const {
    for (const Input& input : replaced_[slab - batch_.first]) decode_inside(input);
  }

  // By crossing, the blocks from outside.
  [[nodiscard]] std::vector<OutsideBlocks> outside_blocks(const std::vector<Crossing>& crossings,
                                                          const std::uint64_t* outside) const {
    std::map<std::tuple<const Layer*, int, std::uint64_t>, const std::uint64_t*> slabs;
    for (std::size_t i = inside_; i < inputs_.size(); ++i) {
      const OutsideSlab& from = inputs_[i].from;
      slabs[{from.layer, from.plane, from.slab}] = outside + (i - inside_) * layout_.stride();
    }
    std::vector<OutsideBlocks> blocks(crossings.size());
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      const Crossing& crossing = crossings[i];
      each_crossing_block(layout_, crossing, batch_, {0, layout_.slabs()},
                          [&](std::uint64_t place, const StateLayout::Block& source) {
                            if (batch_.contains(source.slab)) return;
                            outside_place(blocks[i], crossing, batch_.count, place) =
                                slabs.at({crossing.source, crossing.plane, source.slab}) +
                                source.offset;
                          });
    }
    return blocks;
  }

 private:
  struct Input {
    OutsideSlab from;  // inside or outside the batch
    std::size_t read;  // its index among the reads, or among blocks of other ranks
    bool remote;
  };

  void add(std::vector<Input>& inputs, Layer& layer, std::uint64_t slab, int plane) {
    if (!layer.active(slab, plane)) return;
    const std::size_t read = reads_.add(layer.segments()->find(slab, plane));
    inputs.push_back({{&layer, plane, slab}, read, false});
  }

  void decode_inside(const Input& input) const {
    decode(input, input.from.layer->block(input.from.slab, input.from.plane));
  }

  void decode(const Input& input, std::span<std::uint64_t> to) const {
    if (!input.remote) {
      if (!decode_block(reads_.entry(input.read), reads_.bytes(input.read), to)) {
        reads_.damaged(input.read);
      }
      return;
    }
    const RemoteBlocks::Block& block = arrived_.blocks[input.read];
    if (decode_block(block.entry, arrived_.bytes(block), to)) return;
    internal_failure("a block was damaged on its way from rank " + std::to_string(block.rank));
  }

  const StateLayout& layout_;
  SlabRange batch_;
  std::vector<std::uint64_t> todo_;
  std::vector<Input> inputs_;
  std::size_t inside_ = 0;                    // inputs inside the batch, which come first
  std::vector<std::vector<Input>> replaced_;  // by slab of the batch
  std::vector<OutsideSlab> remote_;
  BlockReads reads_;
  RemoteBlocks arrived_;
};

// Layers on disk: batch by batch, the blocks of a batch are unpacked into the windows of the
// layers, computed, and packed. Meanwhile the next batch's blocks are read, and those of other
// ranks' slabs are fetched from their owners.
class DiskSweep final : public Sweep {
 public:
  explicit DiskSweep(const RankContext& context)
      : Sweep(context, false), exchange_blocks_(context, parts_) {}

  [[nodiscard]] Layer::Storage next_storage(int /*planes*/) override {
    return {.range = slabs(), .part = slabs(), .disk = context_.disk, .common = {}};
  }

  bool run(const Work& work) override {
    // Ranks take all steps, even those without slabs to compute and after a stop: others may need
    // their blocks.
    bool go = true;
    const std::size_t steps = exchange_blocks_.steps();
    std::unique_ptr<BatchStage> next;
    if (steps > 0) next = begin_stage(work, 0, go);
    for (std::size_t step = 0; step < steps; ++step) {
      const std::unique_ptr<BatchStage> stage = std::move(next);
      RemoteBlocks remote = exchange_blocks_.finish();
      if (step + 1 < steps) next = begin_stage(work, step + 1, go);
      if (stage != nullptr && go) {
        const auto may_continue = [&] { return work.progress(step, steps); };
        stage->arrive(std::move(remote));
        go = compute_batch(work, *stage, may_continue);
        if (go) store(step, work.pass.output);
      }
      go = go && work.progress(step + 1, steps);
    }
    return go;
  }

  [[nodiscard]] std::uint64_t bytes_sent() const override { return exchange_blocks_.bytes_sent(); }

 private:
  // A slab's encoded blocks, until the batch is complete.
  struct Encoded {
    std::vector<BlockEntry> entries;  // by plane of the group
    std::vector<std::uint8_t> bytes;
  };

  // Null if the batch has no slabs to compute.
  std::unique_ptr<BatchStage> begin_stage(const Work& work, std::size_t step, bool may_continue) {
    SegmentStore& written = *work.pass.output.layer->segments();
    std::unique_ptr<BatchStage> begun;
    if (step < written.batches()) {
      const SlabRange batch = written.batch(step);
      std::vector<std::uint64_t> todo = work.wanted.among(batch);
      if (todo.empty()) written.drop(step, work.pass.output.planes);
      else begun = std::make_unique<BatchStage>(context_, work, batch, std::move(todo));
      if (begun && may_continue) begun->begin();
    }
    exchange_blocks_.start(step, work.crossings.list(),
                           begun ? begun->remote() : std::vector<OutsideSlab>{}, may_continue);
    return begun;
  }

  // False if `may_continue` stopped it: then the batch is not complete.
  bool compute_batch(const Work& work, const BatchStage& stage,
                     const std::function<bool()>& may_continue) {
    const SlabRange batch = stage.batch();
    const LevelPlanes& output = work.pass.output;
    std::atomic<bool> go{true};
    std::uint64_t own = 0;
    const auto meanwhile = [&] {
      exchange_blocks_.progress();
      if ((++own & 7) == 0 && go && !may_continue()) go = false;
    };
    for (const LevelPlanes& input : work.pass.inputs) input.layer->move_window(batch);
    output.layer->move_window(batch);
    if (outside_.size() < stage.outside_words()) outside_.resize(stage.outside_words());
    context_.team.share(
        stage.inputs(),
        [&](std::size_t input, int) {
          if (!go.load(std::memory_order_relaxed)) return;
          stage.decode_input(input, outside_.data());
        },
        meanwhile);
    work.crossings.arrive(batch, batch.first,
                          stage.outside_blocks(work.crossings.list(), outside_.data()));
    encoded_.resize(batch.count);
    for (Encoded& slab : encoded_) slab.entries.clear();
    context_.team.share(
        stage.todo().size(),
        [&](std::size_t item, int thread) {
          if (!go.load(std::memory_order_relaxed)) return;
          const std::uint64_t slab = stage.todo()[item];
          stage.decode_replaced(slab);
          work.compute(slab, thread);
          encode(slab, output, encoded_[slab - batch.first]);
        },
        meanwhile);
    return go;
  }

  static void encode(std::uint64_t slab, const LevelPlanes& output, Encoded& to) {
    to.bytes.clear();
    output.each_plane([&](int plane) {
      BlockEntry& entry = to.entries.emplace_back();
      if (output.layer->count_set(slab, plane) == 0) return;
      const std::span<const std::uint64_t> words = output.layer->block(slab, plane);
      // Collections of metric multi have no counts.
      entry = append_block(words, slab_kernels().count(words.data(), words.size()), to.bytes);
    });
  }

  // By plane, then by slab, as in segments.
  void store(std::size_t batch, const LevelPlanes& output) {
    const std::size_t slabs = encoded_.size();
    const auto planes = static_cast<std::size_t>(std::popcount(output.planes));
    std::vector<BlockEntry> entries(planes * slabs);
    std::size_t size = 0;
    for (const Encoded& slab : encoded_) size += slab.entries.empty() ? 0 : slab.bytes.size();
    Bytes data;
    data.reserve(size);
    std::vector<std::size_t> taken(slabs);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t slab = 0; slab < slabs; ++slab) {
        if (encoded_[slab].entries.empty()) continue;
        const BlockEntry& entry = encoded_[slab].entries[plane];
        entries[plane * slabs + slab] = entry;
        const std::uint8_t* const from = encoded_[slab].bytes.data() + taken[slab];
        data.insert(data.end(), from, from + entry.length());
        taken[slab] += entry.length();
      }
    }
    output.layer->segments()->replace(batch, output.planes, std::move(entries), std::move(data));
  }

  BlockExchange exchange_blocks_;
  std::vector<std::uint64_t> outside_;  // blocks of slabs outside the batch
  std::vector<Encoded> encoded_;        // by slab of the batch
};

}  // namespace

std::unique_ptr<Sweep> make_disk_sweep(const RankContext& context) {
  return std::make_unique<DiskSweep>(context);
}

}  // namespace tessera
