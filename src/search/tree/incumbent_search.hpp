// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/own_heuristic.hpp"
#include "puzzle/move_sequence.hpp"
#include "search/tree/ida_star.hpp"
#include "search/tree/search_costs.hpp"

namespace tessera {

/// The beam searches of one board and the best solution that they found. They take turns at
/// searching from the start and from the goal, each twice as wide as the one before, if the
/// heuristic needs no tables: the other end would need others. Otherwise all are from the start,
/// each four times as wide (docs/decisions/0031-beam-order.md).
class IncumbentSearch {
 public:
  /// Saved searches count as run, even if no more are to be run.
  IncumbentSearch(const Problem& problem, const IdaStarOptions& options, SubtreeExecutor& executor,
                  const Limits& limits, Observer& observer)
      : problem_(problem),
        options_(options.incumbent),
        from_goal_(options_.automatic || options_.width > 0 ? reversed(problem) : std::nullopt),
        costs_(problem.metric == Metric::multi
                   ? multi_costs
                   : beam_costs(problem.instance.size(), problem.heuristic, problem.prune)),
        journal_(options.journal),
        executor_(executor),
        limits_(unlimited_nodes(limits)),
        observer_(observer) {
    for (const FinishedBeam& beam : options.saved.beams) note(beam);
  }

  /// Runs a search of the requested width, if any; without a subsequent proof, ever wider ones
  /// until one finds a solution. Shows the observer each better solution together with `lower`, the
  /// proven lower bound on the length.
  void run_first(int lower) {
    show(lower);  // from an earlier run
    if (options_.width == 0) return;
    std::uint64_t width = std::max(last_width(), options_.width);
    if (last_width() < width) run(width, lower);
    while (!options_.prove && !best_ && !stop_ && fits(widening() * width)) {
      run(width *= widening(), lower);
    }
  }

  /// Runs ever wider searches as long as they are cheap compared to the next bound, which is
  /// estimated to expand `nodes`. Shows the observer each better solution.
  void run_before(int bound, double nodes) {
    if (!options_.automatic) return;
    while (!stop_ && length() > bound) {
      const std::uint64_t width = std::max(first_width, widening() * last_width());
      const double layers = best_ ? best_->length : expected_length * bound;
      const double evaluations = children * layers * static_cast<double>(width);
      // A beam that finds nothing may expand far more layers than expected: it must not delay the
      // next.
      const double all = (best_ ? static_cast<double>(best_->evaluated) : 0) + evaluations;
      // With `zero` an evaluation has no finite cost, and the first bound is 0: not a number.
      const bool pays = costs_.evaluation * all <= share(bound, layers) * nodes;
      if (!pays || !fits(width)) break;
      run(width, bound);
    }
  }

  /// Shows the observer the best solution, if any, together with the proven lower bound.
  void show(int lower) const {
    if (best_) observer_.bracket({lower, length()});
  }

  [[nodiscard]] const std::optional<Incumbent>& best() const { return best_; }
  /// The best solution's length, or no_bound.
  [[nodiscard]] int length() const { return best_ ? best_->length : no_bound; }
  /// Wall time of all searches, including one stopped by a limit.
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

 private:
  static constexpr std::uint64_t first_width = 1024;
  // The length of the first solution per bound.
  static constexpr double expected_length = 1.3;
  // What the share grows by with each bound that the proof is further away, up to a multiple of the
  // next bound: if the proof is out of reach, beams get most of the time, since a bound more takes
  // ten times as long and gains two moves.
  static constexpr double share_growth = 1.2;
  static constexpr double most_share = 3;
  // On 5x5, a beam of metric multi evaluates 5 million boards per second, and its kernel expands as
  // many nodes.
  static constexpr BeamCosts multi_costs{.evaluation = 1, .share = 0.06};
  // Average children of a board in the middle of a search, without the move back.
  static constexpr double children = 2.2;

  // The limit counts the nodes of IDA* only.
  static Limits unlimited_nodes(Limits limits) {
    limits.nodes = 0;
    return limits;
  }

  // The search from the goal to the start; empty if its heuristic would need other tables or may
  // not be for any goal.
  static std::optional<Problem> reversed(const Problem& problem) {
    const Instance& instance = problem.instance;
    const HeuristicSpec spec = parse_heuristic(problem.heuristic);
    const bool is_own = std::ranges::any_of(spec.parts, [](const HeuristicSpec::Part& part) {
      return own_heuristic(part.name) != nullptr;
    });
    if (is_own || !table_requests(spec, instance.size(), instance.goal_blank).empty()) return {};
    Problem back = problem;
    back.instance = make_instance(instance.goal(), instance.start);
    return back;
  }
  [[nodiscard]] std::uint64_t widening() const { return from_goal_ ? 2 : 4; }

  void run(std::uint64_t width, int lower) {
    const bool is_back = from_goal_ && beams_.size() % 2 == 1;
    BeamResult found = executor_.beam(
        is_back ? *from_goal_ : problem_,
        {.width = width, .seed = options_.seed, .shorter_than = length()}, limits_, observer_);
    if (is_back && found.moves) found.moves = undone(*found.moves);
    stop_ = found.stop;
    if (stop_) {
      seconds_ += found.seconds;
      return;
    }
    const FinishedBeam beam{.width = width,
                            .evaluated = found.evaluated,
                            .seconds = found.seconds,
                            .moves = found.moves.value_or("")};
    if (journal_ != nullptr) journal_->beam_finished(beam);
    note(beam);
    if (!beam.moves.empty()) show(lower);
  }

  void note(const FinishedBeam& beam) {
    beams_.push_back(beam);
    best_ = best_of(beams_, problem_.metric);
    seconds_ += beam.seconds;
  }

  [[nodiscard]] std::uint64_t last_width() const {
    return beams_.empty() ? 0 : beams_.back().width;
  }

  // How many times the cost of this bound all beams together are worth before it, if the incumbent
  // has that length.
  [[nodiscard]] double share(int bound, double length) const {
    double share = costs_.share;
    // Bounds up to the last that can contain a shorter solution.
    const int step = length_step(problem_.metric);
    for (int next = bound + step; next < length && share < most_share; next += step) {
      share *= share_growth;
    }
    return std::min(share, most_share);
  }

  [[nodiscard]] bool fits(std::uint64_t width) const {
    return beam_bytes(problem_, width, executor_.beam_ranks(width)) <= options_.memory_bytes;
  }

  const Problem& problem_;
  const IncumbentOptions& options_;
  const std::optional<Problem> from_goal_;
  BeamCosts costs_;
  SearchJournal* journal_;
  SubtreeExecutor& executor_;
  const Limits limits_;
  Observer& observer_;
  std::optional<Incumbent> best_;
  std::vector<FinishedBeam> beams_;
  double seconds_ = 0;
  std::optional<Stop> stop_;
};

}  // namespace tessera
