// SPDX-License-Identifier: MIT
#include "tessera/cluster/cluster_executor.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>

#include "cluster/board_farm.hpp"
#include "cluster/clock_offsets.hpp"
#include "cluster/hash_distributed.hpp"
#include "cluster/messages.hpp"
#include "cluster/polling.hpp"
#include "cluster/rank_execution.hpp"
#include "cluster/serve_census.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"
#include "tessera/search/move_order.hpp"
#include "tessera/search/work_log.hpp"

namespace tessera {
namespace {

constexpr int master = 0;

// An order reaches ranks that wait politely, for however long; then all are there.
void give_order(const boost::mpi::communicator& world, Order order) {
  meet(world);
  boost::mpi::broadcast(world, order, master);
}

// Missing tables are shared out among all ranks; then, where hosts do not share a folder, what a
// host still lacks among its ranks.
bool make_tables(const Session& session, const Problem& problem, int threads,
                 const TableProgress& progress) {
  const TableShare of_all{static_cast<std::size_t>(session.rank()),
                          static_cast<std::size_t>(session.size())};
  bool made = open_tables(problem, threads, progress, of_all);
  meet(session.world());
  TableShare of_host{0, 0};
  for (int rank = 0; rank < session.size(); ++rank) {
    const auto& ranks = session.ranks();
    if (ranks[static_cast<std::size_t>(rank)].host != ranks[of_all.index].host) continue;
    if (rank < session.rank()) ++of_host.index;
    ++of_host.count;
  }
  made = made && open_tables(problem, threads, progress, of_host);
  meet(session.world());
  return made;
}

Order take_order(const boost::mpi::communicator& world) {
  meet(world);
  Order order{};
  boost::mpi::broadcast(world, order, master);
  return order;
}

// What the master does with what it learns.
class MonitoredExecution final : public RankExecution::Master {
 public:
  explicit MonitoredExecution(Monitor& monitor) : monitor_(monitor) {}

  bool stops(const Round& sums) override {
    stop_ = monitor_.check({sums.expanded, sums.generated, 0}, sums.completed, sums.created);
    return stop_.has_value();
  }
  void keep(std::vector<FinishedSubtree> finished) override { monitor_.keep(std::move(finished)); }
  void unanswered(const std::vector<int>& ranks) override { monitor_.unanswered(ranks); }
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

 private:
  Monitor& monitor_;
  std::optional<Stop> stop_;
};

}  // namespace

ClusterExecutor::ClusterExecutor(Session& session, std::vector<int> threads_by_rank,
                                 const std::string& log_folder)
    : session_(session),
      threads_(std::move(threads_by_rank)),
      pool_(threads_.front()),
      communicate_seconds_(threads_.size()),
      search_seconds_(threads_.size()) {
  meet(session_.world());
  Calling calling = Calling::search;
  boost::mpi::broadcast(session_.world(), calling, master);
  boost::mpi::broadcast(session_.world(), threads_, master);
  std::string folder = log_folder;
  boost::mpi::broadcast(session_.world(), folder, master);
}

ClusterExecutor::~ClusterExecutor() {
  if (!busy_) give_order(session_.world(), Order::end);  // else the owner aborts the job
}

int ClusterExecutor::workers() const {
  return std::accumulate(threads_.begin(), threads_.end(), 0);
}

bool ClusterExecutor::prepare(const Problem& problem, const TableProgress& progress) {
  give_order(session_.world(), Order::prepare);
  Setup setup(problem);
  boost::mpi::broadcast(session_.world(), setup, master);
  return make_tables(session_, problem, threads_.front(), progress);
}

void ClusterExecutor::begin(const Problem& problem) {
  problem_ = problem;
  set_up_ = false;
  pool_.set_problem(problem);
  std::fill(communicate_seconds_.begin(), communicate_seconds_.end(), 0);
  for (std::size_t rank = 0; rank < threads_.size(); ++rank) {
    search_seconds_[rank].assign(static_cast<std::size_t>(threads_[rank]), 0);
  }
}

// Costliest first, each to the rank with the least cost a thread (Graham 1969). Where ranks come
// back for more, the master keeps all but a first handful of each.
std::vector<std::vector<PooledItem>> ClusterExecutor::dealt(std::span<const WorkItem> items,
                                                            const Task& task) const {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return items[a].cost > items[b].cost; });
  std::vector<std::vector<PooledItem>> by_rank(threads_.size());
  using Load = std::pair<double, std::size_t>;  // cost a thread, rank
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least_loaded;
  for (std::size_t rank = 0; rank < threads_.size(); ++rank) least_loaded.emplace(0, rank);
  for (const std::uint32_t ordinal : order) {
    auto [load, rank] = least_loaded.top();
    least_loaded.pop();
    least_loaded.emplace(load + (1 + items[ordinal].cost) / threads_[rank], rank);
    if (task.schedule == Schedule::dynamic &&
        by_rank[rank].size() >= 2 * static_cast<std::size_t>(threads_[rank])) {
      rank = master;
    }
    by_rank[rank].push_back({ordinal, items[ordinal]});
  }
  return by_rank;
}

Execution ClusterExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                   Monitor& monitor) {
  const Stopwatch watch;
  busy_ = true;
  const boost::mpi::communicator& world = session_.world();
  if (!set_up_) {
    give_order(world, Order::setup);
    Setup setup(problem_);
    boost::mpi::broadcast(world, setup, master);
    set_up_ = true;
    if (task.trace_room > 0) {
      give_order(world, Order::clocks);
      clock_offsets_ = clock_offsets(session_);
    }
  }
  give_order(world, Order::execute);
  Announcement announcement{task, ++executions_, items.size()};
  boost::mpi::broadcast(world, announcement, master);
  const double ordering_seconds = watch.seconds();

  RankExecution execution(session_, pool_, announcement);
  execution.begin(dealt(items, task));
  MonitoredExecution monitored(monitor);
  execution.run(&monitored);
  RankExecution::End end = execution.end(&monitored);
  const std::optional<Stop> stop = execution.exhausted() ? std::nullopt : monitored.stop();
  busy_ = false;

  SubtreePool::Collected all;
  all.counts = end.reduced.counts;
  all.expanded = std::move(end.expanded);
  all.next_bound = end.reduced.next_bound;
  for (std::size_t rank = 0; rank < end.ranks.size(); ++rank) {
    RankResult& result = end.ranks[rank];
    for (const auto& [bound, counts] : result.by_bound) all.by_bound[bound] += counts;
    if (result.solved &&
        (!all.solved || comes_before(result.solved_path, *all.solved, problem_.metric))) {
      all.solved = std::move(result.solved_path);
    }
    if (stop) monitor.keep(std::move(result.finished));
    all.search_seconds += result.execution_search_seconds;
    if (result.found &&
        (!all.solution || solution_length(result.letters, problem_.metric) <
                              solution_length(all.solution->letters, problem_.metric))) {
      all.solution = FoundSolution{result.found_item, std::move(result.letters)};
    }
    communicate_seconds_[rank] +=
        result.communicate_seconds + (rank == master ? ordering_seconds : 0);
    search_seconds_[rank] = std::move(result.search_seconds);
  }
  Execution gathered = to_execution(std::move(all), items.size());
  for (RankResult& result : end.ranks) {
    for (Track& track : result.tracks) {
      const std::int64_t ahead = clock_offsets_[static_cast<std::size_t>(track.rank)];
      for (Span& span : track.spans) {
        span.begin -= ahead;
        span.end -= ahead;
      }
      gathered.tracks.push_back(std::move(track));
    }
  }
  gathered.figures = execution.figures();
  gathered.stop = stop;
  gathered.wall_seconds = watch.seconds();
  return gathered;
}

BestFirstResult ClusterExecutor::best_first(const Problem& problem, const BestFirstOptions& options,
                                            const Limits& limits, Observer& observer) {
  busy_ = true;
  give_order(session_.world(), Order::best_first);
  Setup setup(problem);
  boost::mpi::broadcast(session_.world(), setup, master);
  BestFirstAnnouncement announcement{options.order, options.memory_bytes};
  boost::mpi::broadcast(session_.world(), announcement, master);
  BestFirstResult result = hash_distributed(session_, problem, announcement, &limits, &observer);
  busy_ = false;
  return result;
}

std::vector<WorkerTimes> ClusterExecutor::solve_boards(std::vector<BoardJob> jobs,
                                                       const BatchOptions& options,
                                                       const Limits& limits,
                                                       const BoardDone& done) {
  busy_ = true;
  give_order(session_.world(), Order::batch);
  BatchAnnouncement announcement(options, limits);
  boost::mpi::broadcast(session_.world(), announcement, master);
  std::vector<WorkerTimes> times =
      farm_boards(session_, threads_, std::move(jobs), options, limits, done);
  busy_ = false;
  return times;
}

std::vector<WorkerTimes> ClusterExecutor::times() {
  std::vector<WorkerTimes> times;
  for (std::size_t rank = 0; rank < threads_.size(); ++rank) {
    for (std::size_t thread = 0; thread < search_seconds_[rank].size(); ++thread) {
      WorkerTimes worker;
      worker.rank = static_cast<int>(rank);
      worker.thread = static_cast<int>(thread);
      worker.search = search_seconds_[rank][thread];
      worker.communicate = communicate_seconds_[rank];
      times.push_back(worker);
    }
  }
  return times;
}

bool run_worker(Session& session) {
  const boost::mpi::communicator& world = session.world();
  meet(world);
  Calling calling{};
  boost::mpi::broadcast(world, calling, master);
  if (calling == Calling::none) return false;
  if (calling == Calling::census) {
    serve_census(session);
    return true;
  }
  std::vector<int> threads;
  boost::mpi::broadcast(world, threads, master);
  std::string log_folder;
  boost::mpi::broadcast(world, log_folder, master);
  std::optional<WorkLog> log;
  if (!log_folder.empty()) {
    log.emplace(log_folder, session.rank());
    log->threads(threads[static_cast<std::size_t>(session.rank())]);
  }
  SubtreePool pool(threads[static_cast<std::size_t>(session.rank())]);
  while (true) {
    switch (take_order(world)) {
      case Order::prepare: {
        Setup setup;
        boost::mpi::broadcast(world, setup, master);
        const auto rank = static_cast<std::size_t>(session.rank());
        (void)make_tables(session, setup.problem(session.rank()), threads[rank], {});
        break;
      }
      case Order::setup: {
        Setup setup;
        boost::mpi::broadcast(world, setup, master);
        pool.set_problem(setup.problem(session.rank()));
        if (log) log->board_started();
        break;
      }
      case Order::clocks:
        (void)clock_offsets(session);
        break;
      case Order::execute: {
        Announcement announcement;
        boost::mpi::broadcast(world, announcement, master);
        RankExecution execution(session, pool, announcement);
        execution.begin({});
        execution.run(nullptr);
        (void)execution.end(nullptr);
        if (log) log->worked(announcement.task.bound, execution.figures());
        break;
      }
      case Order::best_first: {
        Setup setup;
        boost::mpi::broadcast(world, setup, master);
        BestFirstAnnouncement announcement;
        boost::mpi::broadcast(world, announcement, master);
        (void)hash_distributed(session, setup.problem(session.rank()), announcement, nullptr,
                               nullptr);
        break;
      }
      case Order::batch: {
        BatchAnnouncement announcement;
        boost::mpi::broadcast(world, announcement, master);
        solve_farmed_boards(session, threads[static_cast<std::size_t>(session.rank())],
                            announcement);
        break;
      }
      case Order::end:
        return true;
    }
  }
}

void dismiss_workers(Session& session) {
  meet(session.world());
  Calling calling = Calling::none;
  boost::mpi::broadcast(session.world(), calling, master);
}

}  // namespace tessera
