// SPDX-License-Identifier: MIT
#include "serve/search.hpp"

#include <nlohmann/json.hpp>

#include "tessera/base/json_object.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds progress_interval{100};

const char* name_of(Search::State state) {
  constexpr const char* names[] = {"waiting", "tables", "searching", "ended"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

Search::Search(std::string id, SearchRequest request, std::chrono::seconds unwatched)
    : id_(std::move(id)), request_(std::move(request)), unwatched_(unwatched) {
  tell("state", Json{{"state", name_of(State::waiting)}}.dump());
}

void Search::enter(State state) {
  const std::lock_guard lock(mutex_);
  if (state_ == state) return;
  state_ = state;
  if (state == State::searching) began_ = Clock::now();
  tell("state", Json{{"state", name_of(state)}}.dump());
}

void Search::tables_made(double fraction) {
  const std::lock_guard lock(mutex_);
  if (is_due()) tell_progress("tables", Json{{"done", fraction}}.dump());
}

void Search::bound_started(int bound) {
  const std::lock_guard lock(mutex_);
  tell("bound", Json{{"bound", bound}}.dump());
}

void Search::bound_finished(const IterationReport& report) {
  const std::lock_guard lock(mutex_);
  tell("iteration", Json{{"bound", report.bound},
                         {"expanded", report.counts.expanded},
                         {"generated", report.counts.generated},
                         {"seconds", report.seconds},
                         {"idle_fraction", report.idle_fraction},
                         {"complete", report.complete}}
                        .dump());
}

void Search::bracket(const Bracket& bracket) {
  const std::lock_guard lock(mutex_);
  Json json{{"lower_bound", bracket.lower}};
  json["upper_bound"] = bracket.upper ? Json(*bracket.upper) : Json(nullptr);
  tell("bracket", json.dump());
}

void Search::beam_progress(const BeamProgress& progress) {
  const std::lock_guard lock(mutex_);
  if (!is_due()) return;
  tell_progress("beam", Json{{"width", progress.width},
                             {"layer", progress.layer},
                             {"evaluated", progress.evaluated},
                             {"seconds", searched_seconds()},
                             {"evaluated_per_second", progress.evaluated_per_second()}}
                            .dump());
}

void Search::progress(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point before = told_;
  if (!is_due()) return;
  const Clock::time_point since = before < began_ ? began_ : before;
  const double seconds = std::chrono::duration<double>(told_ - since).count();
  const std::uint64_t generated = progress.counts.generated;
  const double rate = seconds > 0 ? static_cast<double>(generated - generated_) / seconds : 0;
  generated_ = generated;
  tell_progress("progress", Json{{"bound", progress.bound},
                                 {"expanded", progress.counts.expanded},
                                 {"generated", generated},
                                 {"seconds", searched_seconds()},
                                 {"nodes_per_second", rate}}
                                .dump());
}

void Search::end(std::string result_row) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::ended) return;
  state_ = State::ended;
  result_ = std::move(result_row);
  tell("result", result_);
}

void Search::fail(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::ended) return;
  state_ = State::ended;
  error_ = message;
  tell("failure", to_line(Json{{"error", message}}));
}

bool Search::look_up() {
  const std::lock_guard lock(mutex_);
  if (followers_.empty() && Clock::now() - asked_ > unwatched_) stop_ = true;
  return !stop_;
}

void Search::stop() {
  stop_ = true;
}

bool Search::ended() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::ended;
}

bool Search::told() const {
  const std::lock_guard lock(mutex_);
  return told_end_;
}

std::string Search::summary() {
  const std::lock_guard lock(mutex_);
  asked_ = Clock::now();
  told_end_ = told_end_ || state_ == State::ended;
  Json json{{"id", id_}, {"state", name_of(state_)}};
  json["result"] = result_.empty() ? Json(nullptr) : Json::parse(result_);
  json["error"] = error_.empty() ? Json(nullptr) : Json(error_);
  return to_line(json);
}

void Search::tell(const char* type, std::string data) {
  events_.push_back({type, std::move(data)});
  changed();
}

void Search::tell_progress(const char* type, std::string data) {
  last_progress_ = {type, std::move(data)};
  ++progress_number_;
  changed();
}

void Search::changed() const {
  for (const Follower* follower : followers_) follower->changed_();
}

// When progress was told last.
double Search::searched_seconds() const {
  return std::chrono::duration<double>(told_ - began_).count();
}

bool Search::is_due() {
  const Clock::time_point now = Clock::now();
  if (now - told_ < progress_interval) return false;
  told_ = now;
  return true;
}

Search::Follower::Follower(Search& search, std::function<void()> changed)
    : search_(search), changed_(std::move(changed)) {
  const std::lock_guard lock(search_.mutex_);
  search_.followers_.push_back(this);
}

Search::Follower::~Follower() {
  const std::lock_guard lock(search_.mutex_);
  std::erase(search_.followers_, this);
  search_.asked_ = Clock::now();
}

std::vector<SearchEvent> Search::Follower::next() {
  const std::lock_guard lock(search_.mutex_);
  std::vector<SearchEvent> events(search_.events_.begin() + static_cast<std::ptrdiff_t>(seen_),
                                  search_.events_.end());
  seen_ = search_.events_.size();
  finished_ = search_.state_ == State::ended;
  search_.told_end_ = search_.told_end_ || finished_;
  if (seen_progress_ < search_.progress_number_ && !finished_) {
    events.push_back(search_.last_progress_);
  }
  seen_progress_ = search_.progress_number_;
  return events;
}

}  // namespace tessera
