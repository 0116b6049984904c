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

#include "cluster/job/polling.hpp"
#include "cluster/job/session.hpp"
#include "cluster/messages/mail.hpp"
#include "cluster/messages/nonblocking.hpp"
#include "protocol/deal.hpp"
#include "protocol/rank_tree.hpp"

/// The collectives of ranks, from and to rank 0. Boost.MPI serializes the data; its own collectives
/// would occupy a core and react to nothing while they wait, so these use non-blocking MPI calls
/// with `wait_until`: with back-off, and aborted by JobFailed if a rank has failed.

namespace tessera {

/// Messages of any size between ranks that know the size; stored with their buffers.
class Messages {
 public:
  /// `emptied`: messages without content, which leave the receiver's bytes as they are.
  void send(const boost::mpi::communicator& world, int rank, int tag,
            std::span<const std::byte> bytes, bool emptied = false) {
    in_pieces(bytes, [&](const std::byte* data, int count) {
      requests_.push_back(
          world.isend(rank, tag, reinterpret_cast<const char*>(data), emptied ? 0 : count));
    });
  }
  void receive(const boost::mpi::communicator& world, int rank, int tag,
               std::span<std::byte> bytes) {
    in_pieces(bytes, [&](std::byte* data, int count) {
      requests_.push_back(world.irecv(rank, tag, reinterpret_cast<char*>(data), count));
    });
  }
  /// If so, new messages may be added.
  [[nodiscard]] bool complete() {
    if (empty()) return true;
    const bool all = boost::mpi::test_all(requests_.begin(), requests_.end());
    if (all) requests_.clear();
    return all;
  }

  [[nodiscard]] bool empty() const { return requests_.empty(); }

 private:
  // The length of an MPI message is an int.
  template <class Byte, class Begin>
  static void in_pieces(std::span<Byte> bytes, Begin begin) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t at = 0; at < bytes.size(); at += most) {
      begin(bytes.data() + at, static_cast<int>(std::min(most, bytes.size() - at)));
    }
  }

  std::vector<boost::mpi::request> requests_;
};

/// Waits until MPI is done with `buffers`, as tested by `complete`; if an exception ends the wait,
/// they stay alive until the process ends.
void finish(const Session& session, const std::shared_ptr<void>& buffers,
            const std::function<bool()>& complete, const Waiting& waiting = {});
void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting = {});
/// The same ranks on a communicator of its own.
[[nodiscard]] boost::mpi::communicator duplicate(const Session& session);
/// Returns once all ranks have called it.
void barrier(const Session& session, const Waiting& waiting = {});
/// Returns the root's bytes on every rank; others pass none.
Bytes broadcast(const Session& session, Bytes bytes, int root = master_rank,
                const Waiting& waiting = {});
/// Bytes for a rank, of any number; the number is sent first.
struct Parcel {
  int rank = 0;
  Bytes bytes;
  std::uint64_t size = bytes.size();
};
/// Sends to ranks that expect them and are adjacent to this one in the rank tree.
void send_bytes(const Session& session, std::vector<Parcel> parcels);
[[nodiscard]] Bytes receive_bytes(const Session& session, int rank);
/// Sends one of the master's byte strings to each rank, along the rank tree; others pass none.
[[nodiscard]] Bytes scatter_bytes(const Session& session, std::vector<Bytes> by_rank);
/// Reduces each value over ranks, on all ranks. std::plus<T> is MPI_SUM (nonblocking.hpp).
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

/// Sends one of the master's parts to each rank; an empty container takes no bytes.
template <class Part>
[[nodiscard]] Part scatter(const Session& session, const std::vector<Part>& by_rank) {
  std::vector<Bytes> all;
  for (const Part& part : by_rank) all.push_back(part.empty() ? Bytes() : packed(session, part));
  Bytes mine = scatter_bytes(session, std::move(all));
  return mine.empty() ? Part() : unpacked<Part>(session, std::move(mine));
}
/// Merges the parts of all ranks on the master, along the rank tree: `merge(part, next)` adds those
/// of the following ranks. Other ranks get what they have passed on.
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
