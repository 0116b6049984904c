// SPDX-License-Identifier: MIT
#include "serve/searches.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <random>

#include "tessera/base/error.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/threads/threads_executor.hpp"

namespace tessera {
namespace {

class Reporter final : public Observer {
 public:
  explicit Reporter(Search& search) : search_(search) {}
  void iteration_started(int bound) override { search_.bound_started(bound); }
  void iteration_finished(const IterationReport& report) override {
    search_.bound_finished(report);
  }
  void progress(const Progress& progress) override {
    search_.progress(progress);
    search_.look_up();
  }

 private:
  Search& search_;
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

Searches::Searches(const ServeOptions& options) : options_(options) {
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
      std::make_shared<Search>(new_id(), std::move(request), options_.limits.unwatched);
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
  std::unique_ptr<Executor> executor;
  for (;;) {
    std::shared_ptr<Search> search;
    {
      std::unique_lock lock(mutex_);
      if (!work_came_.wait(lock, ending, [&] { return !waiting_.empty(); })) return;
      if (ending.stop_requested()) return;
      search = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      if (!executor) executor = std::make_unique<ThreadsExecutor>(options_.threads);
      run_search(*search, *executor);
    } catch (const std::bad_alloc&) {
      search->fail("out of memory");
      executor.reset();
    } catch (const std::exception& error) {
      search->fail(error.what());
      executor.reset();
    }
    const std::lock_guard lock(mutex_);
    remember(search);
  }
}

void Searches::run_search(Search& search, Executor& executor) {
  const SearchRequest& request = search.request();
  const Board& goal = request.boards.goal;
  BoardResult result = begun(request);
  const RunSetup setup = setup_of(options_.threads);
  const auto finish = [&](Status status) {
    result.status = status;
    search.end(to_json(result, setup));
  };
  if (!search.look_up()) return finish(Status::interrupted);
  const std::vector<TableRequest> tables =
      table_requests(parse_heuristic(request.heuristic.spec), goal.size(), goal.blank());
  if (!make_tables(search, executor, tables)) return finish(Status::interrupted);
  search.enter(Search::State::searching);
  const Problem problem{make_instance(request.boards.board, goal),
                        request.heuristic.spec,
                        Kernel::automatic,
                        "parent",
                        request.metric,
                        options_.table_directory};
  Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + request.time_limit;
  limits.interrupted = &search.stopped();
  Reporter reporter(search);
  IdaStarResult found = ida_star(problem, {}, executor, limits, reporter);
  result.seconds = found.seconds;
  result.setup_seconds = found.setup_seconds;
  result.counts = found.counts;
  result.iterations = std::move(found.iterations);
  if (!found.solution) {
    result.lower_bound = found.bound;
    return finish(found.stop == Stop::interrupted ? Status::interrupted : Status::limit);
  }
  const std::optional<Board> end = replayed(request.boards.board, *found.solution);
  result.verified = end && *end == goal;
  if (!result.verified) {
    throw Error(ErrorKind::internal, "the solution found does not lead to the goal");
  }
  result.length = solution_length(*found.solution, request.metric);
  result.moves = std::move(found.solution);
  result.optimal = found.optimal;
  finish(Status::solved);
}

bool Searches::make_tables(Search& search, Executor& executor,
                           const std::vector<TableRequest>& tables) {
  if (all_cached(options_.table_directory, tables)) return true;
  search.enter(Search::State::tables);
  // Who waits here for another's tables can be stopped.
  constexpr std::chrono::milliseconds look{50};
  std::unique_lock making(making_, std::defer_lock);
  while (!making.try_lock_for(look)) {
    if (!search.look_up()) return false;
  }
  const Board& goal = search.request().boards.goal;
  const Problem problem{make_instance(goal, goal), search.request().heuristic.spec,
                        Kernel::automatic,         "parent",
                        search.request().metric,   options_.table_directory};
  return executor.prepare(problem, [&](double done) {
    search.tables_made(done);
    return search.look_up();
  });
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

std::string Searches::new_id() {
  // Not to be guessed: who knows it may stop the search.
  static std::random_device device;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string id;
  for (int word = 0; word < 4; ++word) {
    auto bits = static_cast<std::uint32_t>(device());
    for (int i = 0; i < 8; ++i, bits >>= 4) id += digits[bits & 15];
  }
  return id;
}

}  // namespace tessera
