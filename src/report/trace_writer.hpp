// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "report/board_result.hpp"
#include "report/output.hpp"
#include "search/observer.hpp"
#include "solver/workers.hpp"

namespace tessera {

/// Writes what each thread of each rank did as Chrome trace events, for https://ui.perfetto.dev or
/// chrome://tracing: a rank is a process, its main thread is `main`, its search threads are `search
/// N`; boards and iterations are the first track of rank 0. Times are microseconds since
/// construction.
///
/// The file is written from the first iteration on, so that a search that is refused leaves an
/// earlier file alone. It is complete JSON after each write: a killed run loses only its last
/// iteration.
class TraceWriter final : public Observer {
 public:
  TraceWriter(Output output, const RunSetup& setup, const std::vector<RankPlace>& places);

  void board_started(const std::string& id);
  void board_finished(const BoardResult& result);

  void iteration_started(int bound) override;
  void iteration_finished(const IterationReport& report) override;
  void incumbent(int length) override;
  void traced(const std::vector<Track>& tracks) override;

  /// Writes what is left. Throws the Error that prevented writing, if any: that does not end a
  /// search.
  void end();

 private:
  void add(const std::string& event);
  /// Adds an event now, on the track of boards and iterations.
  void note(std::string_view phase, std::string_view name, std::string_view more = "");
  void write();

  Output output_;
  std::int64_t start_;
  std::string events_;  // not written yet
  std::exception_ptr failure_;
  int bound_ = 0;
  bool open_ = false;  // whether an iteration was started
  std::uint64_t steals_ = 0;
};

}  // namespace tessera
