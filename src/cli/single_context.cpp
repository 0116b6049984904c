// SPDX-License-Identifier: MIT
#include "cli/context.hpp"
#include "tessera/base/machine.hpp"
#if TESSERA_WITH_MPI
#include "tessera/cluster/session.hpp"
#endif

namespace tessera {

std::vector<RankPlace> SingleContext::places(int threads) const {
  const int cpus = static_cast<int>(allowed_cpus().size());
  return {{host_name(), cpus, threads > 0 ? threads : cpus}};
}

CensusResult SingleContext::census(const CensusTask& task, const std::vector<RankPlace>& places,
                                   CensusObserver& observer) {
  CensusTask own = task;
  own.threads = places[0].threads;
  LocalExchange alone;
  return run_census(own, alone, observer, interrupted);
}

std::string SingleContext::mpi_library() const {
#if TESSERA_WITH_MPI
  return Session::library_version();
#else
  return {};
#endif
}

}  // namespace tessera
