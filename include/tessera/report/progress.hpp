// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/base/clock.hpp"
#include "tessera/report/output.hpp"
#include "tessera/search/observer.hpp"

namespace tessera {

enum class ProgressStyle { automatic, plain, none };

/// A line on standard error: redrawn in place on a terminal, else a plain one every 30 s at most.
class ProgressLine {
 public:
  ProgressLine(Output& output, ProgressStyle style);

  /// Something new begins, at 0 seconds.
  void restart() { next_seconds_ = interval_; }
  /// Whether to show the line again, so many seconds after the beginning.
  [[nodiscard]] bool due(double now);
  void show(const std::string& text);
  /// Takes a redrawn line away, before something else is printed.
  void clear();

 private:
  Output& output_;
  bool redraw_;
  bool shown_;
  double interval_;
  double next_seconds_;
  bool drawn_ = false;
};

/// What a person sees of a running search on standard error: rows of bounds as they end, and how
/// far the current one is.
class ProgressObserver final : public Observer {
 public:
  ProgressObserver(Output& output, ProgressStyle style, bool bound_rows);

  /// By rank, for warnings.
  void ranks_are_on(std::vector<std::string> hosts) { hosts_ = std::move(hosts); }
  /// Whose progress is shown from now on.
  void board_started(std::string id);
  void clear() { line_.clear(); }

  /// A table is being made, `done` of 1.
  void table_progress(double done);

  void iteration_started(int bound) override;
  void iteration_finished(const IterationReport& report) override;
  /// Each better solution is a line.
  void bracket(const Bracket& bracket) override;
  void progress(const Progress& progress) override;
  void beam_progress(const BeamProgress& progress) override;
  /// Said even where no progress is shown.
  void unanswered(const std::vector<int>& ranks) override;

 private:
  [[nodiscard]] bool due() { return line_.due(since_board_.seconds()); }

  Output& output_;
  ProgressLine line_;
  bool bound_rows_;
  std::vector<std::string> hosts_;
  std::string id_;
  std::optional<int> upper_;  ///< the best solution's length that was shown
  Stopwatch since_board_;
  Stopwatch since_iteration_;
  std::vector<IterationReport> iterations_;
};

}  // namespace tessera
