// SPDX-License-Identifier: MIT
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <boost/mpi/request.hpp>
#include <list>
#include <memory>
#include <optional>

namespace tessera {

class JobState;

using Bytes = boost::mpi::packed_oarchive::buffer_type;

/// Values one after another.
template <class... Parts>
[[nodiscard]] Bytes packed(const boost::mpi::communicator& comm, const Parts&... parts) {
  Bytes bytes;
  boost::mpi::packed_oarchive archive(comm, bytes);
  (archive << ... << parts);
  return bytes;
}
template <class Part>
[[nodiscard]] Part unpacked(const boost::mpi::communicator& comm, Bytes bytes) {
  Part part{};
  boost::mpi::packed_iarchive(comm, bytes) >> part;
  return part;
}

/// Point-to-point messages.
enum MessageTag : int {
  tag_notice,    ///< a Notice, at any time
  tag_request,   ///< thief to victim, one int: its number of idle threads
  tag_patient,   ///< the same from an idle rank, which waits until the victim has work
  tag_work,      ///< victim to thief: subtrees, possibly none
  tag_finished,  ///< rank to master: its FinishedSubtrees since the last such message
  tag_clock,     ///< master to a rank of another host; its answer: nanoseconds
  tag_nodes,     ///< best-first: an array of Reached<State>, to the boards' owner
  tag_boards,    ///< batch: BoardJobs, master to rank; none: the end, drop waiting ones
  tag_outcomes,  ///< batch: BoardOutcomes, rank to master; none: the rank's last message
  tag_tree,      ///< a scatter down the rank tree, a gather up
  tag_transfer,  ///< a part of a Ranks::Transfer
};

/// Messages of any size between ranks, serialized; no call blocks. A message is received once all
/// of it has arrived: a probe finds the head of a large one, and the rest may never come if its
/// sender is stopped. Messages of one sender and tag arrive in order.
///
/// After a failure MPI may still use the buffers of what is under way, so they stay alive.
class Mail {
 public:
  Mail(JobState& state, boost::mpi::communicator comm);
  ~Mail();
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  template <class Message>
  void send(int rank, int tag, const Message& message) {
    send_bytes(rank, tag, packed(comm_, message));
  }
  /// Whether everything sent has left this rank; a large message leaves when it is received.
  [[nodiscard]] bool all_left();
  void wait_until_left();

  /// Calls `use` with the sender and the content of each message with that tag.
  template <class Message, class Use>
  void receive(int tag, const Use& use) {
    while (begin_receiving(boost::mpi::any_source, tag)) {
    }
    while (std::optional<UnderWay> arrived = next(tag)) {
      use(arrived->rank, unpacked<Message>(comm_, std::move(arrived->bytes)));
    }
  }
  /// Waits for the next message of that rank and tag.
  template <class Message>
  [[nodiscard]] Message await(int rank, int tag) {
    return unpacked<Message>(comm_, next_of(rank, tag).bytes);
  }

 private:
  struct UnderWay {
    int rank = 0;
    int tag = 0;
    Bytes bytes;
    boost::mpi::request request = {};
    bool arrived = false;
  };
  struct Buffers {
    std::list<UnderWay> sent;
    std::list<UnderWay> received;  // oldest first
  };

  void send_bytes(int rank, int tag, Bytes bytes);
  bool begin_receiving(int rank, int tag);
  std::optional<UnderWay> next(int tag);
  UnderWay next_of(int rank, int tag);

  JobState& state_;
  boost::mpi::communicator comm_;
  std::shared_ptr<Buffers> buffers_ = std::make_shared<Buffers>();
};

}  // namespace tessera
