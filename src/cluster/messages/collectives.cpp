// SPDX-License-Identifier: MIT
#include "cluster/messages/collectives.hpp"

#include <array>
#include <cstring>

namespace tessera {

void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting) {
  try {
    const auto complete = [&] { return nonblocking::test(std::span(&request, 1)); };
    wait_until(session.state(), complete, waiting);
  } catch (...) {
    session.state().retain(buffers);
    throw;
  }
}

boost::mpi::communicator duplicate(const Session& session) {
  const auto copy = std::make_shared<MPI_Comm>(MPI_COMM_NULL);
  finish(session, copy, nonblocking::begun(MPI_Comm_idup, session.world(), copy.get()));
  return {*copy, boost::mpi::comm_take_ownership};
}

void barrier(const Session& session, const Waiting& waiting) {
  finish(session, nullptr, nonblocking::begun(MPI_Ibarrier, session.world()), waiting);
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

}  // namespace tessera
