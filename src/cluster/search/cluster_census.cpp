// SPDX-License-Identifier: MIT
#include "cluster/job/step.hpp"
#include "cluster/messages/cluster_ranks.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "cluster/search/common_work.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

// Levels may be short: another rank may be late by very little, or by a whole chunk of work. Before
// its first sleep a rank only yields its core: a level of a small size takes less time than a sleep
// may overrun.
const Waiting briefly{.longest = 200us, .awake = 400us};

CensusResult run(const Session& session, CensusTask task, const std::vector<int>& threads_by_rank,
                 CensusObserver& observer, const std::atomic<bool>& stop) {
  return take_part(session, "census", [&] {
    task.threads = threads_by_rank.at(static_cast<std::size_t>(session.rank()));
    ClusterRanks ranks(session, briefly);
    return run_census(task, ranks, observer, stop);
  });
}

}  // namespace

CensusResult run_cluster_census(Session& session, CensusTask task,
                                const std::vector<int>& threads_by_rank, CensusObserver& observer,
                                const std::atomic<bool>& stop) {
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
    // The master throws the same error, and reports it.
  }
}

}  // namespace tessera
