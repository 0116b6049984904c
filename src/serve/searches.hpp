// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "report/board_result.hpp"
#include "serve/http_server.hpp"
#include "serve/search.hpp"
#include "solver/board_solver.hpp"
#include "solver/tables.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {

/// The tables being built by searches: each is built only once, and of large ones, which take
/// memory and all threads, one at a time. Small ones do not queue behind them.
class TableBuilds {
 public:
  explicit TableBuilds(std::uint64_t large_bytes) : large_bytes_(large_bytes) {}

  /// Waits until none of these is being built; null if `goes_on` ended the wait. Other searches
  /// wait as long as the claim lives.
  [[nodiscard]] std::shared_ptr<void> claim(const std::vector<TableRequest>& tables,
                                            const std::function<bool()>& goes_on) {
    std::vector<std::string> names;
    for (const TableRequest& table : tables) {
      names.push_back(file_name(table.key));
      // All large ones share one more name.
      if (table.cost.build_bytes >= large_bytes_) names.emplace_back("large");
    }
    const auto is_free = [&] {
      return std::ranges::none_of(names,
                                  [&](const std::string& name) { return claimed_.contains(name); });
    };
    constexpr std::chrono::milliseconds interval{50};
    std::unique_lock lock(mutex_);
    while (!released_.wait_for(lock, interval, is_free)) {
      if (!goes_on()) return nullptr;
    }
    claimed_.insert(names.begin(), names.end());
    return {this, [names](TableBuilds* builds) {
              const std::lock_guard relock(builds->mutex_);
              for (const std::string& name : names) builds->claimed_.extract(name);
              builds->released_.notify_all();
            }};
  }

 private:
  const std::uint64_t large_bytes_;  // memory of a large build
  std::mutex mutex_;
  std::condition_variable released_;
  std::multiset<std::string> claimed_;
};

/// All requested searches: some run, each on its own search threads, some wait, and finished ones
/// are remembered for a while.
class Searches {
 public:
  explicit Searches(const ServeOptions& options)
      : options_(options),
        builds_(options.limits.large_build_bytes),
        runners_(static_cast<int>(options.limits.running),
                 [this](int, const std::stop_token& ending) { run(ending); }) {}

  /// Stops all searches.
  ~Searches() { stop(); }

  /// A new search, which has already ended if its board is unsolvable. Null if too many wait.
  [[nodiscard]] std::shared_ptr<Search> ask(SearchRequest request) {
    const std::lock_guard lock(mutex_);
    auto search =
        std::make_shared<Search>(random_token(), std::move(request), options_.limits.unwatched,
                                 [this](Search& running) { look_up(running); });
    BoardResult result = begun(search->request());
    if (!result.solvable) {
      end(*search, std::move(result), Status::unsolvable);
      remember(search);
      return search;
    }
    if (stopping_ || waiting_.size() >= options_.limits.waiting) return nullptr;
    waiting_.push_back(search);
    known_[search->id()] = search;
    work_came_.notify_one();
    return search;
  }

  /// Null if there is none with that id, or it was dropped.
  [[nodiscard]] std::shared_ptr<Search> find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : found->second;
  }

  void cancel(const std::shared_ptr<Search>& search) {
    search->stop();
    const std::lock_guard lock(mutex_);
    const auto place = std::ranges::find(waiting_, search);
    if (place == waiting_.end()) return;  // it is running and will check soon, or has ended
    waiting_.erase(place);
    end(*search, begun(search->request()), Status::interrupted);
    remember(search);
  }

  /// How long until a running search must make room for a waiting one.
  [[nodiscard]] std::chrono::seconds time_to_room() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration longest{};
    for (const auto& [search, since] : running_) longest = std::max(longest, now - since);
    const auto left =
        std::chrono::ceil<std::chrono::seconds>(options_.limits.contended_time - longest);
    return std::max(std::chrono::seconds(1), left);
  }

  /// Stops all searches and waits for their threads.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      for (const auto& [id, search] : known_) search->stop();
    }
    runners_.end();
  }

 private:
  static BoardResult begun(const SearchRequest& request) {
    BoardResult result;
    result.id = request.boards.id;
    result.board = request.boards.board;
    result.goal = request.boards.goal_name;
    result.metric = request.metric;
    result.solvable = solvable(result.board, request.boards.goal);
    result.heuristic = request.heuristic.name;
    return result;
  }

  void end(Search& search, BoardResult result, Status status) const {
    const RunSetup setup{.backend = "threads",
                         .threads = options_.threads,
                         .workers = options_.threads,
                         .schedule = "stealing",
                         .bounds = "shared"};
    result.status = status;
    search.end(to_json(result, setup));
  }

  void run(const std::stop_token& ending) {
    std::unique_ptr<Backend> backend;
    for (;;) {
      std::shared_ptr<Search> search;
      {
        std::unique_lock lock(mutex_);
        if (!work_came_.wait(lock, ending, [&] { return !waiting_.empty(); })) return;
        if (ending.stop_requested()) return;
        search = std::move(waiting_.front());
        waiting_.pop_front();
        running_[search.get()] = std::chrono::steady_clock::now();
      }
      try {
        if (!backend) backend = std::make_unique<ThreadsExecutor>(options_.threads);
        run_search(*search, *backend);
      } catch (...) {
        search->fail(current_failure().message);
        backend.reset();
      }
      // The backend's threads keep the tables of their last search.
      if (!search->request().tables.empty()) backend.reset();
      release_databases(options_.limits.idle_table_bytes);
      const std::lock_guard lock(mutex_);
      running_.erase(search.get());
      remember(search);
    }
  }

  void run_search(Search& search, Backend& backend) {
    const SearchRequest& request = search.request();
    const Board& goal = request.boards.goal;
    BoardResult result = begun(request);
    // The limit also covers the time for building tables and waiting for them.
    const auto deadline = std::chrono::steady_clock::now() + request.time_limit;
    const auto stopped = [&] {
      return search.stopped() && !search.yielded() ? Status::interrupted : Status::limit;
    };
    const auto goes_on = [&] {
      return look_up(search) && std::chrono::steady_clock::now() < deadline;
    };
    // Limit for a beam search, besides the tables.
    constexpr std::uint64_t most_beam_bytes = std::uint64_t{256} << 20;
    SearchOptions options;
    options.metric = request.metric;
    options.prune = "parent";  // an automaton would have to be built first
    options.table_directory = options_.table_directory;
    const std::uint64_t table_bytes = total_cost(request.tables).file_bytes;
    options.memory_bytes = table_bytes + most_beam_bytes;
    BoardSolver solver(options, {BackendKind::threads, {own_place(options_.threads)}}, backend);
    const Problem problem = problem_of(options, request.boards.board, goal, request.heuristic.spec);
    result.prune = problem.prune;
    if (!goes_on() || !make_tables(search, problem, backend, goes_on)) {
      return end(search, std::move(result), stopped());
    }
    search.enter(Search::State::searching);
    const Limits limits{.deadline = deadline, .interrupted = &search.stopped()};
    SearchResult found = solver.search(problem, table_bytes, limits, search);
    const bool ended = found.solution && !found.stop;
    add_search(result, std::move(found), goal);
    end(search, std::move(result), ended ? Status::solved : stopped());
  }

  bool make_tables(Search& search, const Problem& problem, Backend& backend,
                   const std::function<bool()>& goes_on) {
    const std::vector<TableRequest>& tables = search.request().tables;
    const auto is_there = [&](const TableRequest& table) {
      return is_cached(options_.table_directory, table);
    };
    if (std::ranges::all_of(tables, is_there)) return true;
    search.enter(Search::State::tables);
    const std::shared_ptr<void> claim = builds_.claim(tables, goes_on);
    if (!claim) return false;
    return backend.prepare(problem, [&](double done) {
      search.tables_made(done);
      return goes_on();
    });
  }

  /// Whether a search may continue: a client still asks about it, and none waits for its place
  /// after its share of time is over.
  bool look_up(Search& search) {
    if (!search.look_up()) return false;
    const std::lock_guard lock(mutex_);
    const auto yielding = static_cast<std::size_t>(std::ranges::count_if(
        running_, [](const auto& running) { return running.first->yielded(); }));
    if (waiting_.size() <= yielding) return true;
    const auto time = std::chrono::steady_clock::now() - running_.at(&search);
    if (time < options_.limits.contended_time) return true;
    search.yield();
    return false;
  }

  void remember(const std::shared_ptr<Search>& search) {
    known_[search->id()] = search;
    ended_.push_back(search);
    while (ended_.size() > options_.limits.remembered) {
      // First those whose end was queried.
      auto oldest =
          std::ranges::find_if(ended_, [](const auto& one) { return one->end_reported(); });
      if (oldest == ended_.end()) {
        if (ended_.size() <= options_.limits.unheard) return;
        oldest = ended_.begin();
      }
      known_.erase((*oldest)->id());
      ended_.erase(oldest);
    }
  }

  const ServeOptions& options_;
  bool stopping_ = false;
  std::mutex mutex_;
  std::condition_variable_any work_came_;
  std::map<std::string, std::shared_ptr<Search>> known_;
  std::deque<std::shared_ptr<Search>> waiting_;
  std::deque<std::shared_ptr<Search>> ended_;  // the oldest first
  /// Running searches, with their start times.
  std::map<Search*, std::chrono::steady_clock::time_point> running_;
  TableBuilds builds_;
  Threads runners_;  // last: they end before what they use
};

}  // namespace tessera
