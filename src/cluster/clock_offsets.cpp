// SPDX-License-Identifier: MIT
#include "cluster/common_work.hpp"

#include <limits>

#include "cluster/collectives.hpp"
#include "cluster/messages.hpp"
#include "tessera/search/timeline.hpp"

namespace tessera {
namespace {

constexpr int questions = 16;

// The next number from a rank; this rank can leave the wait for it.
std::int64_t received(const Session& session, int from) {
  const boost::mpi::communicator& world = session.world();
  wait_until(session.state(), [&] { return world.iprobe(from, tag_clock).has_value(); });
  std::int64_t number = 0;
  world.recv(from, tag_clock, number);
  return number;
}

std::int64_t offset_of(const Session& session, int rank) {
  std::int64_t offset = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < questions; ++i) {
    const std::int64_t asked = nanoseconds_now();
    session.world().send(rank, tag_clock, std::int64_t{0});
    const std::int64_t theirs = received(session, rank);
    const std::int64_t round_trip = nanoseconds_now() - asked;
    if (round_trip >= least) continue;
    least = round_trip;
    offset = theirs - (asked + round_trip / 2);
  }
  return offset;
}

}  // namespace

std::vector<std::int64_t> clock_offsets(const Session& session) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(session.size()));
  for (const Host& host : session.hosts()) {
    const int first = host.ranks.front();
    if (first == master_rank) continue;
    if (session.rank() == master_rank) {
      const std::int64_t offset = offset_of(session, first);
      for (const int rank : host.ranks) offsets[static_cast<std::size_t>(rank)] = offset;
    } else if (session.rank() == first) {
      for (int i = 0; i < questions; ++i) {
        (void)received(session, master_rank);
        session.world().send(master_rank, tag_clock, nanoseconds_now());
      }
    }
  }
  return offsets;
}

}  // namespace tessera
