// SPDX-License-Identifier: MIT
#include "cluster/search/common_work.hpp"

#include <algorithm>
#include <cstring>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/collectives.hpp"
#include "cluster/messages/node_mail.hpp"
#include "cluster/messages/round_reduction.hpp"
#include "search/best_first/best_first_core.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

// Between polls for messages, and between sending batches that are not full: about 1000 expansions
// with Manhattan distance, a few iterations with a slow heuristic.
constexpr double poll_seconds = 0.0002;
constexpr int turns_per_clock = 4;
// Unreceived messages; beyond this a rank stops expanding.
constexpr std::size_t most_unsent = 512;
constexpr double round_seconds = 0.001;  // between rounds while there is work

template <class State>
class RankSearch {
  using Nodes = std::span<const Reached<State>>;

 public:
  RankSearch(const Session& session, const Problem& problem, const BestFirstOptions& options,
             const Limits& limits, Observer& observer)
      : session_(session),
        ranks_(session.size()),
        rank_(session.rank()),
        limits_(limits),
        observer_(observer),
        greedy_(options.order == BestFirstOrder::greedy),
        expander_(make_expander<State>(problem)),
        budget_(options.memory_bytes),
        core_(*expander_, options, budget_, problem.metric),
        mail_(session, budget_),
        rounds_(session) {
    result_.setup_seconds = watch_.lap();
  }

  SearchResult run() {
    const Reached<State> start = core_.start();
    result_.bound = start.h;
    if (owner(start.state) == rank_) core_.push(start);
    work();
    drain();
    result_.seconds = watch_.seconds();
    (void)agree(session_, "unchanged-files", [this] {
      expect_unchanged_mapped_files(earlier_changes_);
      return true;
    });
    if (incumbent_ < no_bound) trace_back();
    gather(start.h);
    return std::move(result_);
  }

 private:
  [[nodiscard]] int owner(const State& state) const { return owner_of(mixed(state.key()), ranks_); }
  [[nodiscard]] int rank_of(const Reached<State>& node) const {
    return greedy_ ? node.h : node.g + node.h;
  }

  // ---- the search

  void work() {
    BackOff sleep(200us);
    while (!detection_.ending()) {
      session_.state().poll();
      mail_.receive([this](Nodes nodes) { receive_nodes(nodes); });
      mine_.times.communicate += lap_.lap();
      const bool expands = has_work() && mail_.batches_under_way() < most_unsent;
      if (expands) {
        expand();
        sleep.reset();
      }
      mine_.times.search += lap_.lap();
      mail_.flush();
      mail_.forget_sent();
      set_busy(has_work());
      go_round();
      mine_.times.communicate += lap_.lap();
      if (expands || detection_.ending()) continue;
      sleep();
      mine_.times.wait += lap_.lap();
    }
  }

  [[nodiscard]] bool has_work() { return !mine_.memory_full && core_.priority() < incumbent_; }

  // A busy rank has created one unit more than it completed; when it becomes idle, no batch is left
  // to send.
  void set_busy(bool busy) {
    if (busy == busy_) return;
    busy_ = busy;
    (busy ? begun_ : ended_) += 1;
  }

  void expand() {
    int bound = core_.priority();
    try {
      const Stopwatch since_poll;
      for (int turn = 1; bound < incumbent_; ++turn) {
        const Counts before = core_.counts();
        const std::optional<int> found =
            core_.expand([this](const Reached<State>& node) { route(node); });
        const Counts more = core_.counts() - before;
        if (!greedy_ && more != Counts()) mine_.by_bound[bound] += more;
        if (found) incumbent_ = std::min(incumbent_, *found);
        bound = core_.priority();
        if (turn % turns_per_clock == 0 && since_poll.seconds() > poll_seconds) break;
      }
    } catch (const MemoryFull&) {
      mine_.memory_full = true;
      mine_.smallest_open = std::min(mine_.smallest_open, bound);  // of the lost nodes
    }
  }

  void route(const Reached<State>& node) {
    const int to = owner(node.state);
    if (to == rank_) core_.push(node);
    else mail_.add(to, node);
  }

  void receive_nodes(Nodes nodes) {
    mine_.times.communicate += lap_.lap();
    set_busy(true);
    try {
      for (const Reached<State>& node : nodes) {
        if (!mine_.memory_full) core_.push(node);
      }
    } catch (const MemoryFull&) {
      mine_.memory_full = true;
    }
    if (mine_.memory_full) note_open(nodes);
    mine_.times.search += lap_.lap();
  }

  void go_round() {
    const Round& sums = detection_.sums();
    if (rounds_.complete()) {
      detection_.round_completed(rounds_.sum(), watch_.seconds());
      incumbent_ = std::min(incumbent_, rounds_.minimum());
      const int f = core_.priority();
      observer_.progress({.bound = f < no_bound ? f : 0,
                          .counts = {.expanded = sums.expanded, .generated = sums.generated}});
      if (detection_.ending()) return;
    }
    if (!stop_) stop_ = limits_.reached(sums.generated + 1);
    const Round mine{.created = mail_.sent() + begun_,
                     .completed = mail_.received() + ended_,
                     .expanded = core_.counts().expanded,
                     .generated = core_.counts().generated,
                     .solutions_seen = greedy_ && incumbent_ < no_bound ? 1U : 0U,
                     .stops = stop_ || mine_.memory_full ? 1U : 0U};
    if (detection_.joins_round(watch_.seconds(), mine, busy_)) rounds_.begin(mine, incumbent_);
  }

  // ---- the end

  // Everything has been sent. Receives pending messages without looking at them. A rank may have
  // found a solution after its last round of the search: afterwards all ranks know of it.
  void drain() {
    wait_until(session_.state(), [&] {
      mail_.receive([this](Nodes nodes) { note_open(nodes); });
      mail_.forget_sent();
      if (rounds_.complete() && rounds_.sum().created == rounds_.sum().completed) return true;
      if (!rounds_.pending()) {
        rounds_.begin({.created = mail_.sent(), .completed = mail_.received()}, incumbent_);
      }
      return false;
    });
    incumbent_ = rounds_.minimum();
    wait_until(session_.state(), [&] {  // all were received
      mail_.forget_sent();
      return mail_.batches_under_way() == 0;
    });
    mail_.close();
  }
  void note_open(Nodes nodes) {
    for (const Reached<State>& node : nodes)
      mine_.smallest_open = std::min(mine_.smallest_open, rank_of(node));
  }

  // From goal to start: a board's owner follows the path back while it owns the boards, then
  // broadcasts the board that it has reached and the letters from there to the goal, reversed.
  void trace_back() {
    State state = core_.goal();
    std::string letters;
    for (bool at_start = false; !at_start;) {
      const int from = owner(state);
      Bytes bytes;
      if (from == rank_) {
        while (!at_start && owner(state) == rank_) {
          const auto origin = core_.origin(state);
          if (!origin) internal_failure("the path to the goal is broken");
          at_start = origin->letters.empty();
          letters += origin->letters;
          state = origin->before;
        }
        const std::string board(reinterpret_cast<const char*>(&state), sizeof state);
        bytes = packed(session_.world(), at_start, board, letters);
      }
      bytes = broadcast(session_, std::move(bytes), from);
      std::string board;
      boost::mpi::packed_iarchive(session_.world(), bytes) >> at_start >> board >> letters;
      std::memcpy(&state, board.data(), sizeof state);
    }
    result_.solution.emplace(letters.rbegin(), letters.rend());
  }

  void gather(int start_h) {
    if (greedy_) mine_.by_bound[0] = core_.counts();
    mine_.times.rank = rank_;
    mine_.states = core_.states();
    mine_.bytes = budget_.used();
    mine_.smallest_open = std::min(mine_.smallest_open, core_.priority());
    const std::vector<BestFirstShare> shares = tessera::gather(session_, mine_);
    if (rank_ == master_rank) conclude(shares, start_h);
  }

  void conclude(const std::vector<BestFirstShare>& shares, int start_h) {
    std::map<int, Counts> by_bound;
    int smallest_open = no_bound;
    bool full = false;
    for (const BestFirstShare& share : shares) {
      for (const auto& [bound, counts] : share.by_bound) by_bound[bound] += counts;
      result_.states += share.states;
      result_.bytes += share.bytes;
      smallest_open = std::min(smallest_open, share.smallest_open);
      full = full || share.memory_full;
      WorkerTimes& times = result_.times.emplace_back(share.times);
      // A rank may begin before rank 0 or end after it, while nothing is left to search; that is
      // not part of the search.
      const double beyond = std::max(0.0, times.sum() - result_.seconds);
      const double waited = std::min(times.wait, beyond);
      times.wait -= waited;
      times.communicate -= std::min(times.communicate, beyond - waited);
      times.other = std::max(0.0, result_.seconds - times.sum());
    }
    const int length = result_.solution ? static_cast<int>(result_.solution->size()) : no_bound;
    result_.optimal =
        result_.solution &&
        (greedy_ ? length <= start_h : detection_.is_exhausted() || smallest_open >= length);
    if (!greedy_) {
      result_.bound =
          result_.optimal ? length : std::max(start_h, std::min(smallest_open, incumbent_));
    }
    const bool is_result = result_.solution && (greedy_ || result_.optimal);
    if (!is_result) result_.stop = stop_ || !full ? stop_ : Stop::memory;
    result_.counts.generated = 1;  // the root
    for (const auto& [bound, counts] : by_bound) {
      result_.counts += counts;
      if (greedy_) continue;
      // Layers overlap in time: the first row has all of it.
      const bool first = result_.iterations.empty();
      result_.iterations.push_back({.bound = bound,
                                    .counts = counts,
                                    .seconds = first ? result_.seconds : 0,
                                    .idle_fraction = first ? idle_fraction() : 0,
                                    .complete = !result_.stop || bound < result_.bound,
                                    .timed = first});
      observer_.iteration_finished(result_.iterations.back());
    }
    if (result_.solution) observer_.incumbent(length);
    if (!is_result && !result_.stop) internal_failure("a solvable board has no solution");
  }

  [[nodiscard]] double idle_fraction() const {
    double idle = 0;
    for (const WorkerTimes& times : result_.times) idle += times.wait;
    const double available = result_.seconds * static_cast<double>(result_.times.size());
    return available > 0 ? idle / available : 0;
  }

  Stopwatch watch_;
  const std::uint64_t earlier_changes_ = noticed_file_changes();
  const Session& session_;
  int ranks_;
  int rank_;
  const Limits& limits_;
  Observer& observer_;
  bool greedy_;
  std::unique_ptr<Expander<State>> expander_;
  MemoryBudget budget_;
  BestFirstCore<State> core_;
  SearchResult result_;

  NodeMail<Reached<State>> mail_;
  BestFirstShare mine_;

  // Busy periods.
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  bool busy_ = false;
  int incumbent_ = no_bound;  // the shortest solution known on any rank

  RoundReduction rounds_;
  TerminationDetection detection_{round_seconds};
  std::optional<Stop> stop_;  // the master's

  Stopwatch lap_;
};

}  // namespace

SearchResult hash_distributed(const Session& session, const Problem& problem,
                              const BestFirstOptions& options, const Limits& limits,
                              Observer& observer) {
  return with_state_of(problem.instance.size(), [&]<class State>() {
    return RankSearch<State>(session, problem, options, limits, observer).run();
  });
}

}  // namespace tessera
