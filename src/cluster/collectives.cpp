// SPDX-License-Identifier: MIT
#include "cluster/collectives.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "cluster/messages.hpp"

namespace tessera {
namespace {

void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting = {}) {
  finish(session, buffers, {&request, 1}, waiting);
}

int count_of(const Bytes& bytes) {
  return static_cast<int>(bytes.size());
}

}  // namespace

void finish(const Session& session, const std::shared_ptr<void>& buffers,
            std::span<MPI_Request> requests, const Waiting& waiting) {
  try {
    wait(session.state(), requests, waiting);
  } catch (...) {
    session.state().keep(buffers);
    throw;
  }
}

void meet(const Session& session, const Waiting& waiting) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(session.world(), &request);
  wait(session.state(), request, waiting);
}

void broadcast(const Session& session, Bytes& bytes, int root, const Waiting& waiting) {
  // Nearly always all of it; the length goes ahead.
  using Head = std::array<char, 1024>;
  constexpr std::size_t room = sizeof(Head) - sizeof(std::uint64_t);
  const auto head = std::make_shared<Head>();
  std::uint64_t length = bytes.size();
  if (session.rank() == root) {
    std::memcpy(head->data(), &length, sizeof length);
    std::copy_n(bytes.begin(), std::min(room, bytes.size()), head->begin() + sizeof length);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(head->data(), sizeof(Head), MPI_BYTE, root, session.world(), &request);
  finish(session, head, request, waiting);
  std::memcpy(&length, head->data(), sizeof length);
  if (length > room) {
    const auto rest = std::make_shared<Bytes>(length - room);
    if (session.rank() == root) std::copy(bytes.begin() + room, bytes.end(), rest->begin());
    MPI_Ibcast(rest->data(), count_of(*rest), MPI_BYTE, root, session.world(), &request);
    finish(session, rest, request);
    bytes.resize(length);
    std::copy(rest->begin(), rest->end(), bytes.begin() + room);
  }
  bytes.resize(length);
  std::copy_n(head->begin() + sizeof length, std::min<std::size_t>(room, length), bytes.begin());
}

Bytes scatter_bytes(const Session& session, std::vector<Bytes> by_rank) {
  struct Buffers {
    std::vector<Bytes> parts;
    std::vector<int> counts;
    int count = 0;
    Bytes mine;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->parts = std::move(by_rank);
  for (const Bytes& part : buffers->parts) buffers->counts.push_back(count_of(part));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iscatter(buffers->counts.data(), 1, MPI_INT, &buffers->count, 1, MPI_INT, master_rank,
               session.world(), &request);
  finish(session, buffers, request);
  if (session.rank() != master_rank) {
    buffers->mine.resize(static_cast<std::size_t>(buffers->count));
    MPI_Irecv(buffers->mine.data(), buffers->count, MPI_BYTE, master_rank, tag_scattered,
              session.world(), &request);
    finish(session, buffers, request);
    return std::move(buffers->mine);
  }
  std::vector<MPI_Request> requests;
  for (int rank = 1; rank < session.size(); ++rank) {
    const Bytes& part = buffers->parts[static_cast<std::size_t>(rank)];
    MPI_Isend(part.data(), count_of(part), MPI_BYTE, rank, tag_scattered, session.world(),
              &requests.emplace_back());
  }
  finish(session, buffers, requests);
  return std::move(buffers->parts.front());
}

std::vector<Bytes> gather_bytes(const Session& session, Bytes mine) {
  struct Buffers {
    Bytes mine;
    int count = 0;
    std::vector<int> counts;
    std::vector<Bytes> parts;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->count = count_of(mine);
  buffers->mine = std::move(mine);
  const bool all = session.rank() == master_rank;
  buffers->counts.resize(all ? static_cast<std::size_t>(session.size()) : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Igather(&buffers->count, 1, MPI_INT, buffers->counts.data(), 1, MPI_INT, master_rank,
              session.world(), &request);
  finish(session, buffers, request);
  if (!all) {
    MPI_Isend(buffers->mine.data(), buffers->count, MPI_BYTE, master_rank, tag_gathered,
              session.world(), &request);
    finish(session, buffers, request);
    return {};
  }
  std::vector<MPI_Request> requests;
  buffers->parts.resize(buffers->counts.size());
  buffers->parts.front() = std::move(buffers->mine);
  for (int rank = 1; rank < session.size(); ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    buffers->parts[index].resize(static_cast<std::size_t>(buffers->counts[index]));
    MPI_Irecv(buffers->parts[index].data(), buffers->counts[index], MPI_BYTE, rank, tag_gathered,
              session.world(), &requests.emplace_back());
  }
  finish(session, buffers, requests);
  return std::move(buffers->parts);
}

std::vector<std::uint64_t> reduce(const Session& session, std::vector<std::uint64_t> mine) {
  struct Buffers {
    std::vector<std::uint64_t> mine;
    std::vector<std::uint64_t> sums;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->mine = std::move(mine);
  buffers->sums.resize(session.rank() == master_rank ? buffers->mine.size() : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ireduce(buffers->mine.data(), buffers->sums.data(), static_cast<int>(buffers->mine.size()),
              MPI_UINT64_T, MPI_SUM, master_rank, session.world(), &request);
  finish(session, buffers, request);
  return std::move(buffers->sums);
}

std::vector<std::vector<std::byte>> all_to_all(const Session& session,
                                               std::vector<std::vector<std::byte>> parts) {
  using Parts = std::vector<std::vector<std::byte>>;
  struct Buffers {
    Parts parts;
    Parts received;
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> coming;
  };
  const auto buffers = std::make_shared<Buffers>();
  for (const auto& part : parts) buffers->sizes.push_back(part.size());
  buffers->parts = std::move(parts);
  buffers->received.resize(buffers->sizes.size());
  buffers->coming.resize(buffers->sizes.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(buffers->sizes.data(), 1, MPI_UINT64_T, buffers->coming.data(), 1, MPI_UINT64_T,
                session.world(), &request);
  finish(session, buffers, request);
  std::vector<MPI_Request> requests;
  // A message's length is an int.
  const auto in_pieces = [&](std::vector<std::byte>& bytes, const auto& begin) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t at = 0; at < bytes.size(); at += most) {
      begin(bytes.data() + at, static_cast<int>(std::min(most, bytes.size() - at)),
            &requests.emplace_back());
    }
  };
  // Each begins with the rank after it, so that not all send to one.
  for (int distance = 1; distance < session.size(); ++distance) {
    const int to = (session.rank() + distance) % session.size();
    const int from = (session.rank() + session.size() - distance) % session.size();
    std::vector<std::byte>& received = buffers->received[static_cast<std::size_t>(from)];
    received.resize(buffers->coming[static_cast<std::size_t>(from)]);
    in_pieces(received, [&](std::byte* data, int count, MPI_Request* begun) {
      MPI_Irecv(data, count, MPI_BYTE, from, tag_swapped, session.world(), begun);
    });
    in_pieces(buffers->parts[static_cast<std::size_t>(to)],
              [&](const std::byte* data, int count, MPI_Request* begun) {
                MPI_Isend(data, count, MPI_BYTE, to, tag_swapped, session.world(), begun);
              });
  }
  finish(session, buffers, requests);
  const auto own = static_cast<std::size_t>(session.rank());
  buffers->received[own] = std::move(buffers->parts[own]);
  return std::move(buffers->received);
}

void all_sum(const Session& session, std::span<std::uint64_t> values) {
  const auto buffer = std::make_shared<std::vector<std::uint64_t>>(values.begin(), values.end());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, buffer->data(), static_cast<int>(buffer->size()), MPI_UINT64_T,
                 MPI_SUM, session.world(), &request);
  finish(session, buffer, request);
  std::copy(buffer->begin(), buffer->end(), values.begin());
}

void all_reduce(const Session& session, std::span<std::uint64_t> sums, int& minimum) {
  struct Buffers {
    std::vector<std::uint64_t> sums;
    int minimum;
  };
  const auto buffers = std::make_shared<Buffers>(Buffers{{sums.begin(), sums.end()}, minimum});
  std::array<MPI_Request, 2> requests{};
  MPI_Iallreduce(MPI_IN_PLACE, buffers->sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T,
                 MPI_SUM, session.world(), &requests[0]);
  MPI_Iallreduce(MPI_IN_PLACE, &buffers->minimum, 1, MPI_INT, MPI_MIN, session.world(),
                 &requests[1]);
  finish(session, buffers, requests);
  std::copy(buffers->sums.begin(), buffers->sums.end(), sums.begin());
  minimum = buffers->minimum;
}

void all_minimum(const Session& session, std::span<int> values, const Waiting& waiting) {
  const auto buffer = std::make_shared<std::vector<int>>(values.begin(), values.end());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, buffer->data(), static_cast<int>(buffer->size()), MPI_INT, MPI_MIN,
                 session.world(), &request);
  finish(session, buffer, request, waiting);
  std::copy(buffer->begin(), buffer->end(), values.begin());
}

}  // namespace tessera
