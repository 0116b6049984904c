// SPDX-License-Identifier: MIT
#include "cluster/messages/collectives.hpp"

#include <array>
#include <cstring>

#include "cluster/messages/messages.hpp"

namespace tessera {

void finish(const Session& session, const std::shared_ptr<void>& buffers,
            const std::function<bool()>& complete, const Waiting& waiting) {
  try {
    wait_until(session.state(), complete, waiting);
  } catch (...) {
    session.state().retain(buffers);
    throw;
  }
}

void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting) {
  const auto complete = [&] { return nonblocking::test(std::span(&request, 1)); };
  finish(session, buffers, complete, waiting);
}

boost::mpi::communicator duplicate(const Session& session) {
  const auto copy = std::make_shared<MPI_Comm>(MPI_COMM_NULL);
  finish(session, copy, nonblocking::duplicate(session.world(), *copy));
  return {*copy, boost::mpi::comm_take_ownership};
}

void barrier(const Session& session, const Waiting& waiting) {
  finish(session, nullptr, nonblocking::barrier(session.world()), waiting);
}

Bytes broadcast(const Session& session, Bytes bytes, int root, const Waiting& waiting) {
  // Usually the whole message; starts with the length.
  using Head = std::array<char, 1024>;
  constexpr std::size_t room = sizeof(Head) - sizeof(std::uint64_t);
  const auto head = std::make_shared<Head>();
  std::uint64_t length = bytes.size();
  if (session.rank() == root) {
    std::memcpy(head->data(), &length, sizeof length);
    std::copy_n(bytes.begin(), std::min(room, bytes.size()), head->begin() + sizeof length);
  }
  finish(session, head, nonblocking::broadcast(session.world(), std::span<char>(*head), root),
         waiting);
  std::memcpy(&length, head->data(), sizeof length);
  bytes.resize(length);
  std::copy_n(head->begin() + sizeof length, std::min<std::size_t>(room, length), bytes.begin());
  if (length <= room) return bytes;
  const auto rest = std::make_shared<Bytes>(bytes.begin() + room, bytes.end());
  finish(session, rest, nonblocking::broadcast(session.world(), std::span(*rest), root));
  std::copy(rest->begin(), rest->end(), bytes.begin() + room);
  return bytes;
}

void send_bytes(const Session& session, std::vector<Parcel> parcels) {
  struct Buffers {
    std::vector<Parcel> parcels;
    Messages messages = {};
  };
  const auto buffers = std::make_shared<Buffers>(Buffers{std::move(parcels)});
  for (const auto& [rank, bytes, size] : buffers->parcels) {
    const boost::mpi::communicator& world = session.world();
    buffers->messages.send(world, rank, tag_tree, std::as_bytes(std::span(&size, 1)));
    buffers->messages.send(world, rank, tag_tree, std::as_bytes(std::span(bytes)));
  }
  finish(session, buffers, [&] { return buffers->messages.complete(); });
}

Bytes receive_bytes(const Session& session, int rank) {
  struct Buffers {
    std::uint64_t size = 0;
    Bytes bytes;
    Messages messages;
  };
  const auto buffers = std::make_shared<Buffers>();
  const auto receive = [&](std::span<std::byte> bytes) {
    buffers->messages.receive(session.world(), rank, tag_tree, bytes);
    finish(session, buffers, [&] { return buffers->messages.complete(); });
  };
  receive(std::as_writable_bytes(std::span(&buffers->size, 1)));
  buffers->bytes.resize(buffers->size);
  receive(std::as_writable_bytes(std::span(buffers->bytes)));
  return std::move(buffers->bytes);
}

Bytes scatter_bytes(const Session& session, std::vector<Bytes> by_rank) {
  const int self = session.rank();
  if (self != master_rank) {
    by_rank = unpacked<std::vector<Bytes>>(session, receive_bytes(session, parent_of(self)));
  }
  std::vector<Parcel> parcels;
  for (const RankBlock& below : blocks_below(self, session.size())) {
    const auto begin = std::make_move_iterator(by_rank.begin() + (below.first - self));
    const std::vector<Bytes> block(begin, begin + (below.end - below.first));
    parcels.push_back({below.first, packed(session, block)});
  }
  send_bytes(session, std::move(parcels));
  return std::move(by_rank.front());
}

}  // namespace tessera
