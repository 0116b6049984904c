// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "search/kernels/subtree_search.hpp"
#include "search/record/timeline.hpp"
#include "search/tree/bracket.hpp"
#include "search/tree/subtree_walk.hpp"

namespace tessera {

/// What one process did in one execution.
struct WorkFigures {
  int threads = 1;
  std::uint64_t dealt = 0;     ///< subtrees that it began with
  std::uint64_t searched = 0;  ///< subtrees, including cut and stolen ones
  std::uint64_t cut = 0;       ///< from running ones
  std::uint64_t given = 0;     ///< to other ranks
  std::uint64_t stolen = 0;    ///< from other ranks
  std::uint64_t requests = 0;  ///< to other ranks
  std::uint64_t refusals = 0;  ///< answers without work that it received
  std::uint64_t rounds = 0;    ///< sums over ranks that it took part in
  std::uint64_t expanded = 0;
  double seconds = 0;         ///< wall
  double search_seconds = 0;  ///< summed over threads
};

/// A row of the table of bounds, and of `iterations` in JSON.
struct IterationReport {
  int bound = 0;
  Counts counts = {};
  double seconds = 0;
  double idle_fraction = 0;  ///< waiting / (wall x workers)
  bool complete = true;      ///< false if a limit interrupted it
  bool timed = true;         ///< false if its time is included in another row's
};

/// A snapshot of a running search.
struct Progress {
  int bound = 0;
  Counts counts = {};  ///< of the board so far
  std::size_t items_done = 0;
  std::size_t items = 0;
};

/// A snapshot of a running beam search, after a layer.
struct BeamProgress {
  std::uint64_t width = 0;
  int layer = 0;
  std::uint64_t evaluated = 0;  ///< boards, by all ranks
  double seconds = 0;

  [[nodiscard]] double evaluated_per_second() const {
    return seconds > 0 ? static_cast<double>(evaluated) / seconds : 0;
  }
};

/// How the core reports what happens; it prints nothing itself. All calls come from one thread. By
/// default every call is forwarded to the observers that were added.
class Observer {
 public:
  virtual ~Observer() = default;
  void add(Observer& observer) { added_.push_back(&observer); }

  virtual void iteration_started(int bound) { pass(&Observer::iteration_started, bound); }
  virtual void iteration_finished(const IterationReport& report) {
    pass(&Observer::iteration_finished, report);
  }
  /// A solution of that length was found; with independent bounds, better ones may follow.
  virtual void incumbent(int length) { pass(&Observer::incumbent, length); }
  /// The bracket around the optimal length has become narrower.
  virtual void bracket(const Bracket& bracket) { pass(&Observer::bracket, bracket); }
  /// What threads did since the last call, if a trace is requested: after each execution, and at
  /// the board's end.
  virtual void traced(const std::vector<Track>& tracks) { pass(&Observer::traced, tracks); }
  /// What this process did in an execution; other ranks keep their own figures.
  virtual void worked(int bound, const WorkFigures& figures) {
    pass(&Observer::worked, bound, figures);
  }
  /// Called some hundred times per second. The receiver displays as rarely as it likes.
  virtual void progress(const Progress& progress) { pass(&Observer::progress, progress); }
  /// The same for a beam search, after each layer.
  virtual void beam_progress(const BeamProgress& progress) {
    pass(&Observer::beam_progress, progress);
  }

 private:
  template <class Call, class... Facts>
  void pass(Call call, const Facts&... facts) {
    for (Observer* each : added_) (each->*call)(facts...);
  }

  std::vector<Observer*> added_;
};

/// Calls a function with each sign of progress.
class OnProgress final : public Observer {
 public:
  explicit OnProgress(std::function<void()> call) : call_(std::move(call)) {}
  void progress(const Progress&) override { call_(); }
  void beam_progress(const BeamProgress&) override { call_(); }

 private:
  std::function<void()> call_;
};

/// What an unfinished run recorded of a board's search, which resumes from it.
struct SavedSearch {
  std::vector<IterationReport> iterations;  ///< complete, without a solution
  int next_bound = no_bound;                ///< to be searched next, unless `iterations` is empty
  std::vector<FinishedSubtree> finished;    ///< at the next bound
  double bound_seconds = 0;                 ///< spent on the next bound so far
  std::vector<FinishedBeam> beams = {};     ///< in the order in which they were run

  /// Wall time of all that was recorded.
  [[nodiscard]] double seconds() const {
    double sum = bound_seconds;
    for (const IterationReport& report : iterations) sum += report.seconds;
    for (const FinishedBeam& beam : beams) sum += beam.seconds;
    return sum;
  }
};

/// Records a search in progress, so that a killed run can be resumed. Called by one thread.
class SearchJournal {
 public:
  virtual ~SearchJournal() = default;
  /// An iteration is complete and contains no solution.
  virtual void iteration_finished(const IterationReport& report, int next_bound) = 0;
  virtual void beam_finished(const FinishedBeam& beam) = 0;
  /// Subtrees finished within `bound` since the last call. `seconds`: spent on the bound so far,
  /// earlier runs included.
  virtual void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                 double seconds) = 0;
};

}  // namespace tessera
