// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "solver/options.hpp"

namespace tessera {

/// How a rank is placed.
struct RankPlace {
  std::string host;
  int cpus = 1;          ///< that it may use
  int threads = 1;       ///< search threads that it gets
  int host_cpus = cpus;  ///< that it or another rank of its host may use
};

/// This process: `threads` search threads; 0: as many as it may use CPUs.
[[nodiscard]] RankPlace local_place(int threads);

/// The search threads of this process with these options.
[[nodiscard]] int local_threads(const SearchOptions& options);

/// The number of hosts.
[[nodiscard]] int hosts_of(const std::vector<RankPlace>& places);

/// The workers of a search: a backend, and its ranks.
struct Workers {
  BackendKind backend = BackendKind::threads;  ///< never automatic
  std::vector<RankPlace> places;               ///< by rank; one without mpi

  [[nodiscard]] int ranks() const { return static_cast<int>(places.size()); }
  [[nodiscard]] int hosts() const { return hosts_of(places); }
  /// Search threads per rank (of rank 0, if they differ), and of all ranks.
  [[nodiscard]] int threads() const { return places.front().threads; }
  [[nodiscard]] int count() const;
};

/// The workers in a job of ranks at these places: all of them with mpi, the default if there are
/// several; else this process alone, which may use all its CPUs while the others sleep.
[[nodiscard]] Workers choose_workers(const SearchOptions& options, std::vector<RankPlace> places);

}  // namespace tessera
