// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "cluster/injection.hpp"
#include "tessera/base/failure.hpp"
#include "tessera/cluster/session.hpp"

/// The two forms in which ranks do something together. Every such thing has one of them and a name
/// of its own, under which tests make it fail on any rank (injection.hpp).

namespace tessera {

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
