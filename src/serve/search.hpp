// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/game_search.hpp"
#include "base/json_object.hpp"
#include "puzzle/move_sequence.hpp"
#include "report/task_result.hpp"
#include "serve/request.hpp"
#include "solver/session.hpp"

namespace tessera {

/// One requested search, shared by the thread that runs it and the connections that follow it.
/// These receive server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html) as docs/serve.md describes. All
/// functions may be called from any thread.
class Search final : public SessionBoard {
 public:
  enum class State : std::uint8_t { waiting, tables, searching, ended };

  using Clock = std::chrono::steady_clock;

  /// The searching thread calls `check_wanted`, which may stop it, on each sign of progress.
  /// `threads`: of a search.
  Search(std::string id, SearchRequest request, int threads,
         std::function<void(Search&)> check_wanted)
      : SessionBoard(request),
        id_(std::move(id)),
        moves_(std::move(request.moves)),
        threads_(threads),
        check_wanted_(std::move(check_wanted)) {
    tell("state", Json{{"state", name_of(State::waiting)}});
  }

  [[nodiscard]] const std::string& id() const { return id_; }

  // ---- for the thread that runs it
  bool may_continue() override {
    check_wanted_(*this);
    return !stopped();
  }
  void search_begins() override {
    const std::lock_guard lock(mutex_);
    began_ = Clock::now();
    enter(State::searching);
  }
  void tables_made(double fraction) override {
    const std::lock_guard lock(mutex_);
    enter(State::tables);
    if (is_due()) tell_progress("tables", Json{{"done", fraction}});
  }

  void iteration_started(int bound) override { tell("bound", Json{{"bound", bound}}); }

  void iteration_finished(const IterationReport& report) override {
    tell("iteration", iteration_json(report));
  }

  void bracket(const Bracket& bracket) override {
    tell("bracket",
         Json{{"lower_bound", bracket.lower}, {"upper_bound", or_null<Json>(bracket.upper)}});
  }

  void progress(const Progress& progress) override {
    check_wanted_(*this);
    const std::lock_guard lock(mutex_);
    if (!is_due()) return;
    const auto since = std::max(began_, std::exchange(nodes_reported_, progress_reported_));
    const double seconds = std::chrono::duration<double>(progress_reported_ - since).count();
    const std::uint64_t generated = progress.counts.generated;
    // Parts of a bound that begin again are counted again.
    const std::uint64_t more = generated - std::min(generated, generated_);
    const double rate = seconds > 0 ? static_cast<double>(more) / seconds : 0;
    generated_ = generated;
    tell_progress("progress", Json{{"bound", progress.bound},
                                   {"expanded", progress.counts.expanded},
                                   {"generated", generated},
                                   {"seconds", searched_seconds()},
                                   {"nodes_per_second", rate}});
  }

  void beam_progress(const BeamProgress& progress) override {
    check_wanted_(*this);
    const std::lock_guard lock(mutex_);
    if (!is_due()) return;
    tell_progress("beam", Json{{"width", progress.width},
                               {"layer", progress.layer},
                               {"evaluated", progress.evaluated},
                               {"seconds", searched_seconds()},
                               {"evaluated_per_second", progress.evaluated_per_second()}});
  }

  SearchResult search(BoardSolver& solver, const Limits& limits) override {
    if (!moves_) return SessionBoard::search(solver, limits);
    OnProgress watching([this] { check_wanted_(*this); });  // of each board of the game
    const std::size_t boards = moves_of(*moves_, task().options.metric).size() + 1;
    GameSearch search(task().options, solver, limits, boards, watching);
    game_ = search.analyse(task().plan, task().board, task().goal, *moves_,
                           [this](std::size_t move, const Bracket& bracket) {
                             check_wanted_(*this);
                             tell("distance", Json{{"after", move},
                                                   {"lower_bound", bracket.lower},
                                                   {"upper_bound", or_null<Json>(bracket.upper)}});
                           });
    return {};
  }

  void ended(BoardOutcome outcome, bool /*alone*/) override {
    if (moves_) {
      return end(row_of(task(), *moves_, task().options.metric, game_, task().plan.heuristic.name,
                        outcome.wall_seconds),
                 nullptr);
    }
    end(result_of_search(task().options, task(), task().plan, std::move(outcome.result), {}));
  }
  void stopped_unsearched(Stop why, double setup_seconds) override {
    if (moves_) return end(nullptr, "stopped before the tables were built");
    BoardResult result = unsearched();
    result.status = status_of(why);
    result.setup_seconds = setup_seconds;
    end(std::move(result));
  }
  void failed(const Failure& failure) override { end(nullptr, failure.message); }
  /// Instead of a search, if the board is unsolvable.
  void end_if_unsolvable() {
    BoardResult result = unsearched();
    if (!result.solvable) end(std::move(result));
  }

  /// Stops it, as its time limit would, to make room for a waiting one.
  void yield() {
    if (!yielded_.exchange(true)) tell("yielded", Json::object());
    stop();
  }
  [[nodiscard]] bool yielded() const { return yielded_; }
  /// How long no client has followed it or asked about it; zero while one follows it.
  [[nodiscard]] Clock::duration unasked() const {
    const std::lock_guard lock(mutex_);
    return followers_.empty() ? Clock::now() - asked_ : Clock::duration::zero();
  }

  // ---- for clients
  [[nodiscard]] bool ended() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::ended;
  }

  /// Whether any client has received the end.
  [[nodiscard]] bool end_reported() const {
    const std::lock_guard lock(mutex_);
    return end_reported_;
  }

  /// {"id":..., "state":..., "result":..., "error":..., "yielded":...}
  [[nodiscard]] std::string summary() {
    const std::lock_guard lock(mutex_);
    asked_ = Clock::now();
    end_reported_ = end_reported_ || state_ == State::ended;
    return to_line(Json{{"id", id_},
                        {"state", name_of(state_)},
                        {"result", result_},
                        {"error", error_},
                        {"yielded", yielded_.load()}});
  }

  /// A connection's position in the events.
  struct Follower {
    /// Called, by the thread that set it, whenever there is something new.
    std::function<void()> changed = {};
    bool finished = false;  ///< everything was sent, including the end
    std::size_t seen = 0;   ///< number of events
    std::uint64_t seen_progress = 0;
  };
  void follow(Follower& follower) {
    const std::lock_guard lock(mutex_);
    followers_.push_back(&follower);
  }
  void leave(Follower& follower) {
    const std::lock_guard lock(mutex_);
    std::erase(followers_, &follower);
    asked_ = Clock::now();
  }

  /// The new events for a follower. Of progress reports, only the latest.
  [[nodiscard]] std::string news(Follower& follower) {
    const std::lock_guard lock(mutex_);
    std::string events = events_.substr(follower.seen);
    follower.seen = events_.size();
    follower.finished = state_ == State::ended;
    end_reported_ = end_reported_ || follower.finished;
    if (follower.seen_progress < progress_number_ && !follower.finished) events += last_progress_;
    follower.seen_progress = progress_number_;
    return events;
  }

 private:
  using Json = nlohmann::ordered_json;

  static const char* name_of(State state) {
    constexpr const char* names[] = {"waiting", "tables", "searching", "ended"};
    return names[static_cast<std::size_t>(state)];
  }

  static std::string event(const std::string& type, const Json& data) {
    return "event: " + type + "\ndata: " + to_line(data) + "\n\n";
  }

  void tell(const char* type, const Json& data) {
    const std::lock_guard lock(mutex_);
    tell_locked(type, data);
  }

  void tell_locked(const char* type, const Json& data) {
    events_ += event(type, data);
    changed();
  }

  void tell_progress(const char* type, const Json& data) {
    last_progress_ = event(type, data);
    ++progress_number_;
    changed();
  }

  void enter(State state) {
    if (state_ == state) return;
    state_ = state;
    tell_locked("state", Json{{"state", name_of(state)}});
  }

  [[nodiscard]] BoardResult unsearched() const {
    return result_before_search(task().options, task(), task().plan);
  }

  // With a row of schema tessera.result/1.
  void end(BoardResult result) {
    if (yielded_ && result.status == Status::interrupted) result.status = Status::limit;
    RunSetup setup;
    setup.backend = "threads";
    setup.threads = threads_;
    setup.schedule = "stealing";
    setup.bounds = "shared";
    end(row_of(result, setup), nullptr);
  }

  void end(Json result, Json error) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::ended) return;
    state_ = State::ended;
    result_ = std::move(result);
    error_ = std::move(error);
    if (error_.is_null()) tell_locked("result", result_);
    else tell_locked("failure", Json{{"error", error_}});
  }

  bool is_due() {
    constexpr std::chrono::milliseconds interval{100};
    const Clock::time_point now = Clock::now();
    if (now - progress_reported_ < interval) return false;
    progress_reported_ = now;
    return true;
  }

  // Up to the last progress report.
  [[nodiscard]] double searched_seconds() const {
    return std::chrono::duration<double>(progress_reported_ - began_).count();
  }

  void changed() const {
    for (const Follower* follower : followers_) follower->changed();
  }

  const std::string id_;
  const std::optional<std::string> moves_;  // of a game
  GameAnalysis game_;                       // when it has ended
  const int threads_;
  const std::function<void(Search&)> check_wanted_;
  std::atomic<bool> yielded_{false};

  mutable std::mutex mutex_;
  State state_ = State::waiting;
  std::string events_;
  std::string last_progress_;
  std::uint64_t progress_number_ = 0;
  Json result_ = nullptr;  // a row, or null
  Json error_ = nullptr;   // a message
  bool end_reported_ = false;
  std::vector<Follower*> followers_;
  Clock::time_point asked_ = Clock::now();
  Clock::time_point progress_reported_{};  // when progress was last reported
  Clock::time_point began_{};
  Clock::time_point nodes_reported_{};  // the same, of IDA*
  std::uint64_t generated_ = 0;         // then
};

}  // namespace tessera
