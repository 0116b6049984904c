// SPDX-License-Identifier: MIT
#include "census/batch_stage.hpp"

#include <algorithm>
#include <unordered_map>

#include "census/block_file.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

// Bytes between two blocks that are read along rather than asked for twice.
constexpr std::uint64_t gap_bytes = 8 << 10;

}  // namespace

BatchStage::BatchStage(const TileLayout& layout, Spill& spill, const Pass& pass,
                       const std::vector<Pull>& pulls, TileRange batch,
                       const std::vector<std::uint8_t>& wanted, std::uint64_t range_first)
    : layout_(layout), spill_(spill), stride_(layout.stride()), batch_(batch) {
  const auto planes = [](const LevelPlanes& level, const auto& each) {
    for (int plane = 0; plane < level.layer->planes(); ++plane) {
      if ((level.planes >> plane & 1) != 0) each(plane);
    }
  };
  // All tiles of the batch: moves inside the batch look at those that are not computed, too.
  for (std::uint64_t tile = batch.first; tile < batch.first + batch.count; ++tile) {
    for (const LevelPlanes& level : pass.inputs) {
      planes(level, [&](int plane) { (void)add(inputs_, *level.layer, tile, plane); });
    }
    replaced_first_.push_back(replaced_.size());
    if (pass.replaces && wanted[tile - range_first] != 0) {
      planes(pass.output,
             [&](int plane) { (void)add(replaced_, *pass.output.layer, tile, plane); });
    }
  }
  replaced_first_.push_back(replaced_.size());
  list_far(pulls, wanted, range_first);
  read_missing();
}

bool BatchStage::add(std::vector<Job>& jobs, Layer& layer, std::uint64_t tile, int plane) const {
  if (!layer.active(tile, plane)) return false;
  Job& job = jobs.emplace_back();
  job.block = layer.segments()->find(tile, plane);
  job.layer = &layer;
  job.tile = tile;
  job.plane = plane;
  return true;
}

void BatchStage::list_far(const std::vector<Pull>& pulls, const std::vector<std::uint8_t>& wanted,
                          std::uint64_t range_first) {
  far_.resize(pulls.size());
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    const Pull& pull = pulls[i];
    FarList& list = far_[i];
    std::unordered_map<std::uint64_t, std::size_t> slots;
    for (std::uint64_t tile = batch_.first; tile < batch_.first + batch_.count; ++tile) {
      list.first.push_back(static_cast<std::uint32_t>(list.places.size()));
      if (wanted[tile - range_first] == 0) continue;
      for (std::uint32_t block = 0; block < pull.window->blocks; ++block) {
        const TileLayout::Block from = layout_.source_block(*pull.window, tile, block);
        if (batch_.contains(from.tile)) continue;
        auto [slot, fresh] = slots.try_emplace(from.tile, far_slots_);
        if (fresh) {
          if (add(inputs_, *pull.source, from.tile, pull.plane)) {
            inputs_.back().layer = nullptr;
            inputs_.back().slot = far_slots_++;
          } else {
            slot->second = ~std::size_t{0};
          }
        }
        const bool empty = slot->second == ~std::size_t{0};
        list.places.push_back({empty, empty ? 0 : slot->second, from.offset});
      }
    }
  }
}

void BatchStage::read_missing() {
  std::vector<Job*> missing;
  for (std::vector<Job>* jobs : {&inputs_, &replaced_}) {
    for (Job& job : *jobs) {
      const Segment* const segment = job.block.segment;
      if (segment == nullptr) continue;
      job.offset = segment->starts[job.block.index];
      job.memory = spill_.in_memory(*segment);
      if (!job.memory && segment->entries[job.block.index].length() != 0) missing.push_back(&job);
    }
  }
  std::sort(missing.begin(), missing.end(), [](const Job* a, const Job* b) {
    return a->block.segment != b->block.segment
               ? a->block.segment->file->path() < b->block.segment->file->path()
               : a->offset < b->offset;
  });
  std::vector<Spill::Part> parts;
  for (std::size_t i = 0; i < missing.size();) {
    const Segment* const segment = missing[i]->block.segment;
    const std::uint64_t begin = missing[i]->offset;
    std::uint64_t end = begin;
    for (; i < missing.size() && missing[i]->block.segment == segment &&
           missing[i]->offset <= end + gap_bytes;
         ++i) {
      end = std::max(end, missing[i]->offset + segment->entries[missing[i]->block.index].length());
      missing[i]->part = parts.size();
      missing[i]->offset -= begin;
    }
    parts.push_back(
        {segment->file, block_data_offset(segment->entries.size()) + begin, Bytes(end - begin)});
  }
  if (parts.empty()) return;
  reading_ = std::make_shared<Spill::Reading>(std::move(parts));
  spill_.read(reading_);
}

void BatchStage::arrive() {
  if (reading_) spill_.wait(*reading_);
}

void BatchStage::decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const {
  const std::span<std::uint64_t> to{words, layout_.words()};
  const Segment* const segment = job.block.segment;
  if (segment == nullptr || segment->entries[job.block.index].length() == 0) {
    std::fill(to.begin(), to.end(), 0);
    return;
  }
  const BlockEntry& entry = segment->entries[job.block.index];
  const Bytes& bytes = job.memory ? *job.memory : reading_->parts[job.part].bytes;
  if (codec.decode(entry, bytes.span().subspan(job.offset, entry.length()), to)) return;
  if (job.memory) throw Error(ErrorKind::internal, "a block in memory is damaged");
  throw Error(ErrorKind::corrupt, segment->file->path().string() + ": is damaged");
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
