// SPDX-License-Identifier: MIT
#include "cluster/peer_memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>
#include <sstream>
#include <utility>

#include "tessera/base/error.hpp"

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

bool allowed() {
  const char* const mechanism = std::getenv("OMPI_MCA_btl_vader_single_copy_mechanism");
  return mechanism == nullptr || std::strcmp(mechanism, "none") != 0;
}

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

LargeBuffer seen(const Card& card, bool writes) {
  LargeBuffer memory = look_at(card, writes);
  if (memory.bytes().size() == card.bytes) return memory;
  throw Error(ErrorKind::internal,
              "the memory of rank " + std::to_string(card.rank) + " cannot be seen");
}

}  // namespace

PeerMemory::PeerMemory(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank_);
  sees_.assign(static_cast<std::size_t>(ranks), 0);
  if (ranks == 1) return;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_);
  std::random_device random;
  const std::uint64_t token = std::uint64_t{random()} << 32 | random();
  LargeBuffer trial = LargeBuffer::shared(sizeof token);
  std::memcpy(trial.bytes().data(), &token, sizeof token);
  int refused = allowed() ? 0 : 1;
  for (const Card& card : all_cards(card_of(rank_, trial, token), host_)) {
    if (refused != 0 || card.rank == static_cast<std::uint64_t>(rank_)) continue;
    const LargeBuffer found = look_at(card, false);
    if (found.bytes().empty() || std::memcmp(found.bytes().data(), &card.token, sizeof token) != 0)
      refused = 1;
    sees_[card.rank] = 1;
  }
  // The trial stands until all have looked.
  MPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, comm);
  if (refused != 0) sees_.assign(sees_.size(), 0);
}

PeerMemory::~PeerMemory() {
  // An exception on its way out ends the job instead: others may not come here.
  if (host_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) MPI_Comm_free(&host_);
}

std::vector<const std::uint8_t*> PeerMemory::show(const LargeBuffer& mine) {
  std::vector<const std::uint8_t*> found(sees_.size());
  if (host_ == MPI_COMM_NULL) return found;
  for (const Card& card : all_cards(card_of(rank_, mine), host_)) {
    if (sees_[card.rank] == 0) continue;
    found[card.rank] = memory_.emplace_back(seen(card, false)).bytes().data();
  }
  return found;
}

std::span<std::uint8_t> PeerMemory::common(std::size_t bytes) {
  int number = 0;
  MPI_Comm_rank(host_, &number);
  LargeBuffer memory;
  if (number == 0) memory = LargeBuffer::shared(bytes);
  const Card card = all_cards(card_of(rank_, memory), host_).front();
  if (number != 0) memory = seen(card, true);
  return memory_.emplace_back(std::move(memory)).bytes();
}

}  // namespace tessera
