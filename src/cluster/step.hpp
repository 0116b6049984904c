// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "tessera/base/failure.hpp"
#include "tessera/cluster/session.hpp"

/// The two forms in which ranks do something together. Every such thing has one of them and a name
/// of its own, under which tests make it fail on any rank (`inject`).

namespace tessera {

/// For tests, called where a rank begins its part of a step. With TESSERA_STEPS=FILE in the
/// environment each step's name is appended to that file once, a line each. With
/// TESSERA_INJECT=STEP:RANK:KIND that rank throws there: `error` an internal failure, `corrupt`
/// that of a damaged file, `memory` bad_alloc; `delay` has it sleep for 20 ms instead, each time.
void inject(std::string_view step, int rank);

/// A step in which no rank needs another: each does its part, then all meet and know how all fared.
/// `work` returns false where it was stopped. Returns whether no rank was. Throws on all ranks, as
/// a CommonError, what the lowest of those threw that failed.
///
/// Where a rank fails or stops, or `keep_going` says so on a rank that waits for the others, the
/// others are stopped too: `work` that takes long asks `JobState::goes_on`.
bool agree(const Session& session, const char* step, const std::function<bool()>& work,
           const std::function<bool()>& keep_going = {});

/// A step in which ranks send one another messages, so that none can go on if one is missing: where
/// `work` fails, all ranks leave it by JobFailed.
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

}  // namespace tessera
