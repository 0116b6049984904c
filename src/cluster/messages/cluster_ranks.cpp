// SPDX-License-Identifier: MIT
#include "cluster/messages/cluster_ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/mpi/nonblocking.hpp>
#include <cstring>
#include <random>
#include <utility>

#include "cluster/job/step.hpp"
#include "cluster/messages/collectives.hpp"
#include "cluster/messages/messages.hpp"

namespace tessera {
namespace {

class ClusterTransfer final : public Ranks::Transfer {
 public:
  ClusterTransfer(const Session& session, const Waiting& waiting)
      : session_(session), waiting_(waiting) {}
  // After a failure MPI may still use the buffers.
  ~ClusterTransfer() override {
    if (requests_.empty()) return;
    using Kept = std::pair<Ranks::Parts, Ranks::Parts>;
    session_.state().retain(std::make_shared<Kept>(std::move(out), std::move(in)));
  }
  ClusterTransfer(const ClusterTransfer&) = delete;
  ClusterTransfer& operator=(const ClusterTransfer&) = delete;

  void start(bool emptied) override {
    begin_step("transfer", session_.rank());
    const auto self = static_cast<std::size_t>(session_.rank());
    const std::size_t ranks = out.size();
    const boost::mpi::communicator& world = session_.world();
    in[self] = std::move(out[self]);
    out[self].clear();
    // Each rank starts with the rank after it, so that not all send to the same one; receives
    // first, so that arriving data goes directly to its place.
    for (std::size_t distance = 1; distance < ranks; ++distance) {
      const std::size_t from = (self + ranks - distance) % ranks;
      in_pieces(in[from], [&](char* data, int count) {
        return world.irecv(static_cast<int>(from), tag_transfer, data, count);
      });
    }
    for (std::size_t distance = 1; distance < ranks; ++distance) {
      const std::size_t to = (self + distance) % ranks;
      in_pieces(out[to], [&](const char* data, int count) {
        return world.isend(static_cast<int>(to), tag_transfer, data, emptied ? 0 : count);
      });
    }
  }
  [[nodiscard]] bool done() override {
    if (!requests_.empty() && boost::mpi::test_all(requests_.begin(), requests_.end())) {
      requests_.clear();
    }
    return requests_.empty();
  }
  void wait() override {
    wait_until(
        session_.state(), [this] { return done(); }, waiting_);
  }

 private:
  // The length of an MPI message is an int.
  template <class Begin>
  void in_pieces(std::vector<std::byte>& bytes, const Begin& begin) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t at = 0; at < bytes.size(); at += most) {
      requests_.push_back(begin(reinterpret_cast<char*>(bytes.data()) + at,
                                static_cast<int>(std::min(most, bytes.size() - at))));
    }
  }

  const Session& session_;
  const Waiting& waiting_;
  std::vector<boost::mpi::request> requests_;
};

}  // namespace

void ClusterRanks::sum(std::span<std::uint64_t> values) {
  begin_step("sum", rank());
  all_reduce(session_, values, std::plus<std::uint64_t>(), waiting_);
}

std::unique_ptr<Ranks::Transfer> ClusterRanks::transfer() {
  return std::make_unique<ClusterTransfer>(session_, waiting_);
}

void ClusterRanks::agree(const char* step, const std::function<void()>& work) {
  (void)tessera::agree(session_, step, [&] {
    work();
    return true;
  });
}

// A memory file (`memfd_create`) of rank 0, which the others open through /proc. It needs no
// folder, has no size limit of its own and disappears with the last rank, however that ends. Empty
// also if the kernel does not let ranks open each other's files, or if Open MPI's options forbid
// ranks to read each other's memory (Session::single_copy_allowed).
std::span<std::uint8_t> ClusterRanks::common(std::size_t bytes) {
  if (session_.hosts().size() > 1) return {};
  const bool first = rank() == master_rank;
  // Where to find rank 0's memory: its pid, file and size, and a token at its end, since in another
  // namespace the same pid is another process.
  std::array<std::uint64_t, 4> card{};
  auto& [pid, file, size, token] = card;
  LargeBuffer memory;
  const auto place = [&] { return memory.bytes().last(sizeof(std::uint64_t)); };
  const bool allowed = Session::single_copy_allowed();
  if (first && allowed) memory = LargeBuffer::shared(bytes + sizeof token);
  if (!memory.bytes().empty()) {
    std::random_device random;
    card = {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(memory.file()),
            memory.bytes().size(), std::uint64_t{random()} << 32 | random()};
    std::memcpy(place().data(), &token, sizeof token);
  }
  sum(card);  // only rank 0 contributes
  if (!first && allowed) {
    memory =
        LargeBuffer::seen("/proc/" + std::to_string(pid) + "/fd/" + std::to_string(file), size);
  }
  const bool found =
      !memory.bytes().empty() && std::memcmp(place().data(), &token, sizeof token) == 0;
  std::array<std::uint64_t, 1> without{found ? 0U : 1U};
  sum(without);
  if (without[0] > 0) return {};
  return common_.emplace_back(std::move(memory)).bytes().first(bytes);
}

}  // namespace tessera
