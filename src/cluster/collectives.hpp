// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cluster/nonblocking.hpp"
#include "cluster/polling.hpp"
#include "tessera/cluster/session.hpp"
#include "tessera/protocol/deal.hpp"
#include "tessera/protocol/rank_tree.hpp"

/// The collectives of ranks, from and to rank 0. Boost.MPI packs what travels; its own calls would
/// burn a core and hear of nothing while they wait, so these are the non-blocking calls of MPI,
/// waited for as `wait_until` does: politely, and left by JobFailed where a rank has failed.

namespace tessera {

using Bytes = boost::mpi::packed_oarchive::buffer_type;

/// Messages of any size, from ranks that know it; kept with their buffers.
class Messages {
 public:
  void send(const boost::mpi::communicator& world, int rank, int tag,
            std::span<const std::byte> bytes) {
    in_pieces(bytes, [&](const std::byte* data, int count) {
      requests_.push_back(world.isend(rank, tag, reinterpret_cast<const char*>(data), count));
    });
  }
  void receive(const boost::mpi::communicator& world, int rank, int tag,
               std::span<std::byte> bytes) {
    in_pieces(bytes, [&](std::byte* data, int count) {
      requests_.push_back(world.irecv(rank, tag, reinterpret_cast<char*>(data), count));
    });
  }
  /// Once they are, others may follow.
  [[nodiscard]] bool complete() {
    if (empty()) return true;
    const bool all = boost::mpi::test_all(requests_.begin(), requests_.end());
    if (all) requests_.clear();
    return all;
  }

  [[nodiscard]] bool empty() const { return requests_.empty(); }

 private:
  // The length of a message is an int.
  template <class Byte, class Begin>
  static void in_pieces(std::span<Byte> bytes, Begin begin) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t at = 0; at < bytes.size(); at += most) {
      begin(bytes.data() + at, static_cast<int>(std::min(most, bytes.size() - at)));
    }
  }

  std::vector<boost::mpi::request> requests_;
};

/// Waits until MPI is done with `buffers`, as `complete` finds; where that is left by an exception,
/// MPI has them until the process ends.
void finish(const Session& session, const std::shared_ptr<void>& buffers,
            const std::function<bool()>& complete, const Waiting& waiting = {});
void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting = {});
/// Returns once all ranks have come here.
void barrier(const Session& session, const Waiting& waiting = {});
/// A rank's bytes to all, who return them; others pass none.
Bytes broadcast(const Session& session, Bytes bytes, int root = master_rank,
                const Waiting& waiting = {});
/// Bytes of any number for a rank; their number goes ahead.
struct Parcel {
  int rank = 0;
  Bytes bytes;
  std::uint64_t size = bytes.size();
};
/// To ranks that expect them, next to this one in the tree of ranks.
void send_bytes(const Session& session, std::vector<Parcel> parcels);
[[nodiscard]] Bytes receive_bytes(const Session& session, int rank);
/// The master's bytes, one of them to each rank, along the tree of ranks; others pass none.
[[nodiscard]] Bytes scatter_bytes(const Session& session, std::vector<Bytes> by_rank);
/// Part r of each rank to rank r; returns what came, by sender.
[[nodiscard]] std::vector<std::vector<std::byte>> all_to_all(
    const Session& session, std::vector<std::vector<std::byte>> parts);
/// Reduces each value over ranks, for all. std::plus<T> is MPI_SUM (nonblocking.hpp).
template <class T, class Operation>
void all_reduce(const Session& session, std::span<T> values, Operation operation,
                const Waiting& waiting = {}) {
  const auto buffer = std::make_shared<std::vector<T>>(values.begin(), values.end());
  finish(session, buffer, nonblocking::all_reduce(session.world(), std::span(*buffer), operation),
         waiting);
  std::copy(buffer->begin(), buffer->end(), values.begin());
}

template <class... Parts>
[[nodiscard]] Bytes packed(const Session& session, const Parts&... parts) {
  Bytes bytes;
  boost::mpi::packed_oarchive archive(session.world(), bytes);
  (archive << ... << parts);
  return bytes;
}
template <class Part>
[[nodiscard]] Part unpacked(const Session& session, Bytes bytes) {
  boost::mpi::packed_iarchive archive(session.world(), bytes);
  Part part;
  archive >> part;
  return part;
}

/// The master's parts, one to each rank; an empty container takes no bytes.
template <class Part>
[[nodiscard]] Part scatter(const Session& session, const std::vector<Part>& by_rank) {
  std::vector<Bytes> all;
  for (const Part& part : by_rank) all.push_back(part.empty() ? Bytes() : packed(session, part));
  Bytes mine = scatter_bytes(session, std::move(all));
  return mine.empty() ? Part() : unpacked<Part>(session, std::move(mine));
}
/// What all ranks have, on the master, added up along the tree of ranks: `merge(part, next)` adds
/// that of the ranks that follow. Others get what they have passed on.
template <class Part, class Merge>
[[nodiscard]] Part gather_merged(const Session& session, Part mine, const Merge& merge) {
  const std::vector<RankBlock> below = blocks_below(session.rank(), session.size());
  for (auto block = below.rbegin(); block != below.rend(); ++block) {
    merge(mine, unpacked<Part>(session, receive_bytes(session, block->first)));
  }
  if (session.rank() != master_rank) {
    send_bytes(session, {{parent_of(session.rank()), packed(session, mine)}});
  }
  return mine;
}
/// Each rank's part, by rank, on the master.
template <class Part>
[[nodiscard]] std::vector<Part> gather(const Session& session, const Part& mine) {
  using Parts = std::vector<Part>;
  return gather_merged(session, Parts{mine}, [](Parts& parts, Parts next) {
    std::move(next.begin(), next.end(), std::back_inserter(parts));
  });
}

}  // namespace tessera
