// SPDX-License-Identifier: MIT
#include "cluster/common_work.hpp"

#include <algorithm>

#include "cluster/step.hpp"

namespace tessera {
namespace {

// This rank among those of its host.
TableShare share_of_host(const Session& session) {
  const std::vector<int>& ranks = session.host_of(session.rank()).ranks;
  const auto self = std::find(ranks.begin(), ranks.end(), session.rank());
  return {.index = static_cast<std::size_t>(self - ranks.begin()), .count = ranks.size()};
}

}  // namespace

bool make_tables(const Session& session, const Problem& problem, int threads,
                 const TableProgress& progress) {
  double made = 0;
  const auto keep_going = [&] { return !progress || progress(made); };
  const TableProgress in_work = [&](double part) {
    made = part;
    return keep_going() && session.state().goes_on();
  };
  const auto make = [&](TableShare share) {
    return [&, share] { return open_tables(problem, threads, in_work, share); };
  };
  const TableShare of_all{static_cast<std::size_t>(session.rank()),
                          static_cast<std::size_t>(session.size())};
  // Then, where hosts do not share a folder, what a host still lacks.
  return agree(session, "tables", make(of_all), keep_going) &&
         agree(session, "tables-of-a-host", make(share_of_host(session)), keep_going);
}

}  // namespace tessera
