// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/search.hpp"
#include "serve/table_builds.hpp"
#include "tessera/search/backend.hpp"

namespace tessera {

/// The searches that were asked for: some run, each on search threads of its own, some wait, those
/// that ended are remembered for a while.
class Searches {
 public:
  explicit Searches(const ServeOptions& options);
  /// Stops them all.
  ~Searches();
  Searches(const Searches&) = delete;
  Searches& operator=(const Searches&) = delete;

  /// A new search, ended already where its board is unsolvable. Null where too many wait.
  [[nodiscard]] std::shared_ptr<Search> ask(SearchRequest request);
  /// Null where there is none of that id, or it was forgotten.
  [[nodiscard]] std::shared_ptr<Search> find(const std::string& id);
  void cancel(const std::shared_ptr<Search>& search);
  /// How long until a running search has to make room for a waiting one.
  [[nodiscard]] std::chrono::seconds time_to_room();
  /// Stops all searches and waits for their threads.
  void stop();

 private:
  void run(const std::stop_token& ending);
  void run_search(Search& search, Backend& backend);
  bool make_tables(Search& search, Backend& backend, const std::function<bool()>& goes_on);
  /// Whether a search may go on: somebody still asks about it, and nobody has waited for its place
  /// since it has had its share of time.
  bool look_up(Search& search);
  void remember(const std::shared_ptr<Search>& search);

  const ServeOptions& options_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable_any work_came_;
  std::map<std::string, std::shared_ptr<Search>> known_;
  std::deque<std::shared_ptr<Search>> waiting_;
  std::deque<std::shared_ptr<Search>> ended_;  // the oldest first
  /// Those that run, and since when.
  std::map<Search*, std::chrono::steady_clock::time_point> running_;
  TableBuilds builds_;
  std::vector<std::jthread> runners_;  // last: they end before what they use
};

}  // namespace tessera
