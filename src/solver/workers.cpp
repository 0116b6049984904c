// SPDX-License-Identifier: MIT
#include "solver/workers.hpp"

#include <set>

#include "base/machine.hpp"

namespace tessera {

RankPlace local_place(int threads) {
  const int cpus = static_cast<int>(allowed_cpus().size());
  return {host_name(), cpus, threads > 0 ? threads : cpus};
}

int local_threads(const SearchOptions& options) {
  return options.backend == BackendKind::serial ? 1 : local_place(options.threads).threads;
}

int hosts_of(const std::vector<RankPlace>& places) {
  std::set<std::string> hosts;
  for (const RankPlace& place : places) hosts.insert(place.host);
  return static_cast<int>(hosts.size());
}

int Workers::count() const {
  int count = 0;
  for (const RankPlace& place : places) count += place.threads;
  return count;
}

Workers choose_workers(const SearchOptions& options, std::vector<RankPlace> places) {
  BackendKind backend = options.backend;
  if (backend == BackendKind::automatic) {
    backend = places.size() > 1 ? BackendKind::mpi : BackendKind::threads;
  }
  if (backend != BackendKind::mpi) places.resize(1);
  RankPlace& first = places.front();
  if (backend == BackendKind::serial) first.threads = 1;
  else if (backend == BackendKind::threads && options.threads == 0) first.threads = first.cpus;
  return {backend, std::move(places)};
}

}  // namespace tessera
