// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "report/output.hpp"
#include "search/observer.hpp"

namespace tessera {

enum class ProgressStyle { automatic, plain, none };

/// A line on standard error: redrawn in place on a terminal, cut to its width; a plain line at most
/// every 30 s elsewhere and on terminals without escape codes (no TERM, or TERM=dumb).
class ProgressLine {
 public:
  ProgressLine(Output& output, ProgressStyle style);

  /// Restarts the interval, at 0 seconds.
  void restart() { next_seconds_ = interval_; }
  /// Whether to show the line again, `now` seconds after the start.
  [[nodiscard]] bool due(double now);
  void show(const std::string& text);
  /// Erases a redrawn line before something else is printed.
  void clear();
  /// Prints a line on standard error in the place of one that may be drawn there.
  static void write_above(const std::string& text);

 private:
  Output& output_;
  bool redraw_;
  bool shown_;
  double interval_;
  double next_seconds_;
  bool drawn_ = false;
};

/// The progress of a search on standard error: rows of bounds as they finish, and the progress of
/// the current one.
class ProgressObserver final : public Observer {
 public:
  ProgressObserver(Output& output, ProgressStyle style, bool bound_rows = false);

  /// The board whose progress is shown from now on.
  void board_started(std::string id);
  void clear() { line_.clear(); }

  /// The fraction of the work that is done; the time left is estimated from it.
  void part_done(double done);
  /// The same with an estimate of its own.
  void part_done(double done, std::optional<double> seconds_left);
  /// What is being done, where no such fraction is known.
  void doing(const std::string& what);

  void iteration_started(int bound) override;
  void iteration_finished(const IterationReport& report) override;
  /// Prints a line for each better solution.
  void bracket(const Bracket& bracket) override;
  void progress(const Progress& progress) override;
  void beam_progress(const BeamProgress& progress) override;

 private:
  [[nodiscard]] bool due() { return line_.due(since_board_.seconds()); }

  Output& output_;
  ProgressLine line_;
  bool bound_rows_;
  std::string id_;
  std::optional<int> upper_;  ///< length of the best solution shown so far
  Stopwatch since_board_;
  Stopwatch since_iteration_;
  std::vector<IterationReport> iterations_;
};

}  // namespace tessera
