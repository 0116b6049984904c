// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "base/failure.hpp"
#include "cluster/job/session.hpp"

/// The two kinds of collective steps. Every collective operation uses one of them and has its own
/// name, by which tests make it fail on any rank (`on_step`).

namespace tessera {

/// If set, called when a rank starts its part of a step: a program of the tests makes any step fail
/// with it (tests/mpi/injected_failures.cpp).
inline void (*on_step)(std::string_view step, int rank) = nullptr;
inline void begin_step(std::string_view step, int rank) {
  if (on_step != nullptr) on_step(step, rank);
}

/// How long a rank that failed waits for the others, whose work was stopped; tests set less.
inline std::chrono::milliseconds longest_wait = std::chrono::seconds(3);

/// A step in which no rank needs another: each does its part, then all ranks synchronize and learn
/// the outcome of all. `work` returns false if it was stopped. Returns whether no rank was. Throws
/// on all ranks, as a CommonError, the error of the lowest rank that failed.
///
/// `keep_going` is for long work, which must check `JobState::may_continue`: if a rank fails or
/// stops, or `keep_going` returns false on a rank that waits for the others, the others are stopped
/// too.
bool agree(const Session& session, const char* step, const std::function<bool()>& work,
           const std::function<bool()>& keep_going = {});

/// A step in which ranks exchange messages, so that none can continue if one is missing: if `work`
/// fails, JobFailed is thrown on all ranks.
template <class Work>
auto take_part(const Session& session, const char* step, const Work& work) {
  try {
    begin_step(step, session.rank());
    return work();
  } catch (const CommonError&) {
    throw;
  } catch (const JobFailed&) {
    throw;
  } catch (...) {
    session.state().fail_and_throw(current_failure());
  }
}

/// A session of the first ranks of another. Collective over all of its ranks.
[[nodiscard]] inline Session part_of(const Session& whole, int ranks) {
  return take_part(whole, "team", [&] { return Session(whole, ranks); });
}

}  // namespace tessera
