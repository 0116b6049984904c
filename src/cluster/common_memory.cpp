// SPDX-License-Identifier: MIT
#include "cluster/common_memory.hpp"

#include <unistd.h>

#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "cluster/nonblocking.hpp"
#include "cluster/open_mpi.hpp"

namespace tessera {
namespace {

std::uint64_t random_token() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

CommonMemory::CommonMemory(const Session& session, const boost::mpi::communicator& comm, Wait wait)
    : session_(session), comm_(comm), wait_(std::move(wait)) {}

std::span<std::uint8_t> CommonMemory::take(std::size_t bytes) {
  if (session_.hosts().size() > 1) return {};
  const bool first = session_.rank() == 0;
  const bool allowed = open_mpi::single_copy_allowed();
  Card card{};
  LargeBuffer memory;
  if (first && allowed) memory = make(bytes + sizeof card.token, card);
  card = from_rank_0(card);
  if (!first && allowed) memory = open(card);
  if (!for_all(!memory.bytes().empty())) return {};
  return memory_.emplace_back(std::move(memory)).bytes().first(bytes);
}

LargeBuffer CommonMemory::make(std::size_t bytes, Card& card) {
  LargeBuffer memory = LargeBuffer::shared(bytes);
  if (memory.bytes().empty()) return memory;
  card = {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(memory.file()), bytes,
          random_token()};
  std::memcpy(&memory.bytes().back() + 1 - sizeof card.token, &card.token, sizeof card.token);
  return memory;
}

LargeBuffer CommonMemory::open(const Card& card) {
  std::ostringstream path;
  path << "/proc/" << card.pid << "/fd/" << card.file;
  LargeBuffer memory = LargeBuffer::seen(path.str(), card.bytes);
  if (memory.bytes().empty()) return memory;
  const std::uint8_t* const end = &memory.bytes().back() + 1;
  if (std::memcmp(end - sizeof card.token, &card.token, sizeof card.token) != 0) return {};
  return memory;
}

void CommonMemory::finish(MPI_Request request, const std::shared_ptr<void>& buffer) const {
  try {
    wait_(request);
  } catch (...) {
    session_.state().retain(buffer);
    throw;
  }
}

CommonMemory::Card CommonMemory::from_rank_0(const Card& card) const {
  const auto sent = std::make_shared<Card>(card);
  constexpr std::size_t words = sizeof(Card) / sizeof(std::uint64_t);
  const std::span content(reinterpret_cast<std::uint64_t*>(sent.get()), words);
  finish(nonblocking::broadcast(comm_, content, 0), sent);
  return *sent;
}

bool CommonMemory::for_all(bool holds) const {
  const auto all = std::make_shared<int>(holds ? 1 : 0);
  finish(nonblocking::all_reduce(comm_, std::span(all.get(), 1), boost::mpi::minimum<int>()), all);
  return *all != 0;
}

}  // namespace tessera
