// SPDX-License-Identifier: MIT
#include "census/disk/batch_stage.hpp"

#include <algorithm>
#include <unordered_map>

#include "tessera/base/error.hpp"

namespace tessera {

BatchStage::BatchStage(const TileLayout& layout, Spill& spill, const Pass& pass,
                       const std::vector<Pull>& pulls, TileRange batch,
                       const std::vector<std::uint8_t>& wanted, TileRange mine)
    : layout_(layout), stride_(layout.stride()), batch_(batch), reads_(spill) {
  const auto planes = [](const LevelPlanes& level, const auto& each) {
    for (int plane = 0; plane < level.layer->planes(); ++plane) {
      if ((level.planes >> plane & 1) != 0) each(plane);
    }
  };
  // All tiles of the batch: moves inside the batch look at those that are not computed, too.
  for (std::uint64_t tile = batch.first; tile < batch.first + batch.count; ++tile) {
    for (const LevelPlanes& level : pass.inputs) {
      planes(level, [&](int plane) { add(inputs_, *level.layer, tile, plane); });
    }
    replaced_first_.push_back(replaced_.size());
    if (pass.replaces && wanted[tile - mine.first] != 0) {
      planes(pass.output, [&](int plane) { add(replaced_, *pass.output.layer, tile, plane); });
    }
  }
  replaced_first_.push_back(replaced_.size());
  for (const FarTile& far : far_tiles(layout, pulls, batch, {0, layout.tiles()})) {
    far_slots_.push_back(far);
    const std::size_t slot = far_slots_.size() - 1;
    if (mine.contains(far.tile)) {
      add(inputs_, *far.layer, far.tile, far.plane);
    } else {
      Job& job = inputs_.emplace_back();
      job.remote = true;
      job.read = remote_.size();
      remote_.push_back(far);
    }
    inputs_.back().layer = nullptr;
    inputs_.back().slot = slot;
  }
  place_far(pulls, wanted, mine.first);
  reads_.begin();
}

void BatchStage::add(std::vector<Job>& jobs, Layer& layer, std::uint64_t tile, int plane) {
  if (!layer.active(tile, plane)) return;
  Job& job = jobs.emplace_back();
  job.read = reads_.add(layer.segments()->find(tile, plane));
  job.layer = &layer;
  job.tile = tile;
  job.plane = plane;
}

void BatchStage::place_far(const std::vector<Pull>& pulls, const std::vector<std::uint8_t>& wanted,
                           std::uint64_t range_first) {
  for (const Pull& pull : pulls) {
    std::unordered_map<std::uint64_t, std::size_t> slots;
    for (std::size_t slot = 0; slot < far_slots_.size(); ++slot) {
      const FarTile& far = far_slots_[slot];
      if (far.layer == pull.source && far.plane == pull.plane) slots.emplace(far.tile, slot);
    }
    FarList& list = far_.emplace_back();
    for (std::uint64_t tile = batch_.first; tile < batch_.first + batch_.count; ++tile) {
      list.first.push_back(static_cast<std::uint32_t>(list.places.size()));
      if (wanted[tile - range_first] == 0) continue;
      for (std::uint32_t block = 0; block < pull.window->blocks; ++block) {
        const TileLayout::Block from = layout_.source_block(*pull.window, tile, block);
        if (batch_.contains(from.tile)) continue;
        const auto slot = slots.find(from.tile);
        const bool empty = slot == slots.end();
        list.places.push_back({empty, empty ? 0 : slot->second, from.offset});
      }
    }
  }
}

void BatchStage::arrive(std::shared_ptr<const FarArrival> remote) {
  reads_.wait();
  arrival_ = std::move(remote);
}

void BatchStage::decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const {
  const std::span<std::uint64_t> to{words, layout_.words()};
  BlockEntry entry;
  std::span<const std::uint8_t> bytes;
  if (job.remote) {
    const FarArrival::Block& block = arrival_->blocks[job.read];
    entry = block.entry;
    bytes = arrival_->bytes(block);
  } else {
    entry = reads_.entry(job.read);
    bytes = reads_.bytes(job.read);
  }
  if (bytes.empty()) {
    std::fill(to.begin(), to.end(), 0);
    return;
  }
  if (codec.decode(entry, bytes, to)) return;
  if (job.remote) {
    throw Error(ErrorKind::internal, "a block was damaged on its way from rank " +
                                         std::to_string(arrival_->blocks[job.read].rank));
  }
  reads_.damaged(job.read);
}

void BatchStage::decode_input(std::size_t i, BlockCodec& codec, std::uint64_t* far) const {
  const Job& job = inputs_[i];
  decode(job,
         job.layer != nullptr ? job.layer->words(job.tile, job.plane) : far + job.slot * stride_,
         codec);
}

void BatchStage::decode_replaced(std::uint64_t tile, BlockCodec& codec) const {
  const std::size_t local = tile - batch_.first;
  for (std::size_t i = replaced_first_[local]; i < replaced_first_[local + 1]; ++i) {
    decode(replaced_[i], replaced_[i].layer->words(tile, replaced_[i].plane), codec);
  }
}

std::vector<FarBlocks> BatchStage::far_blocks(const std::uint64_t* far) const {
  std::vector<FarBlocks> blocks;
  for (const FarList& list : far_) {
    FarBlocks& pull = blocks.emplace_back();
    pull.first = list.first;
    for (const FarPlace& place : list.places) {
      pull.words.push_back(place.empty ? nullptr : far + place.slot * stride_ + place.offset);
    }
  }
  return blocks;
}

}  // namespace tessera
