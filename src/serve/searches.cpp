// SPDX-License-Identifier: MIT
#include "serve/searches.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "serve/http.hpp"
#include "tessera/base/error.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/threads/threads_executor.hpp"

namespace tessera {
namespace {

// That a beam search may take, beside the tables.
constexpr std::uint64_t most_beam_bytes = std::uint64_t{256} << 20;

class Reporter final : public Observer {
 public:
  Reporter(Search& search, std::function<void()> look_up)
      : search_(search), look_up_(std::move(look_up)) {}
  void iteration_started(int bound) override { search_.bound_started(bound); }
  void iteration_finished(const IterationReport& report) override {
    search_.bound_finished(report);
  }
  void bracket(const Bracket& bracket) override { search_.bracket(bracket); }
  void progress(const Progress& progress) override {
    search_.progress(progress);
    look_up_();
  }
  void beam_progress(const BeamProgress& progress) override {
    search_.beam_progress(progress);
    look_up_();
  }

 private:
  Search& search_;
  std::function<void()> look_up_;
};

BoardResult begun(const SearchRequest& request) {
  BoardResult result;
  result.id = request.boards.id;
  result.board = request.boards.board;
  result.goal = request.boards.goal_name;
  result.metric = request.metric;
  result.heuristic = request.heuristic.name;
  return result;
}

RunSetup setup_of(int threads) {
  RunSetup setup;
  setup.backend = "threads";
  setup.threads = setup.workers = threads;
  setup.schedule = "stealing";
  setup.bounds = "shared";
  return setup;
}

bool all_cached(const std::string& directory, const std::vector<TableRequest>& tables) {
  return std::all_of(tables.begin(), tables.end(),
                     [&](const TableRequest& table) { return is_cached(directory, table); });
}

}  // namespace

Searches::Searches(const ServeOptions& options)
    : options_(options), builds_(options.limits.large_build_bytes) {
  for (std::size_t i = 0; i < options.limits.running; ++i) {
    runners_.emplace_back([this](const std::stop_token& ending) { run(ending); });
  }
}

Searches::~Searches() {
  stop();
}

std::shared_ptr<Search> Searches::ask(SearchRequest request) {
  const std::lock_guard lock(mutex_);
  const auto search =
      std::make_shared<Search>(random_token(), std::move(request), options_.limits.unwatched);
  const BoardRequest& boards = search->request().boards;
  if (!solvable(boards.board, boards.goal)) {
    BoardResult result = begun(search->request());
    result.solvable = false;
    result.status = Status::unsolvable;
    search->end(to_json(result, setup_of(options_.threads)));
    remember(search);
    return search;
  }
  if (stopping_ || waiting_.size() >= options_.limits.waiting) return nullptr;
  waiting_.push_back(search);
  known_[search->id()] = search;
  work_came_.notify_one();
  return search;
}

std::shared_ptr<Search> Searches::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(id);
  return found == known_.end() ? nullptr : found->second;
}

void Searches::cancel(const std::shared_ptr<Search>& search) {
  search->stop();
  const std::lock_guard lock(mutex_);
  const auto place = std::find(waiting_.begin(), waiting_.end(), search);
  if (place == waiting_.end()) return;  // it runs, and looks up soon; or has ended
  waiting_.erase(place);
  BoardResult result = begun(search->request());
  result.status = Status::interrupted;
  search->end(to_json(result, setup_of(options_.threads)));
  remember(search);
}

void Searches::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [id, search] : known_) search->stop();
  }
  for (std::jthread& runner : runners_) runner.request_stop();
  runners_.clear();
}

void Searches::run(const std::stop_token& ending) {
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
    } catch (const std::bad_alloc&) {
      search->fail("out of memory");
      backend.reset();
    } catch (const std::exception& error) {
      search->fail(error.what());
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

void Searches::run_search(Search& search, Backend& backend) {
  const SearchRequest& request = search.request();
  const Board& goal = request.boards.goal;
  BoardResult result = begun(request);
  const RunSetup setup = setup_of(options_.threads);
  const auto finish = [&](Status status) {
    result.status = status;
    search.end(to_json(result, setup));
  };
  // The limit holds from here on: while tables are built, too, and waited for.
  const auto deadline = std::chrono::steady_clock::now() + request.time_limit;
  const auto stopped = [&] {
    return search.stopped() && !search.yielded() ? Status::interrupted : Status::limit;
  };
  const auto goes_on = [&] {
    return look_up(search) && std::chrono::steady_clock::now() < deadline;
  };
  if (!goes_on() || !make_tables(search, backend, goes_on)) return finish(stopped());
  search.enter(Search::State::searching);
  const Problem problem{.instance = make_instance(request.boards.board, goal),
                        .heuristic = request.heuristic.spec,
                        .metric = request.metric,
                        .table_directory = options_.table_directory};
  Limits limits;
  limits.deadline = deadline;
  limits.interrupted = &search.stopped();
  Reporter reporter(search, [&] { look_up(search); });
  IdaStarOptions options;
  options.incumbent.automatic =
      IncumbentOptions::pays(goal.size()) && request.metric == Metric::single;
  options.incumbent.memory_bytes = most_beam_bytes;
  SearchResult found = ida_star(problem, options, backend, limits, reporter);
  result.seconds = found.seconds;
  result.setup_seconds = found.setup_seconds;
  result.counts = found.counts;
  result.iterations = std::move(found.iterations);
  result.incumbent = std::move(found.incumbent);
  result.lower_bound = found.bound;
  if (!found.solution) return finish(stopped());
  const std::optional<Board> end = replayed(request.boards.board, *found.solution);
  result.verified = end && *end == goal;
  if (!result.verified) {
    throw Error(ErrorKind::internal, "the solution found does not lead to the goal");
  }
  result.length = solution_length(*found.solution, request.metric);
  result.moves = std::move(found.solution);
  result.optimal = found.optimal;
  finish(found.stop ? stopped() : Status::solved);
}

bool Searches::make_tables(Search& search, Backend& backend, const std::function<bool()>& goes_on) {
  const SearchRequest& request = search.request();
  if (all_cached(options_.table_directory, request.tables)) return true;
  search.enter(Search::State::tables);
  const std::shared_ptr<void> claim = builds_.claim(request.tables, goes_on);
  if (!claim) return false;
  const Board& goal = request.boards.goal;
  const Problem problem{.instance = make_instance(goal, goal),
                        .heuristic = request.heuristic.spec,
                        .metric = request.metric,
                        .table_directory = options_.table_directory};
  return backend.prepare(problem, [&](double done) {
    search.tables_made(done);
    return goes_on();
  });
}

bool Searches::look_up(Search& search) {
  if (!search.look_up()) return false;
  const std::lock_guard lock(mutex_);
  const auto yielding = static_cast<std::size_t>(
      std::count_if(running_.begin(), running_.end(),
                    [](const auto& running) { return running.first->yielded(); }));
  if (waiting_.size() <= yielding) return true;
  const auto time = std::chrono::steady_clock::now() - running_.at(&search);
  if (time < options_.limits.contended_time) return true;
  search.yield();
  return false;
}

std::chrono::seconds Searches::time_to_room() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  auto longest = now - now;
  for (const auto& [search, since] : running_) longest = std::max(longest, now - since);
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(options_.limits.contended_time - longest);
  return std::max(std::chrono::seconds(1), left);
}

void Searches::remember(const std::shared_ptr<Search>& search) {
  known_[search->id()] = search;
  ended_.push_back(search);
  while (ended_.size() > options_.limits.remembered) {
    // First those whose end was heard of.
    auto oldest = std::find_if(ended_.begin(), ended_.end(),
                               [](const std::shared_ptr<Search>& one) { return one->told(); });
    if (oldest == ended_.end()) {
      if (ended_.size() <= options_.limits.unheard) return;
      oldest = ended_.begin();
    }
    known_.erase((*oldest)->id());
    ended_.erase(oldest);
  }
}

}  // namespace tessera
