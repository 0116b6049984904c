// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "serve/request.hpp"
#include "tessera/search/observer.hpp"

namespace tessera {

/// What happens to a search, in the words of docs/serve.md: its type, and JSON.
struct SearchEvent {
  std::string type;
  std::string data;
};

/// One search that was asked for: shared by the thread that runs it and the connections that follow
/// it. All functions may be called from any thread.
class Search {
 public:
  enum class State : std::uint8_t { waiting, tables, searching, ended };

  Search(std::string id, SearchRequest request, std::chrono::seconds unwatched);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const SearchRequest& request() const { return request_; }

  // ---- for who runs it
  void enter(State state);
  /// Tables are made up to this fraction.
  void tables_made(double fraction);
  void bound_started(int bound);
  void bound_finished(const IterationReport& report);
  void bracket(const Bracket& bracket);
  void progress(const Progress& progress);
  void beam_progress(const BeamProgress& progress);
  /// The end: a row of schema tessera.result/1, or what went wrong.
  void end(std::string result_row);
  void fail(const std::string& message);
  /// Set when it is to stop: asked to, or nobody has asked about it for long.
  [[nodiscard]] const std::atomic<bool>& stopped() const { return stop_; }
  /// Stops it, as its time limit would, to make room for one that waits.
  void yield() { yielded_ = stop_ = true; }
  [[nodiscard]] bool yielded() const { return yielded_; }
  /// Looks whether anybody still asks; to be called now and then.
  bool look_up();

  // ---- for who asks
  void stop();
  [[nodiscard]] bool ended() const;
  /// Whether anybody has heard of the end.
  [[nodiscard]] bool told() const;
  /// {"id":..., "state":..., "result":..., "error":...}
  [[nodiscard]] std::string summary();
  /// Follows the events from the first one on.
  class Follower {
   public:
    /// `changed` is called, by the thread that made it, whenever there is something new.
    Follower(Search& search, std::function<void()> changed);
    ~Follower();
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;
    /// What is new. Of progress only the last is told.
    [[nodiscard]] std::vector<SearchEvent> next();
    /// Everything has been told, the end too.
    [[nodiscard]] bool finished() const { return finished_; }

   private:
    friend class Search;
    Search& search_;
    std::function<void()> changed_;
    std::size_t seen_ = 0;
    std::uint64_t seen_progress_ = 0;
    bool finished_ = false;
  };

 private:
  using Clock = std::chrono::steady_clock;
  void tell(const char* type, std::string data);
  void tell_progress(const char* type, std::string data);
  bool is_due();
  [[nodiscard]] double searched_seconds() const;
  void changed() const;

  const std::string id_;
  const SearchRequest request_;
  const std::chrono::seconds unwatched_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> yielded_{false};

  mutable std::mutex mutex_;
  State state_ = State::waiting;
  std::vector<SearchEvent> events_;
  SearchEvent last_progress_;
  std::uint64_t progress_number_ = 0;
  std::string result_;  // a row, null where there is none
  std::string error_;
  bool told_end_ = false;
  std::vector<Follower*> followers_;
  Clock::time_point asked_ = Clock::now();
  Clock::time_point told_{};  // when progress was told last
  Clock::time_point began_{};
  std::uint64_t generated_ = 0;  // when it was told last
};

}  // namespace tessera
