// SPDX-License-Identifier: MIT
#include "cluster/job/step.hpp"

#include <array>
#include <boost/serialization/utility.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cluster/messages/collectives.hpp"

namespace tessera {
namespace {

// The rank's failure, on all ranks.
Failure common_failure(const Session& session, int rank, const std::optional<Failure>& own) {
  using KindAndMessage = std::pair<ErrorKind, std::string>;
  Bytes mine;
  if (rank == session.rank()) {
    mine = packed(session.world(), KindAndMessage(own->kind, own->message));
  }
  const auto [kind, message] =
      unpacked<KindAndMessage>(session.world(), broadcast(session, mine, rank));
  return {kind, with_rank(rank, message)};
}

}  // namespace

bool agree(const Session& session, const char* step, const std::function<bool()>& work,
           const std::function<bool()>& keep_going) {
  JobState& state = session.state();
  std::optional<Failure> own;
  bool done = false;
  try {
    begin_step(step, session.rank());
    done = work();
  } catch (const JobFailed&) {
    throw;
  } catch (...) {
    own = current_failure();
  }
  const auto began = JobState::Clock::now();
  if (!done && keep_going) state.stop_command();
  constexpr int nobody = std::numeric_limits<int>::max();
  std::array<int, 2> all{own ? session.rank() : nobody, done ? 1 : 0};  // who failed, all done
  all_reduce(session, std::span<int>(all), boost::mpi::minimum<int>(), {.meanwhile = [&] {
               if (keep_going && !keep_going()) state.stop_command();
               if (!own || !keep_going || JobState::Clock::now() < began + longest_wait) return;
               state.fail_and_throw(*own, began);
             }});
  if (all[0] != nobody) {
    const Failure failure = common_failure(session, all[0], own);
    throw CommonError(failure.kind, failure.message);
  }
  return all[1] == 1;
}

}  // namespace tessera
