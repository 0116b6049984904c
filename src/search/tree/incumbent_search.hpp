// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "puzzle/move_sequence.hpp"
#include "search/tree/ida_star.hpp"
#include "search/tree/search_costs.hpp"

namespace tessera {

/// The beam searches of one board and the best solution that they found. They take turns at
/// searching from the start and from the goal, each twice as wide as the one before
/// (docs/decisions/0031-beam-order.md).
class IncumbentSearch {
 public:
  /// Saved searches count as run, even if no more are to be run.
  IncumbentSearch(const Problem& problem, const IdaStarOptions& options, SubtreeExecutor& executor,
                  const Limits& limits, Observer& observer)
      : problem_(problem),
        options_(options.incumbent),
        costs_(beam_costs(problem)),
        journal_(options.journal),
        executor_(executor),
        limits_(limits),
        observer_(observer) {
    limits_.nodes = 0;  // the limit counts the nodes of IDA* only
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
    while (!options_.prove && !best_ && !stop_ && fits(2 * width)) run(width *= 2, lower);
  }

  /// Runs ever wider searches as long as they are cheap compared to the next bound, which is
  /// estimated to expand `nodes`. If that would take far longer than the deadline leaves, searches
  /// get all that time, the last one as wide as fits. Shows the observer each better solution.
  void run_before(int bound, double nodes) {
    if (!options_.automatic) return;
    while (!stop_ && length() > bound) {
      std::uint64_t width = std::max(first_width, 2 * last_width());
      const double layers = best_ ? best_->length : expected_length * std::max(bound, 1);
      const double left = evaluations_left();
      const bool is_hopeless = costs_.evaluation * out_of_reach * left < nodes;
      if (const double most = left / (children * layers);
          is_hopeless && most < static_cast<double>(width)) {
        width = static_cast<std::uint64_t>(most);
        if (width < first_width || std::exchange(is_cut_short_, true)) break;
      }
      const double evaluations = children * layers * static_cast<double>(width);
      // A beam that finds nothing may expand far more layers than expected: it must not delay the
      // next.
      const double all = (best_ ? static_cast<double>(best_->evaluated) : 0) + evaluations;
      const bool pays = is_hopeless || costs_.evaluation * all <= share(bound, layers) * nodes;
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
  /// The part of it in searches that ran on rank 0 only, without saved ones.
  [[nodiscard]] double seconds_on_one_rank() const { return seconds_on_one_rank_; }
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

 private:
  static constexpr std::uint64_t first_width = 1024;
  static constexpr std::uint64_t least_width_per_worker = 4096;
  // The length of the first solution per bound.
  static constexpr double expected_length = 1.3;
  // What the share grows by with each bound that the proof is further away, up to a multiple of the
  // next bound: if the proof is out of reach, beams get most of the time, since a bound more takes
  // ten times as long and gains two moves.
  static constexpr double share_growth = 1.2;
  static constexpr double most_share = 3;
  // A bound is hopeless if it would take so many times the time that is left.
  static constexpr double out_of_reach = 2;
  // Average children of a board in the middle of a search, without the move back.
  static constexpr double children = 2.2;

  void run(std::uint64_t width, int lower) {
    const bool is_back = beams_.size() % 2 == 1;
    Problem problem = problem_;
    if (is_back)
      problem.instance = make_instance(problem_.instance.goal(), problem_.instance.start);
    BeamResult found =
        executor_.beam(problem, {.width = width, .seed = options_.seed, .shorter_than = length()},
                       limits_, observer_);
    if (is_back && found.moves) found.moves = undone(*found.moves);
    if (executor_.beam_ranks(width) == 1) seconds_on_one_rank_ += found.seconds;
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
    return beams_.empty() ? 0 : std::ranges::max(beams_, {}, &FinishedBeam::width).width;
  }

  // How many evaluations take most of the time until the deadline, at the speed of the last search.
  // A narrow one has no work for all workers, and says nothing.
  [[nodiscard]] double evaluations_left() const {
    const auto least_width =
        least_width_per_worker * static_cast<std::uint64_t>(executor_.workers());
    if (!limits_.deadline || last_width() < least_width || beams_.back().seconds <= 0) {
      return std::numeric_limits<double>::infinity();
    }
    const std::chrono::duration<double> left = *limits_.deadline - Stopwatch::Clock::now();
    const FinishedBeam& last = beams_.back();
    const double speed = static_cast<double>(last.evaluated) / last.seconds;
    return 0.95 * std::max(0.0, left.count()) * speed;
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
    return width <= most_beam_width &&
           beam_bytes(problem_, width, executor_.beam_ranks(width)) <= options_.memory_bytes;
  }

  const Problem& problem_;
  const IncumbentOptions& options_;
  BeamCosts costs_;
  SearchJournal* journal_;
  SubtreeExecutor& executor_;
  Limits limits_;
  Observer& observer_;
  std::optional<Incumbent> best_;
  std::vector<FinishedBeam> beams_;
  double seconds_ = 0;
  double seconds_on_one_rank_ = 0;
  bool is_cut_short_ = false;  // the width of a search, by the deadline
  std::optional<Stop> stop_;
};

}  // namespace tessera
