// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/ida_star.hpp"

namespace tessera {

/// The beam searches of one board and the best solution that they found.
class IncumbentSearch {
 public:
  /// Those that were saved count as run, even where no more are to be run.
  IncumbentSearch(const Problem& problem, const IdaStarOptions& options, BeamExecutor& executor,
                  const Limits& limits, Observer& observer);

  /// Searches of this width, where that is asked for; without a proof to follow ever wider ones
  /// until one of them finds a solution. The observer is shown each better solution beside `lower`,
  /// the length proven necessary.
  void run_first(int lower);
  /// Searches ever wider as long as that costs little beside the proof: `nodes` are what the bound
  /// that comes next is estimated to expand, each one after it `growth` times as many. The observer
  /// is shown each better solution.
  void run_before(int bound, double nodes, double growth);

  /// Shows the observer the best solution, if there is one, beside the length proven necessary.
  void show(int lower) const;

  [[nodiscard]] const std::optional<Incumbent>& best() const { return best_; }
  /// The best one's length, or no_bound.
  [[nodiscard]] int length() const { return best_ ? best_->length : no_bound; }
  /// Wall time of all searches, including one that a limit ended.
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

 private:
  void run(std::uint64_t width, int lower);
  void note(const FinishedBeam& beam);
  [[nodiscard]] std::uint64_t last_width() const;
  // Evaluations that a proof which begins at this bound is worth.
  [[nodiscard]] double worth(int bound, double nodes, double growth) const;
  [[nodiscard]] bool fits(std::uint64_t width) const;

  const Problem& problem_;
  const IncumbentOptions& options_;
  SearchJournal* journal_;
  BeamExecutor& executor_;
  const Limits& limits_;
  Observer& observer_;
  std::optional<Incumbent> best_;
  std::vector<FinishedBeam> beams_;
  std::uint64_t evaluated_ = 0;
  double seconds_ = 0;
  std::optional<Stop> stop_;
};

}  // namespace tessera
