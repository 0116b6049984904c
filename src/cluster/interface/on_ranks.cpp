// SPDX-License-Identifier: MIT
// Defines what tessera/mpi.hpp declares. That header cannot be included here, as it makes the names
// of api those of tessera.
#include <exception>
#include <functional>
#include <memory>

#include "base/memory_limit.hpp"
#include "cluster/interface/rank_places.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "solver/interface/solver_impl.hpp"
#include "solver/interface/translate.hpp"

namespace tessera::api {
namespace {

// Rank 0's part: the others wait for what its executor has them do.
void lead(Session& session, const Options& options, const std::function<void(Solver&)>& work) {
  const WaitingRanks others(session);
  // Before threads are started on all ranks.
  (void)translated([&] { return search_options(options, session.size()); });
  const LimitedMemory limited({.bytes = options.memory, .processes = session.size()});
  std::vector<RankPlace> places = rank_places(session, options.threads);
  ClusterExecutor executor(session, threads_of(places));
  Solver solver(translated(
      [&] { return std::make_unique<Solver::Impl>(options, std::move(places), &executor); }));
  work(solver);
}

}  // namespace

void on_ranks(const boost::mpi::communicator& world, const Options& options,
              const std::function<void(Solver&)>& work) {
  if (!world) bad_input("on_ranks: MPI_COMM_NULL has no ranks");
  auto session = std::make_unique<Session>(world);
  std::exception_ptr thrown;
  // A rank that has failed during a collective operation has recorded it, or does so now.
  try {
    if (session->rank() == 0) lead(*session, options, work);
    else run_worker(*session);
  } catch (const JobFailed&) {
  } catch (...) {
    if (session->rank() == 0) thrown = std::current_exception();
    else session->state().fail(current_failure());
  }
  if (const auto failed = session->state().close()) {
    // A rank that does not answer may still hold messages: nothing of MPI can be released.
    if (!failed->all_closed) (void)session.release();
    throw Error(failed->failure.kind, failed->failure.message);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tessera::api
