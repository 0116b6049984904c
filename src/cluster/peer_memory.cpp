// SPDX-License-Identifier: MIT
#include "cluster/peer_memory.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "tessera/base/error.hpp"

namespace tessera {
namespace {

struct Card {
  std::uint64_t rank;
  std::uint64_t pid;
  std::uint64_t address;  // of the token
  std::uint64_t token;
};
constexpr int card_words = sizeof(Card) / sizeof(std::uint64_t);

bool allowed() {
  const char* const mechanism = std::getenv("OMPI_MCA_btl_vader_single_copy_mechanism");
  return mechanism == nullptr || std::strcmp(mechanism, "none") != 0;
}

// Where the Yama module restricts who may look into a process.
void admit_readers(bool admit) {
#ifdef PR_SET_PTRACER
  prctl(PR_SET_PTRACER, admit ? PR_SET_PTRACER_ANY : 0UL, 0UL, 0UL, 0UL);
#endif
}

bool read_words(pid_t pid, std::span<const Exchange::Read> blocks) {
  constexpr std::size_t most = 128;
  std::array<iovec, most> here;
  std::array<iovec, most> there;
  while (!blocks.empty()) {
    const std::size_t count = std::min(most, blocks.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t length = blocks[i].words * sizeof(std::uint64_t);
      here[i] = {blocks[i].to, length};
      there[i] = {reinterpret_cast<void*>(blocks[i].address), length};
      bytes += length;
    }
    errno = 0;
    if (process_vm_readv(pid, here.data(), count, there.data(), count, 0) !=
        static_cast<ssize_t>(bytes)) {
      return false;
    }
    blocks = blocks.subspan(count);
  }
  return true;
}

}  // namespace

PeerMemory::PeerMemory(MPI_Comm comm) {
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  pids_.assign(static_cast<std::size_t>(ranks), 0);
  if (ranks == 1) return;
  admit_readers(true);
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  int peers = 1;
  MPI_Comm_size(host, &peers);
  std::random_device random;
  const volatile std::uint64_t token = std::uint64_t{random()} << 32 | random();
  const Card mine{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(getpid()),
                  reinterpret_cast<std::uint64_t>(&token), token};
  std::vector<Card> cards(static_cast<std::size_t>(peers));
  MPI_Allgather(&mine, card_words, MPI_UINT64_T, cards.data(), card_words, MPI_UINT64_T, host);
  int refused = allowed() ? 0 : 1;
  for (const Card& card : cards) {
    if (refused != 0 || card.rank == mine.rank) continue;
    const auto pid = static_cast<pid_t>(card.pid);
    std::uint64_t found = 0;
    const Exchange::Read read{card.address, &found, 1};
    if (!read_words(pid, {&read, 1}) || found != card.token) refused = 1;
    pids_[card.rank] = pid;
  }
  // Tokens stand until all have looked.
  MPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, comm);
  MPI_Comm_free(&host);
  if (refused != 0) pids_.assign(pids_.size(), 0);
}

PeerMemory::~PeerMemory() {
  if (pids_.size() > 1) admit_readers(false);
}

void PeerMemory::read(int rank, std::span<const Exchange::Read> blocks) const {
  if (read_words(pids_[static_cast<std::size_t>(rank)], blocks)) return;
  throw Error(ErrorKind::internal, "the memory of rank " + std::to_string(rank) +
                                       " cannot be read: " + std::strerror(errno));
}

}  // namespace tessera
