// SPDX-License-Identifier: MIT
#include "cluster/clock_offsets.hpp"

#include <limits>
#include <map>
#include <memory>
#include <string>

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
  std::map<std::string, std::int64_t> by_host{{session.ranks()[master_rank].host, 0}};
  std::vector<std::int64_t> offsets;
  for (int rank = 0; rank < session.size(); ++rank) {
    const std::string& host = session.ranks()[static_cast<std::size_t>(rank)].host;
    if (by_host.count(host) == 0) {
      by_host[host] = session.rank() == master_rank ? offset_of(session, rank) : 0;
      for (int i = 0; i < questions && session.rank() == rank; ++i) {
        (void)received(session, master_rank);
        session.world().send(master_rank, tag_clock, nanoseconds_now());
      }
    }
    offsets.push_back(by_host[host]);
  }
  return offsets;
}

}  // namespace tessera
