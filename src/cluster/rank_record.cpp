// SPDX-License-Identifier: MIT
#include "cluster/rank_record.hpp"

#include <algorithm>

namespace tessera {

void RankRecord::asked(int victim) {
  ++figures.requests;
  if (traces()) requests_.push_back({victim, nanoseconds_now()});
}

void RankRecord::answered(int victim, std::size_t subtrees) {
  figures.stolen += subtrees;
  if (subtrees == 0) ++figures.refusals;
  // A rank answers in the order in which it was asked.
  const auto request = std::find_if(requests_.begin(), requests_.end(),
                                    [&](const Request& r) { return r.victim == victim; });
  if (request == requests_.end()) return;
  timeline_.note_since(request->begin, Activity::steal, subtrees, victim);
  requests_.erase(request);
}

void RankRecord::gave(int thief, std::size_t subtrees) {
  figures.given += subtrees;
  timeline_.note_moment(Activity::give, subtrees, thief);
}

}  // namespace tessera
