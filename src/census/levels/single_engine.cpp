// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "census/levels/level_engine.hpp"

namespace tessera {
namespace {

unsigned cells_of_color(Size size, int color) {
  unsigned cells = 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (((size.row(cell) + size.column(cell)) & 1) == color) cells |= 1U << cell;
  }
  return cells;
}

/// Metric single. Every move changes the color of the blank's cell, so the frontier occupies the
/// planes of one color, and the one before it those of the other, where the next replaces it in
/// place: one layer, one bit per state, and what a level reads it does not write.
class SingleEngine final : public LevelEngine {
 public:
  explicit SingleEngine(const RankContext& context)
      : LevelEngine(context, {{context.layout.cells(),
                               {cells_of_color(context.layout.size(), 0),
                                cells_of_color(context.layout.size(), 1)}}}),
        layer_(layers_.front()) {
    current_ = {&layer_, cells_of_color(size_, 0)};
    previous_ = {&layer_, cells_of_color(size_, 1)};
    set_goal();
  }

  std::optional<Level> advance(const Progress& progress, const Decide& decide) override {
    std::vector<Crossing> crossings;
    previous_.each_plane([&](int cell) {
      each_vertical_move(cell, [&](int source, const Window& window) {
        if (window.leaves_slab) crossings.push_back({&window, &layer_, source});
      });
    });
    const auto compute_slab = [this](std::uint64_t slab, Thread& thread) {
      std::size_t crossing = 0;
      previous_.each_plane([&](int cell) { compute(slab, cell, crossing, thread); });
    };
    const auto level = run_pass({{current_}, previous_, true}, std::move(crossings), compute_slab,
                                progress, decide);
    if (level && level->states > 0) std::swap(current_, previous_);
    return level;
  }

 private:
  // Calls with(source, window) for each move along the column that brings the blank to a cell.
  template <class With>
  void each_vertical_move(int cell, const With& with) const {
    for (const bool up : {false, true}) {
      const int source = up ? cell + size_.width : cell - size_.width;
      if (source < 0 || source >= size_.cells()) continue;
      with(source, layout_.window(std::min(cell, source), up));
    }
  }

  // `crossing`: index of the next one in the pass's list, which is ordered by cell.
  void compute(std::uint64_t slab, int cell, std::size_t& crossing, Thread& thread) {
    // Slabs used unchanged: from horizontal moves, and from windows that move whole slabs.
    std::array<const std::uint64_t*, 4> whole{};
    std::size_t wholes = 0;
    SlabBuffer& found = thread.a;
    found.clear();
    const auto beside = [&](int source) {
      if (layer_.active(slab, source)) whole[wholes++] = layer_.words(slab, source);
    };
    if (size_.column(cell) > 0) beside(cell - 1);
    if (size_.column(cell) + 1 < size_.width) beside(cell + 1);
    const auto bring = [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
      if (layout_.is_slab(length)) whole[wholes++] = words;
      else kernels_.unite(found.opened() + offset, words, length);
    };
    each_vertical_move(cell, [&](int source, const Window& window) {
      if (window.leaves_slab) {
        crossings_.blocks(crossing++, slab, bring);
      } else if (const std::uint32_t count = layer_.count(slab, source); count != 0) {
        thread.mover.move(window, layer_.words(slab, source), count, odd(slab, source), found);
      }
    });
    while (wholes > 2) found.unite(kernels_, whole[--wholes]);
    const std::uint64_t* base = found.data();
    if (found.empty()) {
      if (wholes == 0) {
        layer_.set_count(slab, cell, 0);
        return;
      }
      base = whole[--wholes];
    }
    finish_plane(slab, cell, base, wholes > 0 ? whole[0] : nullptr, wholes > 1 ? whole[1] : nullptr,
                 thread);
  }

  Layer& layer_;
};

}  // namespace

std::unique_ptr<LevelEngine> make_single_engine(const RankContext& context) {
  return std::make_unique<SingleEngine>(context);
}

}  // namespace tessera
