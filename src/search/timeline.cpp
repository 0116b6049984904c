// SPDX-License-Identifier: MIT
#include "tessera/search/timeline.hpp"

#include <iterator>
#include <utility>

namespace tessera {

std::string_view to_string(Activity activity) {
  constexpr std::string_view names[] = {"search",  "share", "wait",   "between",  "split",
                                        "recover", "deal",  "attend", "settle",   "reduce",
                                        "steal",   "give",  "tell",   "solution", "over"};
  static_assert(std::size(names) == static_cast<std::size_t>(Activity::over) + 1);
  return names[static_cast<std::size_t>(activity)];
}

std::string_view to_string(Ending ending) {
  constexpr std::string_view names[] = {"exhausted", "solution", "stopped"};
  return names[static_cast<std::size_t>(ending)];
}

void Timeline::note(Span span) {
  if (room_ == 0) return;
  if (spans_.size() >= room_) thin();
  span.busy = span.end - span.begin;
  spans_.push_back(span);
}

void Timeline::note(Activity activity, std::int64_t begin, std::int64_t end, std::uint64_t amount,
                    int subject) {
  note({.activity = activity, .begin = begin, .end = end, .subject = subject, .amount = amount});
}

void Timeline::note_since(std::int64_t begin, Activity activity, std::uint64_t amount,
                          int subject) {
  if (room_ > 0) note(activity, begin, nanoseconds_now(), amount, subject);
}

void Timeline::note_moment(Activity activity, std::uint64_t amount, int subject) {
  if (room_ == 0) return;
  const std::int64_t now = nanoseconds_now();
  note(activity, now, now, amount, subject);
}

// Between two searches that are merged lies nothing longer than their gap, so nothing is left there
// that would overlap the merged span.
void Timeline::thin() {
  // The first solution and the end of an execution are told whatever happens.
  bool solved = false;
  const auto lasts = [&](const Span& span) {
    if (span.activity == Activity::solution) return !std::exchange(solved, true);
    return span.activity == Activity::search || span.activity == Activity::over ||
           span.end - span.begin >= least_;
  };
  while (true) {
    std::vector<Span> kept;
    std::ptrdiff_t last_search = -1;
    solved = false;
    for (const Span& span : spans_) {
      if (!lasts(span)) {
        ++dropped_;
        continue;
      }
      if (span.activity == Activity::search) {
        if (last_search >= 0 &&
            span.begin - kept[static_cast<std::size_t>(last_search)].end < least_) {
          Span& before = kept[static_cast<std::size_t>(last_search)];
          before.end = span.end;
          before.amount += span.amount;
          before.busy += span.busy;
          before.merged += span.merged;
          continue;
        }
        last_search = std::ssize(kept);
      }
      kept.push_back(span);
    }
    spans_ = std::move(kept);
    if (spans_.size() <= room_ / 2 || least_ > std::int64_t{1} << 60) return;
    least_ *= 2;
  }
}

Track Timeline::take(int rank, int thread) {
  least_ = first_least;
  return {rank, thread, std::exchange(spans_, {}), std::exchange(dropped_, 0)};
}

}  // namespace tessera
