// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera {

/// How far a comparison is, by what its configurations have taken so far: one may take a thousand
/// times as long as another.
class TimeLeft {
 public:
  TimeLeft(std::size_t configurations, int repeat)
      : repeat_(repeat), configurations_(configurations) {}

  /// A run of a configuration begins; it ends with `ended`.
  void begins(std::size_t configuration) { current_ = configuration; }
  void ended(double seconds);
  /// A configuration has no more runs.
  void cut(std::size_t configuration) { configurations_[configuration].cut = true; }

  struct Estimate {
    double done = 0;                     ///< share of the time of all runs
    std::optional<double> seconds_left;  ///< empty until every configuration has run
  };
  /// `seconds` after the current run began.
  [[nodiscard]] Estimate estimate(double seconds = 0) const;

 private:
  struct Runs {
    int count = 0;
    double seconds = 0;
    bool cut = false;
  };
  int repeat_;
  std::vector<Runs> configurations_;
  std::optional<std::size_t> current_;
};

}  // namespace tessera
