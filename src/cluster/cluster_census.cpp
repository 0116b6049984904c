// SPDX-License-Identifier: MIT
#include "tessera/cluster/cluster_census.hpp"

#include <boost/mpi/collectives.hpp>

#include "cluster/cluster_exchange.hpp"
#include "cluster/messages.hpp"
#include "cluster/polling.hpp"
#include "cluster/serve_census.hpp"

namespace tessera {

CensusResult run_cluster_census(Session& session, CensusTask task, std::vector<int> threads_by_rank,
                                CensusObserver& observer, const std::atomic<bool>& stop) {
  meet(session.world());
  Calling calling = Calling::census;
  boost::mpi::broadcast(session.world(), calling, 0);
  boost::mpi::broadcast(session.world(), task, 0);
  boost::mpi::broadcast(session.world(), threads_by_rank, 0);
  task.threads = threads_by_rank[0];
  ClusterExchange exchange(session.world());
  return run_census(task, exchange, observer, stop);
}

void serve_census(Session& session) {
  CensusTask task;
  std::vector<int> threads_by_rank;
  boost::mpi::broadcast(session.world(), task, 0);
  boost::mpi::broadcast(session.world(), threads_by_rank, 0);
  task.threads = threads_by_rank[static_cast<std::size_t>(session.rank())];
  ClusterExchange exchange(session.world());
  CensusObserver nobody;
  const std::atomic<bool> stop{false};
  try {
    (void)run_census(task, exchange, nobody, stop);
  } catch (const CommonError&) {
    // The master throws it too, and tells.
  }
}

}  // namespace tessera
