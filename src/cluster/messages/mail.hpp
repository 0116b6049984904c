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
    Bytes bytes;
    boost::mpi::packed_oarchive(comm_, bytes) << message;
    send_bytes(rank, tag, std::move(bytes));
  }
  /// Whether everything sent has left this rank; a large message leaves when it is received.
  [[nodiscard]] bool all_left();

  /// Calls `use` with the sender and the content of each message with that tag.
  template <class Message, class Use>
  void receive(int tag, const Use& use) {
    begin_receiving(tag);
    while (std::optional<UnderWay> arrived = next(tag)) {
      Message message{};
      boost::mpi::packed_iarchive(comm_, arrived->bytes) >> message;
      use(arrived->rank, std::move(message));
    }
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
  void begin_receiving(int tag);
  std::optional<UnderWay> next(int tag);

  JobState& state_;
  boost::mpi::communicator comm_;
  std::shared_ptr<Buffers> buffers_ = std::make_shared<Buffers>();
};

}  // namespace tessera
