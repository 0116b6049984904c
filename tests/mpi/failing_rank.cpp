// SPDX-License-Identifier: MIT
// A job in which the search of one rank fails: a thread of the last rank throws in the middle of an
// execution while all others search on. What the rank does with it is what tessera itself does; the
// command-line tests run this and look at what a person sees.
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/failure.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "search/built_in_problem.hpp"

namespace {

using namespace tessera;

void search(Session& session) {
  const WaitingRanks others(session);
  ClusterExecutor cluster(session, std::vector<int>(static_cast<std::size_t>(session.size()), 1));
  cluster.begin(built_in_problem("korf100:88", "manhattan", Kernel::plain));
  Observer nobody;
  const Limits unlimited;
  Monitor monitor(unlimited, nobody, {});
  // Dealt costliest first, each to the emptiest rank: the last item is the last rank's, and its
  // path leaves the board. The others search for minutes.
  std::vector<WorkItem> items(static_cast<std::size_t>(session.size()), {"", 10});
  items.back() = {"LLLLLLLLLL", 9};
  (void)cluster.execute(items, {65, Mode::exhaust, false, Schedule::dealt}, monitor);
}

}  // namespace

int main(int argc, char** argv) {
  Session session(argc, argv);
  try {
    if (session.rank() == 0) search(session);
    else run_worker(session);
  } catch (const JobFailed&) {
    // On record.
  }
  const auto failed = session.state().close();
  if (!failed) return 0;
  if (session.rank() == (failed->all_closed ? 0 : failed->rank)) {
    std::fprintf(stderr, "tessera: %s\n", failed->failure.message.c_str());
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(5));  // the job ends meanwhile
  }
  session.abort(1);
}
