// SPDX-License-Identifier: MIT
#include "tessera/cluster/cluster_census.hpp"

#include "cluster/census_messages.hpp"
#include "cluster/cluster_exchange.hpp"
#include "cluster/common_work.hpp"
#include "cluster/step.hpp"

namespace tessera {
namespace {

CensusResult run(const Session& session, CensusTask task, const std::vector<int>& threads_by_rank,
                 CensusObserver& observer, const std::atomic<bool>& stop) {
  return take_part(session, "census", [&] {
    task.threads = threads_by_rank.at(static_cast<std::size_t>(session.rank()));
    barrier(session);
    // One that keeps checkpoints finishes its level first.
    const bool ends_at_once = session.rank() == master_rank && task.checkpoint.empty();
    const auto exchange =
        std::make_shared<ClusterExchange>(session, ends_at_once ? &stop : nullptr);
    CensusResult result = run_census(task, *exchange, observer, stop);
    session.state().poll();
    return result;
  });
}

}  // namespace

CensusResult run_cluster_census(Session& session, CensusTask task, std::vector<int> threads_by_rank,
                                CensusObserver& observer, const std::atomic<bool>& stop) {
  send_command(session, Command::census, task, threads_by_rank);
  return run(session, std::move(task), threads_by_rank, observer, stop);
}

void serve_census(Session& session, ReceivedCommand& received) {
  auto task = received.take<CensusTask>();
  const auto threads_by_rank = received.take<std::vector<int>>();
  CensusObserver nobody;
  const std::atomic<bool> stop{false};
  try {
    (void)run(session, std::move(task), threads_by_rank, nobody, stop);
  } catch (const CommonError&) {
    // The master throws it too, and reports it.
  }
}

}  // namespace tessera
