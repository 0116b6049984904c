// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/threads.hpp"
#include "search/problem.hpp"
#include "serve/http_server.hpp"
#include "serve/search.hpp"
#include "solver/session.hpp"

namespace tessera {

/// All requested searches: some run, each on its own search threads, some wait, and finished ones
/// are remembered for a while.
class Searches {
 public:
  explicit Searches(const ServeOptions& options)
      : options_(options),
        session_({.large_build_bytes = options.limits.large_build_bytes}),
        runners_(static_cast<int>(options.limits.running),
                 [this](int, const std::stop_token& ending) { run(ending); }) {}

  /// Stops all searches.
  ~Searches() { stop(); }

  /// A new search, which has already ended if its board is unsolvable. Null if too many wait.
  [[nodiscard]] std::shared_ptr<Search> ask(SearchRequest request) {
    const std::lock_guard lock(mutex_);
    auto search = std::make_shared<Search>(random_token(), std::move(request), options_.threads,
                                           [this](Search& running) { check_wanted(running); });
    search->end_if_unsolvable();
    if (search->ended()) {
      remember(search);
      return search;
    }
    if (stopping_ || session_.waiting() >= options_.limits.waiting) return nullptr;
    session_.add(search);
    known_[search->id()] = search;
    return search;
  }

  /// Null if there is none with that id, or it was dropped.
  [[nodiscard]] std::shared_ptr<Search> find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : found->second;
  }

  void cancel(const std::shared_ptr<Search>& search) {
    if (!session_.cancel(search)) return;  // it is running and will check soon, or has ended
    const std::lock_guard lock(mutex_);
    remember(search);
  }

  /// How long until a running search must make room for a waiting one.
  [[nodiscard]] std::chrono::seconds time_to_room() {
    const std::lock_guard lock(mutex_);
    const auto now = Search::Clock::now();
    Search::Clock::duration longest{};
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
      for (const auto& [id, search] : known_) (void)session_.cancel(search);
    }
    runners_.end();
  }

 private:
  void run(const std::stop_token& ending) {
    std::unique_ptr<Backend> backend;
    std::optional<BoardSolver> solver;
    while (const std::shared_ptr<SessionBoard> board = session_.next(ending)) {
      const auto search = std::static_pointer_cast<Search>(board);
      {
        const std::lock_guard lock(mutex_);
        running_[search.get()] = Search::Clock::now();
      }
      bool succeeds = false;
      try {
        if (!solver) {
          const Workers threads{BackendKind::threads, {local_place(options_.threads)}};
          backend = local_backend(threads);
          solver.emplace(SearchOptions{}, threads, *backend);
        }
        succeeds = session_.solve(search, *solver);
      } catch (...) {  // no more threads
        session_.fail(search);
      }
      // The backend's threads keep the tables of their last search.
      if (!succeeds || search->task().plan.table_bytes > 0) solver.reset();
      if (!solver) backend.reset();
      // A file may have changed since it was opened: the next search opens it again.
      close_tables(succeeds ? options_.limits.idle_table_bytes : 0);
      const std::lock_guard lock(mutex_);
      running_.erase(search.get());
      remember(search);
    }
  }

  /// Stops a search about which no client asks any more, or for whose place another one waits after
  /// its share of time.
  void check_wanted(Search& search) {
    if (search.unasked() > options_.limits.unwatched) search.stop();
    if (search.stopped()) return;
    const std::lock_guard lock(mutex_);
    const auto yielding = static_cast<std::size_t>(std::ranges::count_if(
        running_, [](const auto& running) { return running.first->yielded(); }));
    if (session_.waiting() <= yielding) return;
    const auto time = Search::Clock::now() - running_.at(&search);
    if (time >= options_.limits.contended_time) search.yield();
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
  std::map<std::string, std::shared_ptr<Search>> known_;
  std::deque<std::shared_ptr<Search>> ended_;  // the oldest first
  /// Running searches, with their start times.
  std::map<Search*, Search::Clock::time_point> running_;
  SolverSession session_;
  Threads runners_;  // last: they end before what they use
};

}  // namespace tessera
