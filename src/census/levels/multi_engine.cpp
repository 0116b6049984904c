// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "census/levels/column_stages.hpp"
#include "census/levels/level_engine.hpp"

namespace tessera {
namespace {

/// Metric multi: a move slides the blank any distance along its line. Along a row the order stays:
/// the union of the row's planes goes to each of them. Along a column the blank moves step by step
/// and collects the states of each plane on its way:
///
///     up[r] = current[r] | moved up(up[r+1])       down[r] = current[r] | moved down(down[r-1])
///
/// Two layers, the current and the previous level; the next replaces the previous in place. Steps
/// inside a slab use a thread's buffers. The steps between the first rows of a column leave the
/// slab, so their sources must be complete for all slabs first: these collections get planes of
/// their own (`staged_`), computed in as many passes as a column has such steps, before the pass
/// that computes the level.
class MultiEngine final : public LevelEngine {
 public:
  explicit MultiEngine(const RankContext& context)
      : LevelEngine(context, {{context.layout.cells(), {all_planes(context.layout)}},
                              {context.layout.cells(), {all_planes(context.layout)}},
                              ColumnStages(context.layout).layer()}),
        stages_(layout_),
        staged_(layers_[2]) {
    current_ = {&layers_[0], all_planes(layout_)};
    previous_ = {&layers_[1], all_planes(layout_)};
    set_goal();
  }

  std::optional<Level> advance(const Progress& progress, const Decide& decide) override {
    // Of all passes together.
    const auto passes = static_cast<std::uint64_t>(stages_.stages) + 1;
    std::uint64_t pass = 0;
    const Progress whole = [&](std::uint64_t done, std::uint64_t of) {
      return progress(pass * of + done, passes * of);
    };
    for (int stage = 0; stage < stages_.stages; ++stage, ++pass) {
      if (!make_stage(stage, whole)) return {};
    }
    const auto level = make_level(whole, decide);
    if (level && level->states > 0) std::swap(current_, previous_);
    return level;
  }

 private:
  [[nodiscard]] static unsigned all_planes(const StateLayout& layout) {
    return (1U << layout.cells()) - 1;
  }
  [[nodiscard]] int cell(int row, int column) const { return row * size_.width + column; }

  // A step that leaves the slab: the source is a staged collection, or the current plane if the
  // collection consists only of it.
  Crossing leaving(bool up, int row, const ColumnStages::Column& column) {
    const Window& window = layout_.window(cell(up ? row - 1 : row, column.number), up);
    const int staged = up ? column.up(row) : column.down(row);
    if (staged >= 0) return {&window, &staged_, staged};
    return {&window, current_.layer, cell(row, column.number)};
  }

  void bring(std::size_t crossing, std::uint64_t slab, SlabBuffer& to) {
    crossings_.blocks(crossing, slab,
                      [&](std::uint32_t offset, const std::uint64_t* words, std::uint32_t length) {
                        if (layout_.is_slab(length)) to.unite(kernels_, words);
                        else kernels_.unite(to.opened() + offset, words, length);
                      });
  }

  // Moves along a column inside the slab from `row`, where `thread.a` holds what was collected so
  // far without the current plane there, to `last`, and leaves there what has arrived; calls
  // found(row) for each row that receives something.
  template <class Found>
  void walk(std::uint64_t slab, int column, int row, int last, Thread& thread, const Found& found) {
    SlabBuffer& collected = thread.a;
    SlabBuffer& moved = thread.b;
    const int step = row > last ? -1 : 1;
    std::uint64_t count = collected.empty() ? 0 : layout_.words();  // upper estimate, or many
    for (; row != last; row += step) {
      const int from = cell(row, column);
      const std::uint64_t* words = current_.words(slab, from);
      count += current_.layer->count(slab, from);
      if (!collected.empty()) {
        if (words != nullptr) collected.unite(kernels_, words);
        words = collected.data();
      }
      moved.clear();
      if (words != nullptr) {
        const Window& window = layout_.window(cell(std::min(row, row + step), column), step < 0);
        thread.mover.move(window, words, count, odd(slab, from), moved);
      }
      std::swap(collected, moved);
      if (words != nullptr) found(row + step);
    }
  }

  // A collection that a stage computes in each slab: what a crossing brings to a row or, if there
  // is none (-1), what comes from inside the slab.
  struct Step {
    int column;
    int row;
    int staged;
    int crossing;
  };

  [[nodiscard]] std::vector<Step> plan_stage(int stage, std::vector<Crossing>& crossings) {
    std::vector<Step> steps;
    const auto cross = [&](const Crossing& crossing) {
      crossings.push_back(crossing);
      return static_cast<int>(crossings.size()) - 1;
    };
    for (const ColumnStages::Column& column : stages_.columns) {
      if (const int row = column.steps - stage; row >= 1) {
        const int crossing = stage > 0 ? cross(leaving(true, row + 1, column)) : -1;
        steps.push_back({column.number, row, column.up(row), crossing});
      }
      if (const int row = 1 + stage; row < column.steps) {
        steps.push_back(
            {column.number, row, column.down(row), cross(leaving(false, row - 1, column))});
      }
    }
    return steps;
  }

  // The inputs and outputs of the steps.
  [[nodiscard]] Pass pass_of(const std::vector<Step>& steps,
                             const std::vector<Crossing>& crossings) {
    unsigned needed = 0;  // current planes of the slab itself
    unsigned made = 0;
    for (const Step& step : steps) {
      made |= 1U << step.staged;
      const int last = step.crossing >= 0 ? step.row : size_.height - 1;
      for (int row = step.row; row <= last; ++row) needed |= 1U << cell(row, step.column);
    }
    unsigned collected = 0;  // in earlier stages
    for (const Crossing& crossing : crossings) {
      (crossing.source == &staged_ ? collected : needed) |= 1U << crossing.plane;
    }
    return {.inputs = {{current_.layer, needed}, {&staged_, collected}},
            .output = {&staged_, made},
            .replaces = false};
  }

  void make_step(std::uint64_t slab, const Step& step, Thread& thread) {
    SlabBuffer& collected = thread.a;
    collected.clear();
    if (step.crossing >= 0) bring(static_cast<std::size_t>(step.crossing), slab, collected);
    else walk(slab, step.column, size_.height - 1, step.row, thread, [](int) {});
    const std::uint64_t* const here = current_.words(slab, cell(step.row, step.column));
    if (here != nullptr) collected.unite(kernels_, here);
    // 1: possibly nonempty; the exact count is not needed.
    staged_.set_count(slab, step.staged, collected.empty() ? 0 : 1);
    if (collected.empty()) return;
    std::copy_n(collected.data(), layout_.stride(), staged_.words(slab, step.staged));
  }

  bool make_stage(int stage, const Progress& progress) {
    std::vector<Crossing> crossings;
    const std::vector<Step> steps = plan_stage(stage, crossings);
    const Pass pass = pass_of(steps, crossings);
    const auto compute = [&](std::uint64_t slab, Thread& thread) {
      for (const Step& step : steps) make_step(slab, step, thread);
    };
    return run_pass(pass, std::move(crossings), compute, progress).has_value();
  }

  std::optional<Level> make_level(const Progress& progress, const Decide& decide) {
    // For each column: what leaves the slab upwards into row 0, and downwards into row `steps`.
    std::vector<Crossing> crossings;
    for (const ColumnStages::Column& column : stages_.columns) {
      if (column.steps == 0) continue;
      crossings.push_back(leaving(true, 1, column));
      crossings.push_back(leaving(false, column.steps - 1, column));
    }
    // Collected states also belong to the rows.
    const unsigned staged = (1U << staged_.planes()) - 1;
    return run_pass(
        {{current_, {&staged_, staged}}, previous_, true}, std::move(crossings),
        [this](std::uint64_t slab, Thread& thread) { compute(slab, thread); }, progress, decide);
  }

  void compute(std::uint64_t slab, Thread& thread) {
    if (thread.planes.empty()) {
      thread.planes.assign(static_cast<std::size_t>(layout_.cells()), SlabBuffer(layout_));
    }
    for (SlabBuffer& plane : thread.planes) plane.clear();
    std::size_t crossing = 0;
    for (const ColumnStages::Column& column : stages_.columns) {
      const auto next = [&](int row) -> SlabBuffer& {
        return thread.planes[static_cast<std::size_t>(cell(row, column.number))];
      };
      const auto found = [&](int row) { next(row).unite(kernels_, thread.a.data()); };
      thread.a.clear();
      walk(slab, column.number, size_.height - 1, column.steps, thread, found);
      for (int row = 1; row < column.steps; ++row) {
        for (const int staged : {column.up(row), column.down(row)}) {
          if (staged_.active(slab, staged)) next(row).unite(kernels_, staged_.words(slab, staged));
        }
      }
      thread.a.clear();
      if (column.steps > 0) {
        bring(crossing++, slab, next(0));
        bring(crossing++, slab, thread.a);
        if (!thread.a.empty()) found(column.steps);
      }
      walk(slab, column.number, column.steps, size_.height - 1, thread, found);
    }
    for (int row = 0; row < size_.height; ++row) finish_row(slab, row, thread);
  }

  void finish_row(std::uint64_t slab, int row, Thread& thread) {
    SlabBuffer& united = thread.a;
    united.clear();
    for (int column = 0; column < size_.width; ++column) {
      const std::uint64_t* const words = current_.words(slab, cell(row, column));
      if (words != nullptr) united.unite(kernels_, words);
    }
    for (int column = 0; column < size_.width; ++column) {
      const int at = cell(row, column);
      SlabBuffer& found = thread.planes[static_cast<std::size_t>(at)];
      if (found.empty() && united.empty()) {
        previous_.layer->set_count(slab, at, 0);
        continue;
      }
      const std::uint64_t* const base = found.empty() ? united.data() : found.data();
      const bool both = !found.empty() && !united.empty();
      finish_plane(slab, at, base, both ? united.data() : nullptr, nullptr, thread);
    }
  }

  ColumnStages stages_;
  Layer& staged_;
};

}  // namespace

std::unique_ptr<LevelEngine> make_multi_engine(const RankContext& context) {
  return std::make_unique<MultiEngine>(context);
}

}  // namespace tessera
