// SPDX-License-Identifier: MIT
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <optional>
#include <vector>

#include "cluster/messages.hpp"
#include "cluster/polling.hpp"
#include "cluster/rank_record.hpp"
#include "cluster/rounds.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/random.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/threads/subtree_pool.hpp"

namespace tessera {

/// One rank's part of one execution, the same on every rank: its threads search, its main thread
/// answers and sends messages until a round tells all ranks that it is over.
///
///   scatter ->  [ search | steal: request -> work | finished -> master | rounds ]
///           ->  no more messages under way (meet) -> all-reduce -> gather
///
/// A rank without work asks a random one. That one gives half of the subtrees that wait there, or,
/// where none waits, remembers the thief and has its running subtrees cut. Refused by some, it asks
/// its lifelines, the ranks 1, 2, 4, ... further on, which answer once they have work themselves
/// (Saraswat et al. 2011): so whoever still has some near the end is known to log2(ranks) others,
/// and it spreads from there. All requests are answered, also after the end; so once all ranks have
/// met with no answer outstanding, nothing is under way.
///
/// The end (Mattern 1987): if as many subtrees were completed in one round as were created in the
/// next, all were completed by the end of the first, since neither figure ever falls.
class RankExecution {
 public:
  RankExecution(const Session& session, SubtreePool& pool, const Announcement& announcement);

  /// Takes this rank's first items; collective.
  void begin(const std::vector<std::vector<PooledItem>>& items_by_rank);

  /// What the master does while the execution runs.
  class Master {
   public:
    virtual ~Master() = default;
    /// The sums of the last round, often; true stops the execution.
    virtual bool stops(const Round& sums) = 0;
    virtual void keep(std::vector<FinishedSubtree> finished) = 0;
    /// Ranks that have not answered for long, or none where they do again.
    virtual void unanswered(const std::vector<int>& ranks) = 0;
  };
  /// Runs until the end; `master` on rank 0 only.
  void run(Master* master);
  /// Whether every subtree was searched to its end.
  [[nodiscard]] bool exhausted() const { return exhausted_; }

  /// Ends together; collective. The results of all ranks are on the master only.
  struct End {
    ReducedResult reduced;
    std::vector<std::uint64_t> expanded;  // by item
    std::vector<RankResult> ranks;
  };
  [[nodiscard]] End end(Master* master);

  /// What this rank did, after `end`.
  [[nodiscard]] const WorkFigures& figures() const { return record_.figures; }

 private:
  struct Thief {
    int rank;
    int threads;  // that have nothing to do
    bool patient = false;
  };

  void receive(Master* master);
  void answer_thieves(const SubtreePool::Status& status);
  void steal(const SubtreePool::Status& status);
  void ask_lifelines();
  /// The distance to a lifeline, which is a power of two; 0 where the victim is none.
  [[nodiscard]] std::uint32_t lifeline(int victim) const;
  [[nodiscard]] bool is_asked(int victim) const;
  void note_answer(int victim, std::size_t items);
  void tell(Master* master);
  void watch_ranks(Master& master);
  /// Whether the execution is over.
  bool go_round(const SubtreePool::Status& status, Master* master);
  template <class Message>
  void send(int rank, MessageTag tag, const Message& message);
  void forget_sent();
  [[nodiscard]] ReducedResult all_reduced(const Counts& mine, int next_bound) const;
  void note_figures(const SubtreePool::Collected& collected);

  const Session& session_;
  const boost::mpi::communicator& world_;
  SubtreePool& pool_;
  Task task_;
  std::uint32_t number_;
  std::size_t items_;
  std::vector<boost::mpi::request> sent_;

  Rounds rounds_;
  std::optional<Round> last_sum_;
  bool over_ = false;
  Stopwatch since_round_;  // ended
  bool stopped_ = false;   // the master's word, on the master
  bool exhausted_ = false;

  Random random_;
  std::vector<Thief> thieves_;   // that wait for a subtree to be cut, or for work to come
  std::vector<int> asked_;       // victims that have not answered yet
  std::uint32_t lifelines_ = 0;  // those that have not, the sum of their distances
  int refusals_ = 0;
  Stopwatch since_request_;
  Stopwatch since_refusal_;

  TellClock tell_clock_;
  std::uint64_t told_ = 0;
  std::vector<std::uint64_t> received_;  // FinishedMessages, on the master by rank

  std::vector<bool> pinged_;  // on the master, by rank: a ping was not answered yet
  bool warned_ = false;

  PoliteSleep idle_sleep_;
  double communicate_seconds_ = 0;
  RankRecord record_;
  Stopwatch since_begin_;
};

}  // namespace tessera
