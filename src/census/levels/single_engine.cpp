// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "census/levels/level_engine.hpp"

namespace tessera {
namespace {

std::uint16_t cells_of_colour(Size size, int colour) {
  unsigned cells = 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (((size.row(cell) + size.column(cell)) & 1) == colour) cells |= 1U << cell;
  }
  return static_cast<std::uint16_t>(cells);
}

/// Metric single. The blank changes the colour of its cell with every move, so the frontier lies in
/// the planes of one colour, the one before it in those of the other, where the next replaces it in
/// place: one layer, one bit a state, and what is read is not written all level.
class SingleEngine final : public LevelEngine {
 public:
  SingleEngine(const TileLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk)
      : LevelEngine(layout, exchange, team, disk, {layout.cells()}),
        layer_(layout, layout.cells(), place_of_layer(layout.cells()),
               {cells_of_colour(layout.size(), 0), cells_of_colour(layout.size(), 1)}),
        colour_{cells_of_colour(layout.size(), 0), cells_of_colour(layout.size(), 1)},
        wanted_planes_(halo_.mine().count),
        wanted_(halo_.mine().count) {
    const Size size = layout.size();
    for (int cell = 0; cell < size.cells(); ++cell) {
      const auto bit = static_cast<std::uint16_t>(1U << cell);
      if (size.column(cell) > 0) not_first_ |= bit;
      if (size.column(cell) + 1 < size.width) not_last_ |= bit;
      if (size.row(cell) + 1 < size.height && !layout.window(cell, true).leaves_tile) {
        inner_up_ |= bit;
        inner_down_ |= static_cast<std::uint16_t>(bit << size.width);
      }
    }
    if (disk.spill == nullptr) halo_.show({&layer_});
    set_goal();
  }

  void take_memory(const std::function<bool()>& goes_on) override { layer_.touch(team_, goes_on); }
  [[nodiscard]] LevelPlanes current() override { return {&layer_, colour_[now_]}; }
  [[nodiscard]] LevelPlanes previous() override { return {&layer_, colour_[1 - now_]}; }
  void place(int current_cell) override { now_ = (colour_[0] >> current_cell & 1) != 0 ? 0 : 1; }
  void restored() override { share_active(layer_); }

  std::optional<Level> advance(const Tick& tick, const Word& word) override {
    plan();
    const bool whole =
        each_tile(wanted_, [this](std::uint64_t tile, Thread& thread) { compute(tile, thread); },
                  tick, {{current()}, previous(), true});
    if (!whole) return {};
    const auto refresh = [this] {
      const TileRange& mine = halo_.mine();
      for (std::uint64_t local = 0; local < mine.count; ++local) {
        if (wanted_[local] != 0) layer_.refresh(mine.first + local, wanted_planes_[local]);
      }
    };
    const Level level = conclude(layer_, refresh, word);
    if (level.states > 0) now_ = 1 - now_;
    return level;
  }

 private:
  // Which planes of which tiles can get anything: all others are only said to be empty.
  void plan() {
    const TileRange& mine = halo_.mine();
    const int width = layout_.size().width;
    const auto bits = [](unsigned value) { return static_cast<std::uint16_t>(value); };
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      std::uint16_t& active = layer_.active()[mine.first + local];
      const unsigned from = active & colour_[now_];
      wanted_planes_[local] =
          from == 0 ? bits(0)
                    : bits((((from << 1) & not_first_) | ((from >> 1) & not_last_) |
                            ((from << width) & inner_down_) | ((from >> width) & inner_up_)));
    }
    std::vector<Pull> pulls;
    leaving_.clear();
    for (int cell = 0; cell < layout_.cells(); ++cell) {
      if ((colour_[now_] >> cell & 1) != 0) continue;
      std::array<int, 2> indices{-1, -1};
      for (const bool up : {false, true}) {
        const int source = up ? cell + width : cell - width;
        if (source < 0 || source >= layout_.cells()) continue;
        const Window& window = layout_.window(std::min(cell, source), up);
        if (!window.leaves_tile) continue;
        indices[up ? 1 : 0] = static_cast<int>(pulls.size());
        pulls.push_back({&window, &layer_, source});
        each_reached(pulls.back(), [&](std::uint64_t tile) {
          wanted_planes_[tile - mine.first] |= bits(1U << cell);
        });
      }
      leaving_.push_back(indices);
    }
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      std::uint16_t& active = layer_.active()[mine.first + local];
      active = bits(active & (colour_[now_] | wanted_planes_[local]));
      wanted_[local] = wanted_planes_[local] != 0 ? 1 : 0;
    }
    halo_.begin(std::move(pulls));
  }

  void compute(std::uint64_t tile, Thread& thread) {
    const TileRange& mine = halo_.mine();
    const unsigned planes = wanted_planes_[tile - mine.first];
    std::size_t index = 0;
    for (int cell = 0; cell < layout_.cells(); ++cell) {
      if ((colour_[now_] >> cell & 1) != 0) continue;
      const auto& leaving = leaving_[index++];
      if ((planes >> cell & 1) != 0) compute(tile, cell, leaving, thread);
    }
  }

  void compute(std::uint64_t tile, int cell, const std::array<int, 2>& leaving, Thread& thread) {
    const Size size = layout_.size();
    // Tiles that come as they are: beside the blank, and from windows that move whole tiles.
    std::array<const std::uint64_t*, 4> whole{};
    std::size_t wholes = 0;
    Scratch& found = thread.a;
    found.clear();
    const auto beside = [&](int source) {
      if (layer_.active(tile, source)) whole[wholes++] = layer_.words(tile, source);
    };
    if (size.column(cell) > 0) beside(cell - 1);
    if (size.column(cell) + 1 < size.width) beside(cell + 1);
    for (const bool up : {false, true}) {
      const int source = up ? cell + size.width : cell - size.width;
      if (source < 0 || source >= size.cells()) continue;
      if (const int pull = leaving[up ? 1 : 0]; pull >= 0) {
        halo_.blocks(static_cast<std::size_t>(pull), tile,
                     [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
                       if (layout_.is_tile(length)) whole[wholes++] = words;
                       else kernels_.unite(found.opened() + offset, words, length);
                     });
      } else if (const std::uint32_t count = layer_.count(tile, source); count != 0) {
        const int odd = layout_.plane_parity(source) ^ tile_parity_[tile - halo_.mine().first];
        thread.work.move(layout_.window(std::min(cell, source), up), layer_.words(tile, source),
                         count, odd, found);
      }
    }
    while (wholes > 2) found.unite(kernels_, whole[--wholes]);
    const std::uint64_t* base = found.data();
    if (found.empty()) {
      if (wholes == 0) {
        layer_.set_count(tile, cell, 0);
        return;
      }
      base = whole[--wholes];
    }
    std::uint64_t* const place = layer_.words(tile, cell);
    const std::uint64_t count = kernels_.settle(
        base, wholes > 0 ? whole[0] : nullptr, wholes > 1 ? whole[1] : nullptr, nullptr,
        layer_.active(tile, cell) ? place : nullptr, place, layout_.stride());
    layer_.set_count(tile, cell, static_cast<std::uint32_t>(count));
    thread.states += count;
  }

  Layer layer_;
  std::array<std::uint16_t, 2> colour_;
  std::size_t now_ = 0;
  std::uint16_t not_first_ = 0;  // cells that are not in the first column
  std::uint16_t not_last_ = 0;
  std::uint16_t inner_up_ = 0;  // cells that the blank reaches going up within a tile of the map
  std::uint16_t inner_down_ = 0;
  std::vector<std::uint16_t> wanted_planes_;
  std::vector<std::uint8_t> wanted_;
  std::vector<std::array<int, 2>> leaving_;  // by cell to compute: its moves of the pass
};

}  // namespace

std::unique_ptr<LevelEngine> make_single_engine(const TileLayout& layout, Exchange& exchange,
                                                ThreadTeam& team, const DiskMode& disk) {
  return std::make_unique<SingleEngine>(layout, exchange, team, disk);
}

}  // namespace tessera
