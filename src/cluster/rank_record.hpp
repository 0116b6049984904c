// SPDX-License-Identifier: MIT
#pragma once

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
  void asked(int victim);
  void answered(int victim, std::size_t subtrees);
  void gave(int thief, std::size_t subtrees);
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
