// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/search/bracket.hpp"
#include "tessera/search/subtree_search.hpp"
#include "tessera/search/subtree_walk.hpp"
#include "tessera/search/timeline.hpp"

namespace tessera {

/// What one process did in one execution.
struct WorkFigures {
  int threads = 1;
  std::uint64_t dealt = 0;     ///< subtrees that it began with
  std::uint64_t searched = 0;  ///< subtrees, among them cut and stolen ones
  std::uint64_t cut = 0;       ///< from running ones
  std::uint64_t given = 0;     ///< to other ranks
  std::uint64_t stolen = 0;    ///< from other ranks
  std::uint64_t requests = 0;  ///< to other ranks
  std::uint64_t refusals = 0;  ///< answers without work that it got
  std::uint64_t rounds = 0;    ///< sums over ranks that it took part in
  std::uint64_t expanded = 0;
  double seconds = 0;         ///< wall
  double search_seconds = 0;  ///< summed over threads
};

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
/// What an observer does not override it passes on to those that were added to it.
class Observer {
 public:
  virtual ~Observer() = default;
  void add(Observer& observer) { added_.push_back(&observer); }

  virtual void iteration_started(int bound) { pass(&Observer::iteration_started, bound); }
  virtual void iteration_finished(const IterationReport& report) {
    pass(&Observer::iteration_finished, report);
  }
  /// A solution of that length stands; better ones may follow with independent bounds.
  virtual void incumbent(int length) { pass(&Observer::incumbent, length); }
  /// The bracket around the optimal length has become narrower.
  virtual void bracket(const Bracket& bracket) { pass(&Observer::bracket, bracket); }
  /// Ranks that have not answered for half a minute, so that the search waits; none: they do again.
  virtual void unanswered(const std::vector<int>& ranks) { pass(&Observer::unanswered, ranks); }
  /// What threads did since the last call, where a trace is asked for: after each execution, and at
  /// the board's end.
  virtual void traced(const std::vector<Track>& tracks) { pass(&Observer::traced, tracks); }
  /// What this process did in an execution; other ranks keep their own figures.
  virtual void worked(int bound, const WorkFigures& figures) {
    pass(&Observer::worked, bound, figures);
  }
  /// Often: some hundred times a second. The receiver draws as seldom as it likes.
  virtual void progress(const Progress& progress) { pass(&Observer::progress, progress); }
  /// The same of a beam search, after each layer.
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

/// What an unfinished run recorded of a board's search. The search continues from it.
struct SavedSearch {
  std::vector<IterationReport> iterations;  ///< complete, without a solution
  int next_bound = no_bound;                ///< to be searched next, unless `iterations` is empty
  std::vector<FinishedSubtree> finished;    ///< at the next bound
  double bound_seconds = 0;                 ///< spent on the next bound so far
  std::vector<FinishedBeam> beams = {};     ///< in the order in which they were run
};

/// Records a search as it goes on, so that a killed run can be resumed. Called by one thread.
class SearchJournal {
 public:
  virtual ~SearchJournal() = default;
  /// An iteration is complete and holds no solution.
  virtual void iteration_finished(const IterationReport& report, int next_bound) = 0;
  virtual void beam_finished(const FinishedBeam& beam) = 0;
  /// Subtrees finished within `bound` since the last call. `seconds`: spent on the bound so far,
  /// earlier runs included.
  virtual void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                 double seconds) = 0;
};

}  // namespace tessera
