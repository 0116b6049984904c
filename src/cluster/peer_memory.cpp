// SPDX-License-Identifier: MIT
#include "cluster/peer_memory.hpp"

#include <unistd.h>

#include <cstring>
#include <exception>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "cluster/open_mpi.hpp"
#include "tessera/census/census.hpp"

namespace tessera {
namespace {

// Where a rank's memory is found, told to the others.
struct Card {
  std::uint64_t rank;
  std::uint64_t pid;
  std::uint64_t file;
  std::uint64_t bytes;
  std::uint64_t token;  // what its first word is, in the trial
};
constexpr int card_words = sizeof(Card) / sizeof(std::uint64_t);

Card card_of(int rank, const LargeBuffer& memory, std::uint64_t token = 0) {
  return {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(getpid()),
          static_cast<std::uint64_t>(memory.file()), memory.bytes().size(), token};
}

std::vector<Card> all_cards(const Card& mine, MPI_Comm host) {
  int peers = 1;
  MPI_Comm_size(host, &peers);
  std::vector<Card> cards(static_cast<std::size_t>(peers));
  MPI_Allgather(&mine, card_words, MPI_UINT64_T, cards.data(), card_words, MPI_UINT64_T, host);
  return cards;
}

LargeBuffer look_at(const Card& card, bool writes) {
  std::ostringstream path;
  path << "/proc/" << card.pid << "/fd/" << card.file;
  return LargeBuffer::seen(path.str(), card.bytes, writes);
}

}  // namespace

PeerMemory::PeerMemory(MPI_Comm comm) : comm_(comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank_);
  sees_.assign(static_cast<std::size_t>(ranks), 0);
  if (ranks == 1) return;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_);
  std::random_device random;
  const std::uint64_t token = std::uint64_t{random()} << 32 | random();
  LargeBuffer trial;
  if (open_mpi::single_copy_allowed()) trial = LargeBuffer::shared(sizeof token);
  bool refused = trial.bytes().size() != sizeof token;
  if (!refused) std::memcpy(trial.bytes().data(), &token, sizeof token);
  for (const Card& card : all_cards(card_of(rank_, trial, token), host_)) {
    if (refused || card.rank == static_cast<std::uint64_t>(rank_)) continue;
    const LargeBuffer found = look_at(card, true);
    refused = found.bytes().size() != sizeof token ||
              std::memcmp(found.bytes().data(), &card.token, sizeof token) != 0;
    sees_[card.rank] = 1;
  }
  if (any(refused)) sees_.assign(sees_.size(), 0);
}

PeerMemory::~PeerMemory() {
  // An exception on its way out ends the job instead: others may not come here.
  if (host_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) MPI_Comm_free(&host_);
}

bool PeerMemory::any(bool refused) const {
  int one = refused ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MAX, comm_);
  return one != 0;
}

std::vector<const std::uint8_t*> PeerMemory::show(const LargeBuffer& mine) {
  std::vector<const std::uint8_t*> found(sees_.size());
  bool refused = false;
  for (const Card& card : all_cards(card_of(rank_, mine), host_)) {
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
  if (rank_ == 0) memory = LargeBuffer::shared(bytes);
  const Card card = all_cards(card_of(rank_, memory), host_).front();
  if (rank_ != 0) memory = look_at(card, true);
  if (any(memory.bytes().size() != bytes)) {
    sees_.assign(sees_.size(), 0);
    return {};
  }
  return memory_.emplace_back(std::move(memory)).bytes();
}

}  // namespace tessera
