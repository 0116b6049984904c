// SPDX-License-Identifier: MIT
#include "cluster/search/cluster_executor.hpp"

#include <numeric>

#include "base/clock.hpp"
#include "base/memory_limit.hpp"
#include "cluster/job/command.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/messages.hpp"
#include "cluster/search/common_work.hpp"

namespace tessera {
namespace {

// Boards of a layer per thread of the master below which ranks do not share them: the master alone
// finishes before they have exchanged theirs.
constexpr std::uint64_t least_shared_beam = 4096;

// Sends a command to all ranks; the first ones become a session of their own.
Session called_part(Session& session, int ranks) {
  send_command(session, Command::team, ranks);
  return part_of(session, ranks);
}

// `seconds` as in RankResult.
void note_seconds(std::vector<WorkerTimes>& times, const std::vector<double>& seconds,
                  double ordering_seconds) {
  auto next = seconds.begin();
  double communicate = 0;
  for (WorkerTimes& worker : times) {
    if (worker.thread == 0) communicate = *next++ + (worker.rank == 0 ? ordering_seconds : 0);
    worker.communicate += communicate;
    worker.search = *next++;
  }
}

}  // namespace

ClusterExecutor::ClusterExecutor(Session& session, std::vector<int> threads_by_rank,
                                 const std::string& log_folder)
    : session_(session), threads_(std::move(threads_by_rank)), pool_(threads_.front()) {
  const MemoryAllowance memory = LimitedMemory::allowance();
  send_command(session_, Command::search, threads_, log_folder, memory.bytes, memory.processes);
  if (log_folder.empty()) return;
  (void)agree(session_, "logs", [] { return true; });  // rank 0 has its own already
}

ClusterExecutor::~ClusterExecutor() {
  end_workers(session_, Command::end);
}

int ClusterExecutor::workers() const {
  return std::accumulate(threads_.begin(), threads_.end(), 0);
}

bool ClusterExecutor::prepare(const Problem& problem, const TableProgress& progress) {
  send_command(session_, Command::prepare, problem);
  return make_tables(session_, problem, threads_.front(), progress);
}

void ClusterExecutor::begin(const Problem& problem) {
  problem_ = problem;
  set_up_ = false;
  pool_.set_problem(problem);
  std::vector<std::vector<double>> none;
  for (const int threads : threads_) none.emplace_back(static_cast<std::size_t>(threads));
  times_ = times_of_workers(none);
}

Execution ClusterExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                   Monitor& monitor) {
  return take_part(session_, "search", [&] {
    const Stopwatch watch;
    if (!set_up_) {
      send_command(session_, Command::setup, problem_);
      set_up_ = true;
      if (task.trace_room > 0) {
        send_command(session_, Command::clocks);
        clock_offsets_ = clock_offsets(session_);
      }
    }
    const std::uint64_t item_count = items.size();
    send_command(session_, Command::execute, task, item_count);
    const double ordering_seconds = watch.seconds();

    const auto cost = [](const PooledItem& item) { return item.work.cost; };
    RankResult ranks =
        execute_on_rank(session_, pool_, task, item_count,
                        dealt(pooled(items), cost, threads_, task.schedule), &monitor);
    Execution& all = ranks.found;
    if (all.stop) monitor.subtrees_finished(all.finished);
    note_seconds(times_, ranks.seconds, ordering_seconds);
    for (Track& track : all.tracks) {
      const std::int64_t ahead = clock_offsets_[static_cast<std::size_t>(track.rank)];
      for (Span& span : track.spans) {
        span.begin -= ahead;
        span.end -= ahead;
      }
    }
    all.wall_seconds = watch.seconds();
    return std::move(all);
  });
}

SearchResult ClusterExecutor::search_stored(const Problem& problem, const BestFirstOptions& options,
                                            const Limits& limits, Observer& observer) {
  // hash_distributed() cannot do these; a line of a stream may ask for them.
  if (problem.metric == Metric::multi || options.order == BestFirstOrder::breadth) {
    return Backend::search_stored(problem, options, limits, observer);
  }
  return take_part(session_, "best-first", [&] {
    send_command(session_, Command::best_first, problem, options);
    return hash_distributed(session_, problem, options, limits, observer);
  });
}

int ClusterExecutor::beam_ranks(std::uint64_t width) const {
  const bool is_shared = width >= least_shared_beam * static_cast<std::uint64_t>(threads_.front());
  return is_shared ? session_.size() : 1;
}

BeamResult ClusterExecutor::beam(const Problem& problem, const BeamOptions& options,
                                 const Limits& limits, Observer& observer) {
  if (beam_ranks(options.width) == 1) {
    return beam_search(problem, options, threads_.front(), limits, observer);
  }
  return take_part(session_, "beam", [&] {
    send_command(session_, Command::beam, problem, options);
    return cluster_beam(session_, problem, options, threads_.front(), limits, observer);
  });
}

std::vector<WorkerTimes> ClusterExecutor::solve_boards(std::vector<BoardJob> jobs,
                                                       const BatchOptions& options,
                                                       const Limits& limits,
                                                       const BoardDone& done) {
  return take_part(session_, "boards", [&] {
    return farm_boards(session_, threads_, std::move(jobs), options, limits, done);
  });
}

Team::Team(Session& session, int ranks, int threads_per_rank)
    : part_(called_part(session, ranks)),
      others_(part_),
      executor_(part_, std::vector<int>(static_cast<std::size_t>(ranks), threads_per_rank)) {}

}  // namespace tessera
