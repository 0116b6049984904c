// SPDX-License-Identifier: MIT
#include "cluster/clock_offsets.hpp"

#include <limits>
#include <map>
#include <string>

#include "cluster/messages.hpp"
#include "tessera/search/timeline.hpp"

namespace tessera {
namespace {

constexpr int questions = 16;

std::int64_t offset_of(const boost::mpi::communicator& world, int rank) {
  std::int64_t offset = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < questions; ++i) {
    const std::int64_t asked = nanoseconds_now();
    std::int64_t theirs = 0;
    world.send(rank, tag_clock);
    world.recv(rank, tag_clock, theirs);
    const std::int64_t round_trip = nanoseconds_now() - asked;
    if (round_trip >= least) continue;
    least = round_trip;
    offset = theirs - (asked + round_trip / 2);
  }
  return offset;
}

}  // namespace

std::vector<std::int64_t> clock_offsets(const Session& session) {
  constexpr int master = 0;
  std::map<std::string, std::int64_t> by_host{{session.ranks()[master].host, 0}};
  std::vector<std::int64_t> offsets;
  for (int rank = 0; rank < session.size(); ++rank) {
    const std::string& host = session.ranks()[static_cast<std::size_t>(rank)].host;
    if (by_host.count(host) == 0) {
      by_host[host] = session.rank() == master ? offset_of(session.world(), rank) : 0;
      for (int i = 0; i < questions && session.rank() == rank; ++i) {
        session.world().recv(master, tag_clock);
        session.world().send(master, tag_clock, nanoseconds_now());
      }
    }
    offsets.push_back(by_host[host]);
  }
  return offsets;
}

}  // namespace tessera
