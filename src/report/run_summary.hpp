// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "report/board_result.hpp"

namespace tessera {

/// What a run over many boards adds up to. A board searched with two heuristics counts twice.
class RunSummary {
 public:
  void add(const BoardResult& result, const RunIdentity& run);
  /// A few lines for users.
  [[nodiscard]] std::string text() const;
  /// One JSON object of schema tessera.run/1, on one line. `cpu_share`: of all searches.
  [[nodiscard]] std::string json(const RunIdentity& run, const RunSetup& setup,
                                 std::optional<double> cpu_share) const;

 private:
  [[nodiscard]] std::size_t stopped() const { return boards_ - solved_ - unsolvable_; }
  [[nodiscard]] double mean() const;
  /// From the first begin to the last end of a search of this run.
  [[nodiscard]] double seconds() const { return searched_ > 0 ? end_ - begin_ : 0; }
  [[nodiscard]] double boards_per_second() const;

  std::size_t boards_ = 0;
  std::size_t solved_ = 0;
  std::size_t unsolvable_ = 0;
  std::map<int, std::size_t> lengths_;  // of solved boards: how many have each
  Counts counts_;
  std::set<std::string> sizes_;
  std::set<std::string> heuristics_;
  std::size_t searched_ = 0;  // in this run, not in one that it resumes
  double begin_ = std::numeric_limits<double>::infinity();
  double end_ = 0;
};

}  // namespace tessera
