// SPDX-License-Identifier: MIT
#include "search/record/timeline.hpp"

#include <iterator>
#include <optional>
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

// Between two searches that are merged there is nothing longer than their gap, so no remaining span
// overlaps the merged one.
void Timeline::thin() {
  // The first solution and the end of an execution are always kept.
  bool solved = false;
  const auto lasts = [&](const Span& span) {
    if (span.activity == Activity::solution) return !std::exchange(solved, true);
    return span.activity == Activity::search || span.activity == Activity::over ||
           span.end - span.begin >= least_;
  };
  while (true) {
    std::vector<Span> kept;
    std::optional<std::size_t> last_search;
    solved = false;
    for (const Span& span : spans_) {
      const bool is_search = span.activity == Activity::search;
      if (!lasts(span)) {
        ++dropped_;
      } else if (is_search && last_search && span.begin - kept[*last_search].end < least_) {
        Span& before = kept[*last_search];
        before.end = span.end;
        before.amount += span.amount;
        before.busy += span.busy;
        before.merged += span.merged;
      } else {
        if (is_search) last_search = kept.size();
        kept.push_back(span);
      }
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
