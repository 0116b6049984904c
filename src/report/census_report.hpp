// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"
#include "census/census.hpp"
#include "report/output.hpp"
#include "report/progress.hpp"
#include "report/run_identity.hpp"

namespace tessera {

/// One of the deepest boards, with the solution that proves its depth.
struct DeepBoard {
  Board board;
  std::string moves = {};
  int length = 0;
};

/// Everything that is reported about a complete search.
struct CensusReport {
  Size size;
  std::string goal;
  Metric metric = Metric::single;
  CensusResult result;
  std::vector<DeepBoard> deepest;
  int ranks = 1;
  int threads = 1;  ///< per rank
  RunIdentity run;
};

/// One JSON line of schema tessera.census/1; `radius` is null if the search is not complete.
[[nodiscard]] std::string to_json(const CensusReport& report);
/// "depth,states,seconds", then one line per depth; seconds are empty if it was not searched.
[[nodiscard]] std::string to_csv(const CensusReport& report);
/// Depths, states, shares and seconds, one line per depth, with a bar.
[[nodiscard]] std::string census_table(const CensusReport& report);
/// The answer in one line.
[[nodiscard]] std::string census_answer(const CensusReport& report);

/// The progress of a census on standard error: redrawn in place on a terminal, else a plain line at
/// most every 30 s.
class CensusProgress final : public CensusObserver {
 public:
  /// `states`: of the whole size. `memory_bytes`: used by all ranks together.
  CensusProgress(Output& output, ProgressStyle style, std::uint64_t states,
                 std::uint64_t memory_bytes);

  void resumed(std::uint64_t states, std::uint64_t last) override;
  void level_finished(int depth, std::uint64_t states) override;
  void level_progress(int depth, double done) override;
  void notice(const std::string& text) override;
  void clear() { line_.clear(); }

 private:
  Output& output_;
  ProgressLine line_;
  std::uint64_t states_;
  std::uint64_t memory_bytes_;
  std::uint64_t earlier_ = 0;  // states that an earlier run found
  std::uint64_t found_ = 1;
  std::uint64_t last_ = 1;  // states at the previous depth
  Stopwatch watch_;
};

}  // namespace tessera
