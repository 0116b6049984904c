// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_output.hpp"
#include "cli/config.hpp"
#include "cli/context.hpp"
#include "cli/crew.hpp"
#include "cli/heuristics.hpp"
#include "cli/solve_tasks.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/progress.hpp"
#include "tessera/report/trace_writer.hpp"
#include "tessera/search/work_log.hpp"

namespace tessera {

/// All that `solve` prints and writes: answers, the table of boards, progress, JSON, trace and log.
/// Refers to the configuration.
class SolveOutput {
 public:
  /// Opens the files. Throws Error where one cannot be written.
  SolveOutput(const Config& config, bool many);

  /// Once the ranks are there: what searches report to.
  void begin(const Crew& crew, std::optional<WorkLog>& log);
  [[nodiscard]] Observer& observer() { return observers_; }
  [[nodiscard]] ProgressObserver& progress() { return *progress_; }

  /// The heading of the table that follows, `bounds` or boards.
  void write_heading(bool bounds);
  /// Text for people, which --quiet leaves out.
  void remark(const std::string& text) { output_.remark(text); }
  /// What went wrong, in one line.
  void complain(const std::string& line) { output_.complain(line); }
  [[nodiscard]] Output& errors() { return output_.errors(); }

  void board_started(const std::string& id);
  /// Of a search of this board alone.
  void board_finished(const BoardResult& result);
  /// The rest of a board's row, its answer and its JSON.
  void write_result(const BoardResult& result, const RunSetup& setup);

 private:
  const Config& config_;
  const bool many_;
  CommandOutput output_;
  std::optional<Output> trace_file_;  // until the search begins
  std::optional<ProgressObserver> progress_;
  std::optional<TraceWriter> trace_;
  WorkLog* log_ = nullptr;
  Observers observers_;
};

/// What a person reads before a search: how it is laid out, its heuristic and the memory of its
/// tables, a tip where another table would be faster, and what is wrong with the layout.
[[nodiscard]] std::string solve_banner(const Crew& crew,
                                       const std::vector<ChosenHeuristic>& heuristics,
                                       std::uint64_t table_bytes, const Context& context);

}  // namespace tessera
