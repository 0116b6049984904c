// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "census/levels/column_stages.hpp"
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
/// that stay inside a slab are taken in a thread's buffers. The steps between the first
/// rows of a column leave the slab, so what goes into them must stand for all slabs first: these
/// collections get planes of their own (`staged_`), made in as many passes as a column has such
/// steps, before the pass that makes the level.
class MultiEngine final : public LevelEngine {
 public:
  MultiEngine(const StateLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk)
      : LevelEngine(layout, team,
                    make_sweep(layout, exchange, team, disk,
                               {layout.cells(), layout.cells(), ColumnStages(layout).planes})),
        size_(layout.size()),
        stages_(layout),
        current_(layout, layout.cells(), sweep_->next_storage(layout.cells()), {all_planes()}),
        previous_(layout, layout.cells(), sweep_->next_storage(layout.cells()), {all_planes()}),
        staged_(layout, stages_.planes, sweep_->next_storage(stages_.planes), stages_.groups()),
        wanted_(slabs().count),
        now_(&current_),
        before_(&previous_) {
    set_goal();
  }

  void take_memory(const std::function<bool()>& goes_on) override {
    for (Layer* const layer : {&current_, &previous_, &staged_}) layer->touch(team_, goes_on);
  }
  [[nodiscard]] LevelPlanes current() override { return {now_, all_planes()}; }
  [[nodiscard]] LevelPlanes previous() override { return {before_, all_planes()}; }
  void begin_fill(int) override {}
  void finish_fill() override {
    sweep_->share_active(*now_);
    sweep_->share_active(*before_);
  }

  std::optional<Level> advance(const Progress& progress, const Decide& decide) override {
    for (int stage = 0; stage < stages_.stages; ++stage) {
      if (!make_stage(stage, progress)) return {};
    }
    if (!make_level(progress)) return {};
    const Level level = conclude(
        *before_, [this] { refresh_level(); }, decide);
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

  // A step that leaves the slab: the source is a staged collection, or the current plane where the
  // collection is no more than that.
  Crossing leaving(bool up, int from_row, int column, int staged) {
    const int to_row = up ? from_row - 1 : from_row + 1;
    const Window& window = layout_.window(cell(std::min(from_row, to_row), column), up);
    if (staged >= 0) return {&window, &staged_, staged};
    return {&window, now_, cell(from_row, column)};
  }

  void want(const std::vector<Crossing>& crossings) {
    const SlabRange& mine = slabs();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      wanted_[local] = now_->active(mine.first + local) != 0 ? 1 : 0;
    }
    for (const Crossing& crossing : crossings) {
      each_reached(crossing, [&](std::uint64_t slab) { wanted_[slab - mine.first] = 1; });
    }
  }

  [[nodiscard]] int odd(std::uint64_t slab, int plane_cell) const {
    return layout_.plane_parity(plane_cell) ^ slab_parity(slab);
  }

  void bring(std::size_t crossing, std::uint64_t slab, SlabBuffer& to) {
    crossings_.blocks(crossing, slab,
                      [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
                        if (layout_.is_slab(length)) to.unite(kernels_, words);
                        else kernels_.unite(to.opened() + offset, words, length);
                      });
  }

  // Goes along a column inside the slab from `row`, where `collected` holds what has come so far
  // without the current plane there, until `last`; calls found(row, collected) for each row that it
  // comes to with something.
  template <class Found>
  void walk(std::uint64_t slab, int column, int row, int last, Thread& thread,
            SlabBuffer*& collected, SlabBuffer*& spare, const Found& found) {
    const int step = row > last ? -1 : 1;
    std::uint64_t count = collected->empty() ? 0 : layout_.words();  // at most so many, or many
    for (; row != last; row += step) {
      const int from = cell(row, column);
      const std::uint64_t* words = nullptr;
      if (now_->active(slab, from)) {
        count += now_->count(slab, from);
        if (collected->empty()) {
          words = now_->words(slab, from);
        } else {
          collected->unite(kernels_, now_->words(slab, from));
          words = collected->data();
        }
      } else if (!collected->empty()) {
        words = collected->data();
      }
      spare->clear();
      if (words != nullptr) {
        const Window& window = layout_.window(cell(std::min(row, row + step), column), step < 0);
        thread.mover.move(window, words, count, odd(slab, from), *spare);
        found(row + step, *spare);
      }
      std::swap(collected, spare);
    }
  }

  void put(SlabBuffer& collected, std::uint64_t slab, int plane_cell, int staged) {
    if (now_->active(slab, plane_cell)) collected.unite(kernels_, now_->words(slab, plane_cell));
    std::uint32_t set = 0;
    if (!collected.empty()) {
      std::copy_n(collected.data(), layout_.stride(), staged_.words(slab, staged));
      set = 1;  // there may be something; how much is not asked
    }
    staged_.set_count(slab, staged, set);
  }

  // A collection that a stage makes in each slab: what a crossing brings to a row, or, where that
  // is -1, what has come from inside the slab.
  struct Step {
    int column;
    int row;
    int staged;
    int crossing;
  };

  // Stage s makes up[steps - s] and down[1 + s] of each column.
  [[nodiscard]] std::vector<Step> plan_stage(int stage, std::vector<Crossing>& crossings) {
    std::vector<Step> steps;
    for (int column = 0; column < size_.width; ++column) {
      const ColumnStages::Column& plan = stages_.columns[static_cast<std::size_t>(column)];
      const auto add = [&](bool up, const std::vector<int>& staged, int row, bool crosses) {
        Step& step =
            steps.emplace_back(Step{column, row, staged[static_cast<std::size_t>(row)], -1});
        if (!crosses) return;
        step.crossing = static_cast<int>(crossings.size());
        const int from = up ? row + 1 : row - 1;
        crossings.push_back(leaving(up, from, column, staged[static_cast<std::size_t>(from)]));
      };
      if (const int row = plan.steps - stage; row >= 1) add(true, plan.up, row, stage > 0);
      if (const int row = 1 + stage; row < plan.steps) add(false, plan.down, row, true);
    }
    return steps;
  }

  // What the steps read and write.
  [[nodiscard]] Pass pass_of(const std::vector<Step>& steps,
                             const std::vector<Crossing>& crossings) {
    std::uint16_t needed = 0;  // current planes of the slab itself
    std::uint16_t made = 0;
    const auto add = [](std::uint16_t& planes, int plane) {
      planes = static_cast<std::uint16_t>(planes | 1U << plane);
    };
    for (const Step& step : steps) {
      add(made, step.staged);
      const int last = step.crossing >= 0 ? step.row : size_.height - 1;
      for (int row = step.row; row <= last; ++row) add(needed, cell(row, step.column));
    }
    std::uint16_t collected = 0;  // in the stages before
    for (const Crossing& crossing : crossings) {
      add(crossing.source == now_ ? needed : collected, crossing.plane);
    }
    return {.inputs = {{now_, needed}, {&staged_, collected}},
            .output = {&staged_, made},
            .replaces = false};
  }

  void make_step(std::uint64_t slab, const Step& step, Thread& thread) {
    SlabBuffer* collected = &thread.a;
    SlabBuffer* spare = &thread.b;
    collected->clear();
    if (step.crossing >= 0) {
      bring(static_cast<std::size_t>(step.crossing), slab, *collected);
    } else {
      walk(slab, step.column, size_.height - 1, step.row, thread, collected, spare,
           [](int, const SlabBuffer&) {});
    }
    put(*collected, slab, cell(step.row, step.column), step.staged);
  }

  bool make_stage(int stage, const Progress& progress) {
    std::vector<Crossing> crossings;
    const std::vector<Step> steps = plan_stage(stage, crossings);
    const Pass pass = pass_of(steps, crossings);
    const std::uint16_t made = pass.output.planes;
    want(crossings);
    crossings_.begin(std::move(crossings));
    const SlabRange& mine = slabs();
    for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
      staged_.active()[slab] = static_cast<std::uint16_t>(staged_.active()[slab] & ~made);
    }
    const auto compute = [&](std::uint64_t slab, Thread& thread) {
      for (const Step& step : steps) make_step(slab, step, thread);
    };
    if (!each_slab(wanted_, compute, progress, pass)) return false;
    conclude(staged_, [&] {
      for (std::uint64_t local = 0; local < mine.count; ++local) {
        if (wanted_[local] != 0) staged_.refresh(mine.first + local, made);
      }
    });
    return true;
  }

  bool make_level(const Progress& progress) {
    // By column: what leaves the slab upwards into row 0, and downwards into row `steps`.
    std::vector<std::array<int, 2>> leaves;
    std::vector<Crossing> crossings;
    for (int column = 0; column < size_.width; ++column) {
      const ColumnStages::Column& plan = stages_.columns[static_cast<std::size_t>(column)];
      auto& indices = leaves.emplace_back(std::array{-1, -1});
      if (plan.steps == 0) continue;
      indices[0] = static_cast<int>(crossings.size());
      crossings.push_back(leaving(true, 1, column, plan.up[1]));
      indices[1] = static_cast<int>(crossings.size());
      const int row = plan.steps - 1;
      crossings.push_back(leaving(false, row, column, plan.down[static_cast<std::size_t>(row)]));
    }
    want(crossings);
    // What was collected lies in rows of its own, too.
    const SlabRange& mine = slabs();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      if (staged_.active(mine.first + local) != 0) wanted_[local] = 1;
    }
    crossings_.begin(std::move(crossings));
    return each_slab(wanted_,
                     [&](std::uint64_t slab, Thread& thread) { compute(slab, leaves, thread); },
                     progress, {{current(), {&staged_, all_of(staged_)}}, previous(), true});
  }

  void refresh_level() {
    const SlabRange& mine = slabs();
    for (std::uint64_t local = 0; local < mine.count; ++local) {
      if (wanted_[local] != 0) before_->refresh(mine.first + local, all_planes());
      else before_->active()[mine.first + local] = 0;
    }
  }

  void compute(std::uint64_t slab, const std::vector<std::array<int, 2>>& leaves, Thread& thread) {
    if (thread.planes.empty()) {
      thread.planes.assign(static_cast<std::size_t>(layout_.cells()), SlabBuffer(layout_));
    }
    for (SlabBuffer& plane : thread.planes) plane.clear();
    const auto next = [&](int row, int column) -> SlabBuffer& {
      return thread.planes[static_cast<std::size_t>(cell(row, column))];
    };
    for (int column = 0; column < size_.width; ++column) {
      const ColumnStages::Column& plan = stages_.columns[static_cast<std::size_t>(column)];
      const auto& leaving_crossings = leaves[static_cast<std::size_t>(column)];
      const auto found = [&](int row, const SlabBuffer& words) {
        next(row, column).unite(kernels_, words.data());
      };
      SlabBuffer* collected = &thread.a;
      SlabBuffer* spare = &thread.b;
      collected->clear();
      walk(slab, column, size_.height - 1, plan.steps, thread, collected, spare, found);
      for (int row = 1; row < plan.steps; ++row) {
        for (const int staged :
             {plan.up[static_cast<std::size_t>(row)], plan.down[static_cast<std::size_t>(row)]}) {
          if (staged_.active(slab, staged)) {
            next(row, column).unite(kernels_, staged_.words(slab, staged));
          }
        }
      }
      collected->clear();
      if (plan.steps > 0) {
        bring(static_cast<std::size_t>(leaving_crossings[0]), slab, next(0, column));
        bring(static_cast<std::size_t>(leaving_crossings[1]), slab, *collected);
        if (!collected->empty()) found(plan.steps, *collected);
      }
      walk(slab, column, plan.steps, size_.height - 1, thread, collected, spare, found);
    }
    for (int row = 0; row < size_.height; ++row) finish_row(slab, row, thread);
  }

  void finish_row(std::uint64_t slab, int row, Thread& thread) {
    SlabBuffer& united = thread.a;
    united.clear();
    for (int column = 0; column < size_.width; ++column) {
      const int at = cell(row, column);
      if (now_->active(slab, at)) united.unite(kernels_, now_->words(slab, at));
    }
    for (int column = 0; column < size_.width; ++column) {
      const int at = cell(row, column);
      SlabBuffer& found = thread.planes[static_cast<std::size_t>(at)];
      if (found.empty() && united.empty()) {
        before_->set_count(slab, at, 0);
        continue;
      }
      const std::uint64_t* const base = found.empty() ? united.data() : found.data();
      std::uint64_t* const target = before_->words(slab, at);
      const std::uint64_t count = kernels_.remove_duplicates(
          base, found.empty() || united.empty() ? nullptr : united.data(), nullptr,
          now_->active(slab, at) ? now_->words(slab, at) : nullptr,
          before_->active(slab, at) ? target : nullptr, target, layout_.stride());
      before_->set_count(slab, at, static_cast<std::uint32_t>(count));
      thread.states += count;
    }
  }

  Size size_;
  ColumnStages stages_;
  Layer current_;
  Layer previous_;
  Layer staged_;
  std::vector<std::uint8_t> wanted_;
  Layer* now_;
  Layer* before_;
};

}  // namespace

std::unique_ptr<LevelEngine> make_multi_engine(const StateLayout& layout, Exchange& exchange,
                                               ThreadTeam& team, const DiskMode& disk) {
  return std::make_unique<MultiEngine>(layout, exchange, team, disk);
}

}  // namespace tessera
