// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tessera/search/observer.hpp"

namespace tessera {

/// The log file of one rank, DIR/rank-N.log: a line an event, each with its time (UTC), to see
/// which node was slow or stood still. An earlier run's lines are kept, so a run that was killed
/// and goes on is told in one file. On rank 0 it hears as an observer, other ranks write what they
/// did.
class WorkLog final : public Observer {
 public:
  /// Makes the folder where it is missing, and writes host, process and CPUs. Throws Error(input)
  /// where it cannot be written.
  WorkLog(const std::filesystem::path& folder, int rank);
  ~WorkLog() override;

  void threads(int count);
  /// Other ranks than 0 do not know a board's name.
  void board_started(const std::string& id = {});

  void worked(int bound, const WorkFigures& figures) override;
  void iteration_finished(const IterationReport& report) override;
  void incumbent(int length) override;
  void unanswered(const std::vector<int>& ranks) override;

  /// Throws Error(internal) where a line could not be written: a search does not end for that.
  void check() const;

 private:
  void line(const std::string& text);

  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace tessera
