// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "search/observer.hpp"

namespace tessera {

/// The log file of one rank, DIR/rank-N.log: one line per event with its time (UTC), to find a slow
/// or stalled node. Lines of earlier runs are kept, so a run that was killed and resumed has one
/// log. Rank 0 logs as an observer, other ranks log what they did.
class WorkLog final : public Observer {
 public:
  /// Creates the folder if it is missing, and logs host, process and CPUs. Throws Error(input) if
  /// it cannot be written.
  WorkLog(const std::filesystem::path& folder, int rank);
  ~WorkLog() override;

  void threads(int count);
  /// Only rank 0 knows a board's name.
  void board_started(const std::string& id = {});

  void worked(int bound, const WorkFigures& figures) override;
  void iteration_finished(const IterationReport& report) override;
  void incumbent(int length) override;

  /// Throws Error(internal) if a line could not be written: that does not end a search.
  void check() const;

 private:
  void line(const std::string& text);

  std::filesystem::path path_;
  std::ofstream file_;
  std::string failure_;  // the system's reason why a line was not written
};

}  // namespace tessera
