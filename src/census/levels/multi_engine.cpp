// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "census/levels/level_engine.hpp"

namespace tessera {
namespace {

/// Metric multi: a move slides the blank any way along its line. Along a row the order stays: the
/// row's planes united go to each of them. Along a column the blank goes step by step, collecting
/// what each plane on its way holds:
///
///     up[r] = current[r] | moved up(up[r+1])       down[r] = current[r] | moved down(down[r-1])
///
/// Two layers, the current and the previous level, the next replacing the previous in place. Steps
/// that stay inside a tile of the map are taken in a thread's scratch. The steps between the first
/// rows of a column leave the tile, so what goes into them must stand for all tiles first: these
/// collections get planes of their own (`staged_`), made in as many passes as a column has such
/// steps, before the pass that makes the level.
class MultiEngine final : public LevelEngine {
 public:
  MultiEngine(const TileLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk)
      : LevelEngine(layout, exchange, team, disk,
                    {layout.cells(), layout.cells(), Plan(layout).planes}),
        size_(layout.size()),
        plan_(layout),
        current_(layout, layout.cells(), place_of_layer(layout.cells()), {all_planes()}),
        previous_(layout, layout.cells(), place_of_layer(layout.cells()), {all_planes()}),
        staged_(layout, plan_.planes, place_of_layer(plan_.planes), plan_.groups()),
        wanted_(halo_.mine().count),
        now_(&current_),
        before_(&previous_) {
    if (disk.spill == nullptr) halo_.show({&current_, &previous_, &staged_});
    set_goal();
  }

  // Which collections are staged.
  struct Plan {
    explicit Plan(const TileLayout& layout) {
      const Size size = layout.size();
      for (int column = 0; column < size.width; ++column) {
        Column& plan = columns.emplace_back();
        for (int row = 0; row + 1 < size.height; ++row) {
          if (layout.window(row * size.width + column, true).leaves_tile) plan.steps = row + 1;
        }
        plan.up.assign(static_cast<std::size_t>(size.height), -1);
        plan.down = plan.up;
        for (int row = 1; row <= plan.steps; ++row)
          plan.up[static_cast<std::size_t>(row)] = planes++;
        for (int row = 1; row < plan.steps; ++row)
          plan.down[static_cast<std::size_t>(row)] = planes++;
        stages = std::max(stages, plan.steps);
      }
    }
    struct Column {
      int steps = 0;          // between rows 0 .. steps, windows leave the tile
      std::vector<int> up;    // by row: the staged plane of up[row], or -1
      std::vector<int> down;  // the same of down[row]
    };
    // Planes that the same stage makes.
    [[nodiscard]] std::vector<std::uint16_t> groups() const {
      std::vector<std::uint16_t> made(static_cast<std::size_t>(stages), 0);
      for (const Column& column : columns) {
        for (int stage = 0; stage < column.steps; ++stage) {
          auto& group = made[static_cast<std::size_t>(stage)];
          for (const int plane : {column.up[static_cast<std::size_t>(column.steps - stage)],
                                  column.down[static_cast<std::size_t>(1 + stage)]}) {
            if (plane >= 0) group = static_cast<std::uint16_t>(group | 1U << plane);
          }
        }
      }
      return made;
    }
    std::vector<Column> columns;
    int planes = 0;
    int stages = 0;
  };

  void take_memory(const std::function<bool()>& goes_on) override {
    for (Layer* const layer : {&current_, &previous_, &staged_}) layer->touch(team_, goes_on);
  }
  [[nodiscard]] LevelPlanes current() override { return {now_, all_planes()}; }
  [[nodiscard]] LevelPlanes previous() override { return {before_, all_planes()}; }
  void place(int) override {}
  void restored() override {
    share_active(*now_);
    share_active(*before_);
  }

  std::optional<Level> advance(const Tick& tick, const Word& word) override {
    for (int stage = 0; stage < plan_.stages; ++stage) {
      if (!make_stage(stage, tick)) return {};
    }
    if (!make_level(tick)) return {};
    const Level level = conclude(
        *before_, [this] { refresh_level(); }, word);
    if (level.states > 0) std::swap(now_, before_);
    return level;
  }

 private:
  [[nodiscard]] std::uint16_t all_planes() const {
    return static_cast<std::uint16_t>((1U << layout_.cells()) - 1);
  }
  [[nodiscard]] static std::uint16_t all_of(const Layer& layer) {
    return static_cast<std::uint16_t>((1U << layer.planes()) - 1);
  }
  [[nodiscard]] int cell(int row, int column) const { return row * size_.width + column; }

  // A step that leaves the tile: the source is a staged collection, or the current plane where the
  // collection is no more than that.
  Pull leaving(bool up, int from_row, int column, int staged) {
    const int to_row = up ? from_row - 1 : from_row + 1;
    const Window& window = layout_.window(cell(std::min(from_row, to_row), column), up);
    if (staged >= 0) return {&window, &staged_, staged};
    return {&window, now_, cell(from_row, column)};
  }

  void want(const std::vector<Pull>& pulls) {
    const TileRange& mine = halo_.mine();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      wanted_[local] = now_->active(mine.first + local) != 0 ? 1 : 0;
    }
    for (const Pull& pull : pulls) {
      each_reached(pull, [&](std::uint64_t tile) { wanted_[tile - mine.first] = 1; });
    }
  }

  [[nodiscard]] int odd(std::uint64_t tile, int plane_cell) const {
    return layout_.plane_parity(plane_cell) ^ tile_parity_[tile - halo_.mine().first];
  }

  void bring(std::size_t pull, std::uint64_t tile, Scratch& to) {
    halo_.blocks(pull, tile,
                 [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
                   if (layout_.is_tile(length)) to.unite(kernels_, words);
                   else kernels_.unite(to.opened() + offset, words, length);
                 });
  }

  // Goes along a column inside the tile from `row`, where `collected` holds what has come so far
  // without the current plane there, until `last`; calls found(row, collected) for each row that it
  // comes to with something.
  template <class Found>
  void walk(std::uint64_t tile, int column, int row, int last, Thread& thread, Scratch*& collected,
            Scratch*& spare, const Found& found) {
    const int step = row > last ? -1 : 1;
    std::uint64_t count = collected->empty() ? 0 : layout_.words();  // at most so many, or many
    for (; row != last; row += step) {
      const int from = cell(row, column);
      const std::uint64_t* words = nullptr;
      if (now_->active(tile, from)) {
        count += now_->count(tile, from);
        if (collected->empty()) {
          words = now_->words(tile, from);
        } else {
          collected->unite(kernels_, now_->words(tile, from));
          words = collected->data();
        }
      } else if (!collected->empty()) {
        words = collected->data();
      }
      spare->clear();
      if (words != nullptr) {
        const Window& window = layout_.window(cell(std::min(row, row + step), column), step < 0);
        thread.work.move(window, words, count, odd(tile, from), *spare);
        found(row + step, *spare);
      }
      std::swap(collected, spare);
    }
  }

  void put(Scratch& collected, std::uint64_t tile, int plane_cell, int staged) {
    if (now_->active(tile, plane_cell)) collected.unite(kernels_, now_->words(tile, plane_cell));
    std::uint32_t set = 0;
    if (!collected.empty()) {
      std::copy_n(collected.data(), layout_.stride(), staged_.words(tile, staged));
      set = 1;  // there may be something; how much is not asked
    }
    staged_.set_count(tile, staged, set);
  }

  // Stage s makes up[steps - s] and down[1 + s] of each column.
  bool make_stage(int stage, const Tick& tick) {
    struct Step {
      int column, row, staged, pull;
      bool up;
    };
    std::vector<Step> steps;
    std::vector<Pull> pulls;
    unsigned made = 0;
    for (int column = 0; column < size_.width; ++column) {
      const Plan::Column& plan = plan_.columns[static_cast<std::size_t>(column)];
      if (const int row = plan.steps - stage; row >= 1) {
        int pull = -1;  // the first comes from inside the tile
        if (stage > 0) {
          pull = static_cast<int>(pulls.size());
          pulls.push_back(
              leaving(true, row + 1, column, plan.up[static_cast<std::size_t>(row + 1)]));
        }
        steps.push_back({column, row, plan.up[static_cast<std::size_t>(row)], pull, true});
      }
      if (const int row = 1 + stage; row < plan.steps) {
        steps.push_back({column, row, plan.down[static_cast<std::size_t>(row)],
                         static_cast<int>(pulls.size()), false});
        pulls.push_back(
            leaving(false, row - 1, column, plan.down[static_cast<std::size_t>(row - 1)]));
      }
    }
    std::uint16_t needed = 0;  // current planes of the tile itself
    for (const Step& step : steps) {
      made |= 1U << step.staged;
      const int last = step.pull >= 0 ? step.row : size_.height - 1;
      for (int row = step.row; row <= last; ++row) {
        needed = static_cast<std::uint16_t>(needed | 1U << cell(row, step.column));
      }
    }
    std::uint16_t collected_before = 0;
    for (const Pull& pull : pulls) {
      std::uint16_t& planes = pull.source == now_ ? needed : collected_before;
      planes = static_cast<std::uint16_t>(planes | 1U << pull.plane);
    }
    want(pulls);
    halo_.begin(std::move(pulls));
    const TileRange& mine = halo_.mine();
    for (std::uint64_t tile = mine.first; tile < mine.first + mine.count; ++tile) {
      staged_.active()[tile] = static_cast<std::uint16_t>(staged_.active()[tile] & ~made);
    }
    const bool whole =
        each_tile(wanted_,
                  [&](std::uint64_t tile, Thread& thread) {
                    for (const Step& step : steps) {
                      Scratch* collected = &thread.a;
                      Scratch* spare = &thread.b;
                      collected->clear();
                      if (step.pull >= 0) {
                        bring(static_cast<std::size_t>(step.pull), tile, *collected);
                      } else {
                        walk(tile, step.column, size_.height - 1, step.row, thread, collected,
                             spare, [](int, const Scratch&) {});
                      }
                      put(*collected, tile, cell(step.row, step.column), step.staged);
                    }
                  },
                  tick,
                  {{{now_, needed}, {&staged_, collected_before}},
                   {&staged_, static_cast<std::uint16_t>(made)},
                   false});
    if (!whole) return false;
    conclude(staged_, [&] {
      for (std::uint64_t local = 0; local < mine.count; ++local) {
        if (wanted_[local] != 0) staged_.refresh(mine.first + local, made);
      }
    });
    return true;
  }

  bool make_level(const Tick& tick) {
    // By column: what leaves the tile upwards into row 0, and downwards into row `steps`.
    std::vector<std::array<int, 2>> leaves;
    std::vector<Pull> pulls;
    for (int column = 0; column < size_.width; ++column) {
      const Plan::Column& plan = plan_.columns[static_cast<std::size_t>(column)];
      auto& indices = leaves.emplace_back(std::array{-1, -1});
      if (plan.steps == 0) continue;
      indices[0] = static_cast<int>(pulls.size());
      pulls.push_back(leaving(true, 1, column, plan.up[1]));
      indices[1] = static_cast<int>(pulls.size());
      const int row = plan.steps - 1;
      pulls.push_back(leaving(false, row, column, plan.down[static_cast<std::size_t>(row)]));
    }
    want(pulls);
    // What was collected lies in rows of its own, too.
    const TileRange& mine = halo_.mine();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      if (staged_.active(mine.first + local) != 0) wanted_[local] = 1;
    }
    halo_.begin(std::move(pulls));
    return each_tile(wanted_,
                     [&](std::uint64_t tile, Thread& thread) { compute(tile, leaves, thread); },
                     tick, {{current(), {&staged_, all_of(staged_)}}, previous(), true});
  }

  void refresh_level() {
    const TileRange& mine = halo_.mine();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      if (wanted_[local] != 0) before_->refresh(mine.first + local, all_planes());
      else before_->active()[mine.first + local] = 0;
    }
  }

  void compute(std::uint64_t tile, const std::vector<std::array<int, 2>>& leaves, Thread& thread) {
    if (thread.planes.empty()) {
      thread.planes.assign(static_cast<std::size_t>(layout_.cells()), Scratch(layout_));
    }
    for (Scratch& plane : thread.planes) plane.clear();
    const auto next = [&](int row, int column) -> Scratch& {
      return thread.planes[static_cast<std::size_t>(cell(row, column))];
    };
    for (int column = 0; column < size_.width; ++column) {
      const Plan::Column& plan = plan_.columns[static_cast<std::size_t>(column)];
      const auto& leaving_pulls = leaves[static_cast<std::size_t>(column)];
      const auto found = [&](int row, const Scratch& words) {
        next(row, column).unite(kernels_, words.data());
      };
      Scratch* collected = &thread.a;
      Scratch* spare = &thread.b;
      collected->clear();
      walk(tile, column, size_.height - 1, plan.steps, thread, collected, spare, found);
      for (int row = 1; row < plan.steps; ++row) {
        for (const int staged :
             {plan.up[static_cast<std::size_t>(row)], plan.down[static_cast<std::size_t>(row)]}) {
          if (staged_.active(tile, staged)) {
            next(row, column).unite(kernels_, staged_.words(tile, staged));
          }
        }
      }
      collected->clear();
      if (plan.steps > 0) {
        bring(static_cast<std::size_t>(leaving_pulls[0]), tile, next(0, column));
        bring(static_cast<std::size_t>(leaving_pulls[1]), tile, *collected);
        if (!collected->empty()) found(plan.steps, *collected);
      }
      walk(tile, column, plan.steps, size_.height - 1, thread, collected, spare, found);
    }
    for (int row = 0; row < size_.height; ++row) settle_row(tile, row, thread);
  }

  void settle_row(std::uint64_t tile, int row, Thread& thread) {
    Scratch& united = thread.a;
    united.clear();
    for (int column = 0; column < size_.width; ++column) {
      const int at = cell(row, column);
      if (now_->active(tile, at)) united.unite(kernels_, now_->words(tile, at));
    }
    for (int column = 0; column < size_.width; ++column) {
      const int at = cell(row, column);
      Scratch& found = thread.planes[static_cast<std::size_t>(at)];
      if (found.empty() && united.empty()) {
        before_->set_count(tile, at, 0);
        continue;
      }
      const std::uint64_t* const base = found.empty() ? united.data() : found.data();
      std::uint64_t* const place = before_->words(tile, at);
      const std::uint64_t count =
          kernels_.settle(base, found.empty() || united.empty() ? nullptr : united.data(), nullptr,
                          now_->active(tile, at) ? now_->words(tile, at) : nullptr,
                          before_->active(tile, at) ? place : nullptr, place, layout_.stride());
      before_->set_count(tile, at, static_cast<std::uint32_t>(count));
      thread.states += count;
    }
  }

  Size size_;
  Plan plan_;
  Layer current_;
  Layer previous_;
  Layer staged_;
  std::vector<std::uint8_t> wanted_;
  Layer* now_;
  Layer* before_;
};

}  // namespace

std::unique_ptr<LevelEngine> make_multi_engine(const TileLayout& layout, Exchange& exchange,
                                               ThreadTeam& team, const DiskMode& disk) {
  return std::make_unique<MultiEngine>(layout, exchange, team, disk);
}

std::uint64_t LevelEngine::memory_bytes(const TileLayout& layout, Metric metric,
                                        std::uint64_t tiles) {
  const int planes = metric == Metric::single
                         ? layout.cells()
                         : 2 * layout.cells() + MultiEngine::Plan(layout).planes;
  const std::uint64_t counts = static_cast<std::uint64_t>(planes) * tiles * 4;
  // By tile of all ranks: what is active, its parity, what is wanted and in which order.
  return Layer::bytes(layout, planes, tiles) + counts + layout.tiles() * 20;
}

std::uint64_t LevelEngine::disk_memory_bytes(const TileLayout& layout, Metric metric,
                                             std::uint64_t batch_tiles, int threads, int ranks) {
  const auto cells = static_cast<std::uint64_t>(layout.cells());
  const auto count = static_cast<std::uint64_t>(ranks);
  const bool single = metric == Metric::single;
  const auto staged = static_cast<std::uint64_t>(MultiEngine::Plan(layout).planes);
  const std::uint64_t planes = single ? cells : 2 * cells + staged;
  const std::uint64_t tile_bytes = layout.stride() * 8;
  const std::uint64_t own_tiles = (layout.tiles() + count - 1) / count;
  const std::uint64_t window = planes * std::min(batch_tiles, own_tiles);
  const std::uint64_t far = most_far_tiles(layout, single, batch_tiles);
  // Blocks of two batches are on their way and those of one are collected, compressed; as many as a
  // batch has from elsewhere are read, and sent, for another rank. Its entries go first.
  const std::uint64_t raw = (window + far) * tile_bytes;
  const std::uint64_t sent = ranks == 1 ? 0 : far * tile_bytes + far * count * 64;
  const std::uint64_t index =
      planes * own_tiles * (sizeof(BlockEntry) + 2 * sizeof(std::uint32_t)) + layout.tiles() * 12;
  const std::uint64_t thread = (cells + 8) * tile_bytes + (std::uint64_t{2} << 20);
  return raw + raw * 3 / 4 + sent + index + static_cast<std::uint64_t>(threads) * thread;
}

}  // namespace tessera
