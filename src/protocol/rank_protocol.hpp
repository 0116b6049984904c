// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "protocol/deal.hpp"
#include "protocol/termination_detection.hpp"
#include "search/tree/balance_policy.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// The state of a rank's search threads.
struct PoolLoad {
  std::size_t waiting = 0;  ///< subtrees in queues
  std::size_t running = 0;  ///< subtrees being searched
  Round figures = {};       ///< since the execution began; `stops` is the protocol's
};

/// The actions that the protocol decides on. Its caller carries them out immediately.
class RankActions {
 public:
  virtual ~RankActions() = default;
  /// Sends a request; `idle_threads` threads of this rank are idle. A patient request is answered
  /// only with work, or after the end.
  virtual void ask(int victim, int idle_threads, bool patient) = 0;
  /// Moves the thief's share from the pool into an answer. Returns the number of subtrees; sends
  /// nothing if there are none.
  virtual std::size_t give(int thief, const Share& share) = 0;
  /// Sends an answer without work.
  virtual void refuse(int thief) = 0;
  /// `idle_threads` threads of other ranks wait for running subtrees to be cut.
  virtual void cut_for(int idle_threads) = 0;
  /// Contributes to the next round; `RankProtocol::round_completed` returns the sums.
  virtual void begin_round(const Round& mine) = 0;
};

/// How a rank balances the load of an execution and detects its end: one state machine without
/// messages, clock or threads of its own. Ranks drive it with MPI (cluster/search/rank_execution),
/// the simulator with events (model/replay).
///
/// Work stealing: a rank without waiting subtrees asks a random victim, which gives it a share, or
/// remembers the thief and has running subtrees cut, or refuses if fewer than half of its threads
/// are busy. After several refusals in a row, an idle rank asks its lifelines, the ranks 1, 2, 4,
/// ... further on, which answer once they have work (Saraswat et al. 2011): near the end, each rank
/// with work is known to log2(ranks) others, and the work spreads from there. Every request gets
/// exactly one answer, even after the end.
///
/// The end is detected by rounds of sums: TerminationDetection.
class RankProtocol {
 public:
  struct Place {
    int rank = 0;
    int ranks = 1;
    int threads = 1;
  };
  struct Rules {
    Schedule schedule = Schedule::stealing;
    bool cuts = true;              ///< running subtrees can be cut for others
    bool ends_at_solution = true;  ///< a goal on any rank ends the execution
  };
  /// Returned by `act`: call it again only after a message or a change of the pool.
  static constexpr double never = TerminationDetection::never;

  /// Times are seconds since construction.
  RankProtocol(const Place& place, const Rules& rules, Random random)
      : place_(place),
        rules_(rules),
        random_(random),
        rest_(balance.rest_seconds),
        detection_(balance.round_seconds) {}

  // ---- events
  void asked_by(int thief, int idle_threads, bool patient);
  void answered_by(int victim, std::size_t subtrees, double now);
  void round_completed(const Round& sums, double now) { detection_.round_completed(sums, now); }
  /// On the master: a limit is reached.
  void stop() { stopped_ = true; }

  /// Carries out what is due. Returns the time of the next call, unless a message arrives, the pool
  /// runs out of waiting subtrees or a thread runs out of work earlier; early calls are harmless.
  double act(double now, const PoolLoad& load, RankActions& actions);

  /// Why the execution is over, once it is. After that, `act` only refuses thieves.
  [[nodiscard]] std::optional<Ending> ending() const { return detection_.ending(); }
  /// Whether every subtree was searched to its end.
  [[nodiscard]] bool is_exhausted() const { return detection_.is_exhausted(); }
  /// Whether all requests of this rank have been answered.
  [[nodiscard]] bool is_settled() const { return asked_.empty() && lifelines_ == 0; }
  /// The sums of the last round.
  [[nodiscard]] const Round& sums() const { return detection_.sums(); }

 private:
  struct Thief {
    int rank;
    int idle_threads;
    bool patient;
  };

  [[nodiscard]] std::size_t answer_thieves(const PoolLoad& load, RankActions& actions);
  [[nodiscard]] double steal(double now, const PoolLoad& load, RankActions& actions);
  void ask_lifelines(RankActions& actions);
  /// The distance to a lifeline, a power of two; 0 if the victim is not a lifeline.
  [[nodiscard]] std::uint32_t lifeline(int victim) const;
  [[nodiscard]] bool is_asked(int victim) const;
  [[nodiscard]] double join_round(double now, const PoolLoad& load, RankActions& actions);

  Place place_;
  Rules rules_;
  Random random_;

  std::vector<Thief> thieves_;   // waiting for a subtree to be cut, or for work to arrive
  std::vector<int> asked_;       // victims that have not answered yet
  std::uint32_t lifelines_ = 0;  // unanswered lifelines, as the sum of their distances
  int refusals_ = 0;             // in a row
  double rest_;                  // pause after a series of refusals, while all threads are busy
  double asked_at_ = 0;
  double answered_at_ = 0;

  TerminationDetection detection_;
  bool stopped_ = false;
};

}  // namespace tessera
