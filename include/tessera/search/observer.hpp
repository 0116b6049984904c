// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/search/bracket.hpp"
#include "tessera/search/subtree_search.hpp"
#include "tessera/search/timeline.hpp"
#include "tessera/search/work_figures.hpp"

namespace tessera {

/// A row of the table that a person sees, and of `iterations` in JSON.
struct IterationReport {
  int bound = 0;
  Counts counts = {};
  double seconds = 0;
  double idle_fraction = 0;  ///< waiting / (wall x workers)
  bool complete = true;      ///< false where a limit cut it
  bool timed = true;         ///< false where its time is part of another row's
};

/// A moment of a running search.
struct Progress {
  int bound = 0;
  Counts counts = {};  ///< of the board so far
  std::size_t items_done = 0;
  std::size_t items = 0;
};

/// A moment of a running beam search, after a layer.
struct BeamProgress {
  std::uint64_t width = 0;
  int layer = 0;
  std::uint64_t evaluated = 0;  ///< boards, by all ranks
  double seconds = 0;

  [[nodiscard]] double evaluated_per_second() const {
    return seconds > 0 ? static_cast<double>(evaluated) / seconds : 0;
  }
};

/// How the core reports what happens; it prints nothing itself. All calls come from one thread.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void iteration_started(int /*bound*/) {}
  virtual void iteration_finished(const IterationReport& /*report*/) {}
  /// A solution of that length stands; better ones may follow with independent bounds.
  virtual void incumbent(int /*length*/) {}
  /// The bracket around the optimal length has become narrower.
  virtual void bracket(const Bracket& /*bracket*/) {}
  /// Ranks that have not answered for half a minute, so that the search waits; none: they do again.
  virtual void unanswered(const std::vector<int>& /*ranks*/) {}
  /// What threads did since the last call, where a trace is asked for: after each execution, and at
  /// the board's end.
  virtual void traced(const std::vector<Track>& /*tracks*/) {}
  /// What this process did in an execution; other ranks keep their own figures.
  virtual void worked(int /*bound*/, const WorkFigures& /*figures*/) {}
  /// Often: some hundred times a second. The receiver draws as seldom as it likes.
  virtual void progress(const Progress& /*progress*/) {}
  /// The same of a beam search, after each layer.
  virtual void beam_progress(const BeamProgress& /*progress*/) {}
};

/// Passes everything on to several.
class Observers final : public Observer {
 public:
  void add(Observer& observer) { all_.push_back(&observer); }

  void iteration_started(int bound) override { pass(&Observer::iteration_started, bound); }
  void iteration_finished(const IterationReport& report) override {
    pass(&Observer::iteration_finished, report);
  }
  void incumbent(int length) override { pass(&Observer::incumbent, length); }
  void bracket(const Bracket& bracket) override { pass(&Observer::bracket, bracket); }
  void unanswered(const std::vector<int>& ranks) override { pass(&Observer::unanswered, ranks); }
  void traced(const std::vector<Track>& tracks) override { pass(&Observer::traced, tracks); }
  void worked(int bound, const WorkFigures& figures) override {
    pass(&Observer::worked, bound, figures);
  }
  void progress(const Progress& progress) override { pass(&Observer::progress, progress); }
  void beam_progress(const BeamProgress& progress) override {
    pass(&Observer::beam_progress, progress);
  }

 private:
  template <class Call, class... Facts>
  void pass(Call call, const Facts&... facts) {
    for (Observer* each : all_) (each->*call)(facts...);
  }

  std::vector<Observer*> all_;
};

}  // namespace tessera
