// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "base/failure.hpp"
#include "cluster/job/session.hpp"

/// The two kinds of collective steps. Every collective operation uses one of them and has its own
/// name, by which tests make it fail on any rank (`inject`).

namespace tessera {

/// For tests; called when a rank starts its part of a step. With TESSERA_STEPS=FILE in the
/// environment, each step's name is appended to that file once, one per line. With
/// TESSERA_INJECT=STEP:RANK:KIND that rank throws there: `error` an internal failure, `corrupt`
/// that of a damaged file, `memory` bad_alloc; with `delay` it sleeps for 20 ms instead, each time,
/// and with `stop` it stops once, until it is continued.
void inject(std::string_view step, int rank);

/// A step in which no rank needs another: each does its part, then all ranks synchronize and learn
/// the outcome of all. `work` returns false if it was stopped. Returns whether no rank was. Throws
/// on all ranks, as a CommonError, the error of the lowest rank that failed.
///
/// If a rank fails or stops, or `keep_going` returns false on a rank that waits for the others, the
/// others are stopped too: long `work` must check `JobState::goes_on`.
bool agree(const Session& session, const char* step, const std::function<bool()>& work,
           const std::function<bool()>& keep_going = {});

/// A step in which ranks exchange messages, so that none can continue if one is missing: if `work`
/// fails, JobFailed is thrown on all ranks.
template <class Work>
auto take_part(const Session& session, const char* step, const Work& work) {
  try {
    inject(step, session.rank());
    return work();
  } catch (const CommonError&) {
    throw;
  } catch (const JobFailed&) {
    throw;
  } catch (...) {
    session.state().fail(current_failure());
    throw JobFailed();
  }
}

/// A session of the first ranks of another. Collective over all of its ranks.
[[nodiscard]] inline Session part_of(const Session& whole, int ranks) {
  return take_part(whole, "team", [&] { return Session(whole, ranks); });
}

}  // namespace tessera
