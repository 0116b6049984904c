// SPDX-License-Identifier: MIT
#include "heuristic/batch_look_up.hpp"

#include <algorithm>

#include "base/machine.hpp"
#include "pdb/placement_index.hpp"

namespace tessera {

BatchLookUp::Numbering::Numbering(int cells, int tiles) {
  const PlacementIndex index(cells, tiles);
  const std::size_t missing = most_tiles - static_cast<std::size_t>(tiles);
  const auto weight = [&](std::size_t place) -> std::uint32_t {
    if (place < missing) return 0;
    return static_cast<std::uint32_t>(index.weight(static_cast<int>(place - missing)));
  };
  // weight(place) of the last tile of each pair of adjacent places; 1 if the pair has no tiles.
  const auto unit = [&](std::size_t place) { return std::max(weight(place), std::uint32_t{1}); };
  for (std::size_t place = 0; place < most_tiles; ++place) {
    radix[place] = static_cast<std::uint8_t>(weight(place) / unit(place | 1));
  }
  factors[0] = static_cast<std::int16_t>(unit(1) / unit(3));
  factors[1] = 1;
  factors[2] = 1;
  last_factor = unit(3);
  later.fill(0x80);
  earlier.fill(0x80);
  std::size_t pair = 0;
  for (std::size_t second = missing + 1; second < most_tiles; ++second) {
    for (std::size_t first = missing; first < second; ++first, ++pair) {
      later[pair] = static_cast<std::uint8_t>(second);
      earlier[pair] = static_cast<std::uint8_t>(first);
      for (std::size_t outcome = 0; outcome < low.size(); ++outcome) {
        if (pair < 8 && (outcome >> pair & 1) != 0) low[outcome] += weight(second);
      }
      for (std::size_t outcome = 0; outcome < high.size(); ++outcome) {
        if (pair >= 8 && (outcome >> (pair - 8) & 1) != 0) high[outcome] += weight(second);
      }
    }
  }
}

BatchLookUp::BatchLookUp(const std::vector<AwareSlot>& slots, int cells, bool vectors)
    : plain_(slots), regions_(slots.empty() ? Regions({2, 2}) : slots.front().regions_) {
  const auto few_tiles = [](const AwareSlot& slot) {
    return slot.tiles_ <= static_cast<int>(most_tiles);
  };
  vectors_ =
      vectors && vector_support().avx2 && cells <= 32 && std::ranges::all_of(slots, few_tiles);
  if (!vectors_) return;
  for (int tiles = 1; tiles <= std::min(static_cast<int>(most_tiles), cells - 1); ++tiles) {
    numberings_.emplace_back(cells, tiles);
  }
  for (const AwareSlot& plain : slots) {
    Slot& slot = slots_.emplace_back();
    const auto tiles = static_cast<std::size_t>(plain.tiles_);
    slot.from_low.fill(0x80);
    slot.from_high.fill(0x80);
    for (std::size_t i = 0; i < tiles; ++i) {
      const std::uint8_t label = plain.labels_[i];
      Bytes& from = label < 16 ? slot.from_low : slot.from_high;
      from[most_tiles - tiles + i] = label & 15;
    }
    std::copy_n(plain.image_.begin(), 16, slot.image_low.begin());
    std::copy_n(plain.image_.begin() + 16, 16, slot.image_high.begin());
    slot.numbering = &numberings_[tiles - 1];
  }
}

void BatchLookUp::locate_one_by_one(const Boards& boards, std::span<LookUp> look_ups) const {
  for (LookUp& look_up : look_ups) {
    const AwareSlot& slot = plain_[look_up.slot];
    const AwareSlot::Placement placement =
        slot.placement(boards.cells + look_up.board * boards.stride);
    look_up.index = placement.index;
    slot.prefetch(placement);
  }
}

void BatchLookUp::read(const Boards& boards, std::span<const LookUp> look_ups) const {
  std::array<LookUp, 64> mixed;  // those that differ by region
  while (!look_ups.empty()) {
    const auto some = look_ups.first(std::min(look_ups.size(), mixed.size()));
    std::size_t count = 0;
    for (const LookUp& look_up : some) {
      const std::uint8_t code = plain_[look_up.slot].codes_[look_up.index];
      boards.excess[look_up.board * boards.stride + look_up.slot] = code;
      mixed[count] = look_up;
      count += code >= AwareTable::first_tuple ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; i += lanes) {
      resolve(boards, std::span(mixed).subspan(i, std::min(lanes, count - i)));
    }
    look_ups = look_ups.subspan(some.size());
  }
}

void BatchLookUp::resolve(const Boards& boards, std::span<const LookUp> look_ups) const {
  if (!vectors_) {
    for (const LookUp& look_up : look_ups) {
      const std::uint8_t* const cells = boards.cells + look_up.board * boards.stride;
      const AwareSlot& slot = plain_[look_up.slot];
      boards.excess[look_up.board * boards.stride + look_up.slot] =
          static_cast<std::uint8_t>(slot.excess(slot.placement(cells), cells[0]));
    }
    return;
  }
  Lanes batch;
  for (std::size_t i = 0; i < look_ups.size(); ++i) {
    const std::uint8_t* const cells = boards.cells + look_ups[i].board * boards.stride;
    const AwareSlot& slot = plain_[look_ups[i].slot];
    batch.open[i] = static_cast<std::uint32_t>(regions_.all() & ~slot.occupied(cells));
    batch.blank[i] = std::uint32_t{1} << slot.image_[cells[0]];
  }
  number_regions(batch);
  for (std::size_t i = 0; i < look_ups.size(); ++i) {
    const AwareSlot& slot = plain_[look_ups[i].slot];
    std::uint8_t& excess = boards.excess[look_ups[i].board * boards.stride + look_ups[i].slot];
    excess = static_cast<std::uint8_t>(slot.excess_in(excess, static_cast<int>(batch.region[i])));
  }
}

}  // namespace tessera
