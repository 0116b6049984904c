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
  SingleEngine(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
               const DiskMode& disk)
      : LevelEngine(layout, team, make_sweep(layout, exchange, team, disk, {layout.cells()})),
        layer_(layout, layout.cells(), sweep_->next_storage(layout.cells()),
               {cells_of_colour(layout.size(), 0), cells_of_colour(layout.size(), 1)}),
        colour_{cells_of_colour(layout.size(), 0), cells_of_colour(layout.size(), 1)},
        wanted_planes_(slabs().count),
        wanted_(slabs().count) {
    const Size size = layout.size();
    for (int cell = 0; cell < size.cells(); ++cell) {
      const auto bit = static_cast<std::uint16_t>(1U << cell);
      if (size.column(cell) > 0) not_first_ |= bit;
      if (size.column(cell) + 1 < size.width) not_last_ |= bit;
      if (size.row(cell) + 1 < size.height && !layout.window(cell, true).leaves_slab) {
        inner_up_ |= bit;
        inner_down_ |= static_cast<std::uint16_t>(bit << size.width);
      }
    }
    set_goal();
  }

  void take_memory(const std::function<bool()>& goes_on) override { layer_.touch(team_, goes_on); }
  [[nodiscard]] LevelPlanes current() override { return {&layer_, colour_[now_]}; }
  [[nodiscard]] LevelPlanes previous() override { return {&layer_, colour_[1 - now_]}; }
  void begin_fill(int current_cell) override {
    now_ = (colour_[0] >> current_cell & 1) != 0 ? 0 : 1;
  }
  void finish_fill() override { sweep_->share_active(layer_); }

  std::optional<Level> advance(const Progress& progress, const Decide& decide) override {
    plan();
    const bool whole =
        each_slab(wanted_, [this](std::uint64_t slab, Thread& thread) { compute(slab, thread); },
                  progress, {{current()}, previous(), true});
    if (!whole) return {};
    const auto refresh = [this] {
      const SlabRange& mine = slabs();
      for (std::uint64_t local = 0; local < mine.count; ++local) {
        if (wanted_[local] != 0) layer_.refresh(mine.first + local, wanted_planes_[local]);
      }
    };
    const Level level = conclude(layer_, refresh, decide);
    if (level.states > 0) now_ = 1 - now_;
    return level;
  }

 private:
  // Which planes of which slabs can get anything: all others only become empty.
  void plan() {
    const SlabRange& mine = slabs();
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
    std::vector<Crossing> crossings;
    leaving_.clear();
    for (int cell = 0; cell < layout_.cells(); ++cell) {
      if ((colour_[now_] >> cell & 1) != 0) continue;
      std::array<int, 2> indices{-1, -1};
      for (const bool up : {false, true}) {
        const int source = up ? cell + width : cell - width;
        if (source < 0 || source >= layout_.cells()) continue;
        const Window& window = layout_.window(std::min(cell, source), up);
        if (!window.leaves_slab) continue;
        indices[up ? 1 : 0] = static_cast<int>(crossings.size());
        crossings.push_back({&window, &layer_, source});
        each_reached(crossings.back(), [&](std::uint64_t slab) {
          wanted_planes_[slab - mine.first] |= bits(1U << cell);
        });
      }
      leaving_.push_back(indices);
    }
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      std::uint16_t& active = layer_.active()[mine.first + local];
      active = bits(active & (colour_[now_] | wanted_planes_[local]));
      wanted_[local] = wanted_planes_[local] != 0 ? 1 : 0;
    }
    crossings_.begin(std::move(crossings));
  }

  void compute(std::uint64_t slab, Thread& thread) {
    const SlabRange& mine = slabs();
    const unsigned planes = wanted_planes_[slab - mine.first];
    std::size_t index = 0;
    for (int cell = 0; cell < layout_.cells(); ++cell) {
      if ((colour_[now_] >> cell & 1) != 0) continue;
      const auto& leaving = leaving_[index++];
      if ((planes >> cell & 1) != 0) compute(slab, cell, leaving, thread);
    }
  }

  void compute(std::uint64_t slab, int cell, const std::array<int, 2>& leaving, Thread& thread) {
    const Size size = layout_.size();
    // Slabs that come as they are: beside the blank, and from windows that move whole slabs.
    std::array<const std::uint64_t*, 4> whole{};
    std::size_t wholes = 0;
    SlabBuffer& found = thread.a;
    found.clear();
    const auto beside = [&](int source) {
      if (layer_.active(slab, source)) whole[wholes++] = layer_.words(slab, source);
    };
    if (size.column(cell) > 0) beside(cell - 1);
    if (size.column(cell) + 1 < size.width) beside(cell + 1);
    for (const bool up : {false, true}) {
      const int source = up ? cell + size.width : cell - size.width;
      if (source < 0 || source >= size.cells()) continue;
      if (const int crossing = leaving[up ? 1 : 0]; crossing >= 0) {
        crossings_.blocks(
            static_cast<std::size_t>(crossing), slab,
            [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
              if (layout_.is_slab(length)) whole[wholes++] = words;
              else kernels_.unite(found.opened() + offset, words, length);
            });
      } else if (const std::uint32_t count = layer_.count(slab, source); count != 0) {
        const int odd = layout_.plane_parity(source) ^ slab_parity(slab);
        thread.mover.move(layout_.window(std::min(cell, source), up), layer_.words(slab, source),
                          count, odd, found);
      }
    }
    while (wholes > 2) found.unite(kernels_, whole[--wholes]);
    const std::uint64_t* base = found.data();
    if (found.empty()) {
      if (wholes == 0) {
        layer_.set_count(slab, cell, 0);
        return;
      }
      base = whole[--wholes];
    }
    std::uint64_t* const target = layer_.words(slab, cell);
    const std::uint64_t count = kernels_.remove_duplicates(
        base, wholes > 0 ? whole[0] : nullptr, wholes > 1 ? whole[1] : nullptr, nullptr,
        layer_.active(slab, cell) ? target : nullptr, target, layout_.stride());
    layer_.set_count(slab, cell, static_cast<std::uint32_t>(count));
    thread.states += count;
  }

  Layer layer_;
  std::array<std::uint16_t, 2> colour_;
  std::size_t now_ = 0;
  std::uint16_t not_first_ = 0;  // cells that are not in the first column
  std::uint16_t not_last_ = 0;
  std::uint16_t inner_up_ = 0;  // cells that the blank reaches going up within a slab
  std::uint16_t inner_down_ = 0;
  std::vector<std::uint16_t> wanted_planes_;
  std::vector<std::uint8_t> wanted_;
  std::vector<std::array<int, 2>> leaving_;  // by cell to compute: its moves of the pass
};

}  // namespace

std::unique_ptr<LevelEngine> make_single_engine(const StateLayout& layout, Exchange& exchange,
                                                ThreadTeam& team, const DiskMode& disk) {
  return std::make_unique<SingleEngine>(layout, exchange, team, disk);
}

}  // namespace tessera
