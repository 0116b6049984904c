// SPDX-License-Identifier: MIT
#include "cluster/search/common_work.hpp"

#include <algorithm>
#include <limits>

#include "cluster/job/step.hpp"
#include "cluster/messages/cluster_ranks.hpp"
#include "cluster/messages/mail.hpp"
#include "search/record/timeline.hpp"

namespace tessera {
namespace {

// This rank's share among the ranks of its host.
TableShare share_of_host(const Session& session) {
  const std::vector<int>& ranks = session.host_of(session.rank());
  const auto self = std::ranges::find(ranks, session.rank());
  return {.index = static_cast<std::size_t>(self - ranks.begin()), .count = ranks.size()};
}

constexpr int questions = 16;

std::int64_t offset_of(Mail& mail, int rank) {
  std::int64_t offset = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < questions; ++i) {
    const std::int64_t asked = nanoseconds_now();
    mail.send(rank, tag_clock, std::int64_t{0});
    const auto theirs = mail.await<std::int64_t>(rank, tag_clock);
    const std::int64_t round_trip = nanoseconds_now() - asked;
    if (round_trip >= least) continue;
    least = round_trip;
    offset = theirs - (asked + round_trip / 2);
  }
  return offset;
}

}  // namespace

bool make_tables(const Session& session, const Problem& problem, int threads,
                 const TableProgress& progress) {
  double made = 0;
  const auto keep_going = [&] { return progress(made); };
  const auto report = [&](double part) {
    made = part;
    return keep_going() && session.state().may_continue();
  };
  const TableProgress in_work{report, progress.waits};
  const auto make = [&](const char* step, const TableShare& share) {
    const auto open = [&] { return open_tables(problem, threads, in_work, share); };
    return agree(session, step, open, keep_going);
  };
  const TableShare of_all{static_cast<std::size_t>(session.rank()),
                          static_cast<std::size_t>(session.size())};
  // If hosts do not share a folder, then build what this host still lacks. Where the folder cannot
  // be written, the automaton is not stored: every rank builds its own.
  return make("tables", of_all) && make("tables-of-a-host", share_of_host(session)) &&
         make("open-tables", TableShare{});
}

std::vector<std::int64_t> clock_offsets(const Session& session) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(session.size()));
  Mail mail(session.state(), session.world());
  for (const std::vector<int>& host : session.hosts()) {
    const int first = host.front();
    if (first == master_rank) continue;
    if (session.rank() == master_rank) {
      const std::int64_t offset = offset_of(mail, first);
      for (const int rank : host) offsets[static_cast<std::size_t>(rank)] = offset;
    } else if (session.rank() == first) {
      for (int i = 0; i < questions; ++i) {
        (void)mail.await<std::int64_t>(master_rank, tag_clock);
        mail.send(master_rank, tag_clock, nanoseconds_now());
      }
    }
  }
  return offsets;
}

BeamResult cluster_beam(const Session& session, const Problem& problem, const BeamOptions& options,
                        int threads, const Limits& limits, Observer& observer) {
  ThreadTeam team(threads);
  ClusterRanks ranks(session);
  return beam_search(problem, options, team, ranks, limits, observer);
}

}  // namespace tessera
