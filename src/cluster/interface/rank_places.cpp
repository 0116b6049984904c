// SPDX-License-Identifier: MIT
#include "cluster/interface/rank_places.hpp"

#include <map>
#include <set>

namespace tessera {

std::vector<RankPlace> rank_places(const Session& session, int threads) {
  std::map<std::string, std::set<int>> host_cpus;
  for (const RankInfo& info : session.ranks()) {
    host_cpus[info.host].insert(info.cpus.begin(), info.cpus.end());
  }
  std::vector<RankPlace> places;
  for (int rank = 0; rank < session.size(); ++rank) {
    const RankInfo& info = session.ranks()[static_cast<std::size_t>(rank)];
    places.push_back({.host = info.host,
                      .cpus = static_cast<int>(info.cpus.size()),
                      .threads = threads > 0 ? threads : session.fair_threads(rank),
                      .host_cpus = static_cast<int>(host_cpus[info.host].size())});
  }
  return places;
}

std::vector<int> threads_of(const std::vector<RankPlace>& places) {
  std::vector<int> threads;
  for (const RankPlace& place : places) threads.push_back(place.threads);
  return threads;
}

}  // namespace tessera
