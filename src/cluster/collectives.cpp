// SPDX-License-Identifier: MIT
#include "cluster/collectives.hpp"

#include <array>
#include <cstring>
#include <numeric>

#include "cluster/messages.hpp"

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

void barrier(const Session& session, const Waiting& waiting) {
  MPI_Request request = nonblocking::barrier(session.world());
  const auto complete = [&] { return nonblocking::test(std::span(&request, 1)); };
  wait_until(session.state(), complete, waiting);
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
  finish(session, head, nonblocking::broadcast(session.world(), std::span<char>(*head), root),
         waiting);
  std::memcpy(&length, head->data(), sizeof length);
  if (length > room) {
    const auto rest = std::make_shared<Bytes>(length - room);
    if (session.rank() == root) std::copy(bytes.begin() + room, bytes.end(), rest->begin());
    finish(session, rest, nonblocking::broadcast(session.world(), std::span(*rest), root));
    bytes.resize(length);
    std::copy(rest->begin(), rest->end(), bytes.begin() + room);
  }
  bytes.resize(length);
  std::copy_n(head->begin() + sizeof length, std::min<std::size_t>(room, length), bytes.begin());
}

Bytes scatter_bytes(const Session& session, const std::vector<Bytes>& by_rank) {
  struct Buffers {
    std::vector<std::uint64_t> sizes;  // of the parts of this rank and those below it
    Bytes parts;                       // one after the other
    Messages messages;
  };
  const auto buffers = std::make_shared<Buffers>();
  auto& [sizes, parts, messages] = *buffers;
  const auto complete = [&] { return buffers->messages.complete(); };
  const RankBlock block = block_of(session.rank(), session.size());
  if (session.rank() == master_rank) {
    for (const Bytes& part : by_rank) {
      sizes.push_back(part.size());
      parts.insert(parts.end(), part.begin(), part.end());
    }
  } else {
    const int parent = parent_of(session.rank());
    sizes.resize(block.size());
    messages.receive(session.world(), parent, tag_scattered,
                     std::as_writable_bytes(std::span(sizes)));
    finish(session, buffers, complete);
    parts.resize(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
    messages.receive(session.world(), parent, tag_scattered,
                     std::as_writable_bytes(std::span(parts)));
    finish(session, buffers, complete);
  }
  std::size_t end = parts.size();
  for (const RankBlock& below : blocks_below(session.rank(), session.size())) {
    const auto its_sizes =
        std::span(sizes).subspan(static_cast<std::size_t>(below.first - block.first), below.size());
    const std::size_t bytes = std::accumulate(its_sizes.begin(), its_sizes.end(), std::uint64_t{0});
    end -= bytes;
    messages.send(session.world(), below.first, tag_scattered, std::as_bytes(its_sizes));
    messages.send(session.world(), below.first, tag_scattered,
                  std::as_bytes(std::span(parts).subspan(end, bytes)));
  }
  finish(session, buffers, complete);
  parts.resize(end);
  return std::move(parts);
}

namespace {

// Bytes on their way from one rank to another; their number goes ahead.
struct Parcel {
  Bytes bytes;
  std::uint64_t size = bytes.size();
  Messages messages = {};

  [[nodiscard]] std::span<std::byte> size_bytes() {
    return std::as_writable_bytes(std::span(&size, 1));
  }
  [[nodiscard]] std::span<std::byte> content() { return std::as_writable_bytes(std::span(bytes)); }
};

void finish(const Session& session, const std::shared_ptr<Parcel>& parcel) {
  finish(session, parcel, [&] { return parcel->messages.complete(); });
}

}  // namespace

void send_bytes(const Session& session, int rank, Bytes bytes) {
  const auto parcel = std::make_shared<Parcel>(Parcel{std::move(bytes)});
  parcel->messages.send(session.world(), rank, tag_gathered, parcel->size_bytes());
  parcel->messages.send(session.world(), rank, tag_gathered, parcel->content());
  finish(session, parcel);
}

Bytes receive_bytes(const Session& session, int rank) {
  const auto parcel = std::make_shared<Parcel>();
  parcel->messages.receive(session.world(), rank, tag_gathered, parcel->size_bytes());
  finish(session, parcel);
  parcel->bytes.resize(parcel->size);
  parcel->messages.receive(session.world(), rank, tag_gathered, parcel->content());
  finish(session, parcel);
  return std::move(parcel->bytes);
}

std::vector<std::uint64_t> reduce(const Session& session, std::vector<std::uint64_t> mine) {
  struct Buffers {
    std::vector<std::uint64_t> mine;
    std::vector<std::uint64_t> sums;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->mine = std::move(mine);
  buffers->sums.resize(session.rank() == master_rank ? buffers->mine.size() : 0);
  finish(session, buffers,
         nonblocking::reduce(session.world(), std::span<const std::uint64_t>(buffers->mine),
                             std::span(buffers->sums), std::plus<std::uint64_t>(), master_rank));
  return std::move(buffers->sums);
}

std::vector<std::vector<std::byte>> all_to_all(const Session& session,
                                               std::vector<std::vector<std::byte>> parts) {
  using Parts = std::vector<std::vector<std::byte>>;
  struct Buffers {
    Parts parts;
    Parts received;
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> sizes_received;
    Messages messages;
  };
  const auto buffers = std::make_shared<Buffers>();
  for (const auto& part : parts) buffers->sizes.push_back(part.size());
  buffers->parts = std::move(parts);
  buffers->received.resize(buffers->sizes.size());
  buffers->sizes_received.resize(buffers->sizes.size());
  finish(session, buffers,
         nonblocking::all_to_all(session.world(), std::span<const std::uint64_t>(buffers->sizes),
                                 std::span(buffers->sizes_received)));
  // Each begins with the rank after it, so that not all send to one.
  const auto self = static_cast<std::size_t>(session.rank());
  const std::size_t ranks = buffers->sizes.size();
  for (std::size_t distance = 1; distance < ranks; ++distance) {
    const std::size_t to = (self + distance) % ranks;
    const std::size_t from = (self + ranks - distance) % ranks;
    buffers->received[from].resize(buffers->sizes_received[from]);
    buffers->messages.receive(session.world(), static_cast<int>(from), tag_swapped,
                              buffers->received[from]);
    buffers->messages.send(session.world(), static_cast<int>(to), tag_swapped, buffers->parts[to]);
  }
  finish(session, buffers, [&] { return buffers->messages.complete(); });
  buffers->received[self] = std::move(buffers->parts[self]);
  return std::move(buffers->received);
}

}  // namespace tessera
