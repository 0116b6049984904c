// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/base/clock.hpp"
#include "tessera/search/observer.hpp"
#include "tessera/search/timeline.hpp"

namespace tessera {

/// What a rank's main thread did in one execution: counted always, as a Timeline where there is
/// room for one.
class RankRecord {
 public:
  explicit RankRecord(std::size_t trace_room) { timeline_.start(trace_room); }

  /// Since `watch` was started.
  void did(Activity activity, const Stopwatch& watch) {
    timeline_.note_since(nanoseconds(watch.start()), activity);
  }

  void asked(int victim) {
    ++figures.requests;
    if (traces()) requests_.push_back({victim, nanoseconds_now()});
  }

  void answered(int victim, std::size_t subtrees) {
    figures.stolen += subtrees;
    if (subtrees == 0) ++figures.refusals;
    // A rank answers in the order in which it was asked.
    const auto request = std::find_if(requests_.begin(), requests_.end(),
                                      [&](const Request& r) { return r.victim == victim; });
    if (request == requests_.end()) return;
    timeline_.note_since(request->begin, Activity::steal, subtrees, victim);
    requests_.erase(request);
  }

  void gave(int thief, std::size_t subtrees) {
    figures.given += subtrees;
    timeline_.note_moment(Activity::give, subtrees, thief);
  }

  void sent_finished(std::size_t subtrees) { timeline_.note_moment(Activity::tell, subtrees, 0); }
  void round() { ++figures.rounds; }
  void over(Ending ending) { timeline_.note_moment(Activity::over, 0, static_cast<int>(ending)); }

  [[nodiscard]] bool traces() const { return timeline_.records(); }
  [[nodiscard]] Track take(int rank) { return timeline_.take(rank, Track::main_thread); }

  WorkFigures figures;

 private:
  struct Request {
    int victim;
    std::int64_t begin;
  };
  Timeline timeline_;
  std::vector<Request> requests_;  // not answered yet
};

}  // namespace tessera
