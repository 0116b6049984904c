// SPDX-License-Identifier: MIT
#include "cluster/peer_memory.hpp"

#include <unistd.h>

#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "cluster/open_mpi.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

PeerMemory::PeerMemory(const Session& session, MPI_Comm comm, Wait wait)
    : session_(session), comm_(comm), wait_(std::move(wait)) {
  sees_.assign(static_cast<std::size_t>(session.size()), 0);
  if (session.size() == 1) return;
  std::random_device random;
  const std::uint64_t token = std::uint64_t{random()} << 32 | random();
  LargeBuffer trial;
  if (open_mpi::single_copy_allowed()) trial = LargeBuffer::shared(sizeof token);
  bool refused = trial.bytes().size() != sizeof token;
  if (!refused) std::memcpy(trial.bytes().data(), &token, sizeof token);
  for (const Card& card : cards_of_host(trial, token)) {
    if (refused || card.rank == static_cast<std::uint64_t>(session.rank())) continue;
    const LargeBuffer found = look_at(card, true);
    refused = found.bytes().size() != sizeof token ||
              std::memcmp(found.bytes().data(), &card.token, sizeof token) != 0;
    sees_[card.rank] = 1;
  }
  if (any(refused)) sees_.assign(sees_.size(), 0);
}

LargeBuffer PeerMemory::look_at(const Card& card, bool writes) {
  std::ostringstream path;
  path << "/proc/" << card.pid << "/fd/" << card.file;
  return LargeBuffer::seen(path.str(), card.bytes, writes);
}

void PeerMemory::finish(MPI_Request request, const std::shared_ptr<void>& buffers) const {
  try {
    wait_(request);
  } catch (...) {
    session_.state().keep(buffers);
    throw;
  }
}

std::vector<PeerMemory::Card> PeerMemory::cards_of_host(const LargeBuffer& mine,
                                                        std::uint64_t token) const {
  constexpr int card_words = sizeof(Card) / sizeof(std::uint64_t);
  const auto self = static_cast<std::size_t>(session_.rank());
  const auto all = std::make_shared<std::vector<Card>>(sees_.size());
  (*all)[self] = {self, static_cast<std::uint64_t>(getpid()),
                  static_cast<std::uint64_t>(mine.file()), mine.bytes().size(), token};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_UINT64_T, all->data(), card_words, MPI_UINT64_T, comm_,
                 &request);
  finish(request, all);
  std::vector<Card> cards;
  for (const Card& card : *all) {
    if (session_.ranks()[card.rank].host == session_.ranks()[self].host) cards.push_back(card);
  }
  return cards;
}

bool PeerMemory::any(bool refused) const {
  const auto one = std::make_shared<int>(refused ? 1 : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, one.get(), 1, MPI_INT, MPI_MAX, comm_, &request);
  finish(request, one);
  return *one != 0;
}

std::vector<const std::uint8_t*> PeerMemory::show(const LargeBuffer& mine) {
  std::vector<const std::uint8_t*> found(sees_.size());
  bool refused = false;
  for (const Card& card : cards_of_host(mine)) {
    if (sees_[card.rank] == 0) continue;
    LargeBuffer& memory = memory_.emplace_back(look_at(card, false));
    if (memory.bytes().empty()) refused = true;
    found[card.rank] = memory.bytes().data();
  }
  if (any(refused)) {
    throw CommonError(ErrorKind::resource,
                      std::string("ranks of a host cannot map one another's memory; with ") +
                          open_mpi::forbid_single_copy_option() + " they send");
  }
  return found;
}

std::span<std::uint8_t> PeerMemory::common(std::size_t bytes) {
  LargeBuffer memory;
  if (session_.rank() == 0) memory = LargeBuffer::shared(bytes);
  const Card card = cards_of_host(memory).front();
  if (session_.rank() != 0) memory = look_at(card, true);
  if (any(memory.bytes().size() != bytes)) {
    sees_.assign(sees_.size(), 0);
    return {};
  }
  return memory_.emplace_back(std::move(memory)).bytes();
}

}  // namespace tessera
