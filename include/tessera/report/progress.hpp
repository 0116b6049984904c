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

/// What a person sees of a running search on standard error: rows of bounds as they end, and how
/// far the current one is: redrawn in place on a terminal, else a plain line every 30 s at most.
class ProgressObserver final : public Observer {
 public:
  ProgressObserver(Output& output, ProgressStyle style, bool bound_rows);

  /// By rank, for warnings.
  void ranks_are_on(std::vector<std::string> hosts) { hosts_ = std::move(hosts); }
  /// Whose progress is shown from now on.
  void board_started(std::string id);
  /// Takes a redrawn line away, before something else is printed.
  void clear();

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
  [[nodiscard]] std::string line(const Progress& progress) const;
  void show(const std::string& line);
  [[nodiscard]] bool due();

  Output& output_;
  bool redraw_;
  bool shown_;
  bool bound_rows_;
  bool drawn_ = false;
  std::vector<std::string> hosts_;
  std::string id_;
  std::optional<int> upper_;  ///< the best solution's length that was shown
  Stopwatch since_board_;
  Stopwatch since_iteration_;
  std::vector<IterationReport> iterations_;
  double next_seconds_ = 0;
};

}  // namespace tessera
