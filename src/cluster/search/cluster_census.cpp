// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

#include "base/memory.hpp"
#include "census/exchange.hpp"
#include "cluster/job/open_mpi.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/collectives.hpp"
#include "cluster/search/cluster_executor.hpp"
#include "cluster/search/common_work.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

// Levels may be short: another rank may be late by very little, or by a whole chunk of work.
constexpr std::chrono::microseconds longest_sleep = 200us;
// Before its first sleep a rank only yields its core: a level of a small size takes less time than
// a sleep may overrun.
constexpr std::chrono::microseconds awake = 400us;

// Exchange between the ranks of a communicator. Waits with back-off, so that a waiting rank leaves
// the core to the one it waits for. Owned by a shared_ptr, because the buffers kept for an
// abandoned search include it.
class ClusterExchange final : public Exchange,
                              public std::enable_shared_from_this<ClusterExchange> {
 public:
  // If `stop` is given: once it is true, the search is given up on all ranks. Collective. Uses its
  // own communicator, so that it never matches messages of other code.
  ClusterExchange(const Session& session, const std::atomic<bool>* stop)
      : session_(session), state_(session.state()), stop_(stop), comm_(duplicate(session)) {}
  ~ClusterExchange() override {
    // Freeing a communicator is collective; after an exception this may be the only rank here.
    if (std::uncaught_exceptions() > 0) {
      state_.retain(std::make_shared<boost::mpi::communicator>(comm_));
    }
  }

  ClusterExchange(const ClusterExchange&) = delete;
  ClusterExchange& operator=(const ClusterExchange&) = delete;

  [[nodiscard]] int ranks() const override { return session_.size(); }
  [[nodiscard]] int rank() const override { return session_.rank(); }
  void sum(std::span<std::uint64_t> values) override {
    begin_step("census-sum", rank());
    sums_.assign(values.begin(), values.end());
    wait(nonblocking::all_reduce(comm_, std::span(sums_), std::plus<std::uint64_t>()));
    std::ranges::copy(sums_, values.begin());
  }

  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override {
    const auto own = static_cast<std::size_t>(rank());
    lengths_.assign(static_cast<std::size_t>(ranks()), 0);
    lengths_[own] = static_cast<int>(mine.size());
    wait(nonblocking::all_reduce(comm_, std::span(lengths_), std::plus<int>()));
    starts_.resize(lengths_.size());
    std::exclusive_scan(lengths_.begin(), lengths_.end(), starts_.begin(), 0);
    text_.assign(static_cast<std::size_t>(starts_.back() + lengths_.back()), '\0');
    std::ranges::copy(mine, text_.begin() + starts_[own]);
    wait(nonblocking::all_gather(comm_, std::span(text_), lengths_, starts_));
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < lengths_.size(); ++rank) {
      texts.push_back(text_.substr(static_cast<std::size_t>(starts_[rank]),
                                   static_cast<std::size_t>(lengths_[rank])));
    }
    return texts;
  }

  void complete(std::span<std::uint16_t> list, std::span<const SlabRange> parts) override {
    list_.assign(list.begin(), list.end());
    lengths_.clear();
    starts_.clear();
    for (const SlabRange& part : parts) {
      lengths_.push_back(static_cast<int>(part.count));
      starts_.push_back(static_cast<int>(part.first));
    }
    wait(nonblocking::all_gather(comm_, std::span(list_), lengths_, starts_));
    std::ranges::copy(list_, list.begin());
  }

  void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) override {
    Messages& messages = slots_[static_cast<std::size_t>(slot)];
    // Receives first, so that arriving data goes directly to its place.
    for (const Incoming& message : in) messages.receive(comm_, message.rank, slot, message.bytes);
    for (const Outgoing& message : out) messages.send(comm_, message.rank, slot, message.bytes);
  }

  void progress() override {
    (void)state_.goes_on();  // passes on reports of others; waits throw
    for (Messages& messages : slots_) (void)messages.complete();
  }

  void finish(int slot) override {
    wait_for([&] { return done(slot); });
  }

  [[nodiscard]] bool done(int slot) override {
    progress();
    return slots_[static_cast<std::size_t>(slot)].empty();
  }

  [[nodiscard]] bool given_up() override {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      stop_ = nullptr;
      state_.stop_command();
    }
    return !state_.goes_on();
  }

  void keep(std::shared_ptr<void> memory) override {
    state_.retain(std::move(memory));
    state_.retain(shared_from_this());
  }

  // A memory file (`memfd_create`) of rank 0, which the others open through /proc. It needs no
  // folder, has no size limit of its own and disappears with the last rank, however that ends.
  // Empty also if the kernel does not let ranks open each other's files, or if Open MPI's options
  // forbid ranks to read each other's memory (open_mpi::single_copy_allowed).
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override {
    if (session_.hosts().size() > 1) return {};
    const bool first = rank() == master_rank;
    // Where to find rank 0's memory: its pid, file and size, and a token at its end, since in
    // another namespace the same pid is another process.
    std::array<std::uint64_t, 4> card{};
    auto& [pid, file, size, token] = card;
    LargeBuffer memory;
    const auto place = [&] { return memory.bytes().last(sizeof(std::uint64_t)); };
    const bool allowed = open_mpi::single_copy_allowed();
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

 private:
  // Advances pending transfers. Throws JobFailed, GivenUp.
  void wait_for(const std::function<bool()>& condition) {
    const auto look = [this] {
      progress();
      if (given_up()) throw GivenUp();
    };
    wait_until(state_, condition, {.meanwhile = look, .longest = longest_sleep, .awake = awake});
  }
  // For a collective.
  void wait(MPI_Request request) {
    wait_for([&] { return nonblocking::test({&request, 1}); });
  }

  const Session& session_;
  JobState& state_;
  const std::atomic<bool>* stop_;
  boost::mpi::communicator comm_;
  std::array<Messages, 2> slots_;
  // Buffers of collectives, which may outlive their callers.
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint16_t> list_;
  std::vector<int> lengths_;
  std::vector<int> starts_;
  std::string text_;
  std::vector<LargeBuffer> common_;
};

CensusResult run(const Session& session, CensusTask task, const std::vector<int>& threads_by_rank,
                 CensusObserver& observer, const std::atomic<bool>& stop) {
  return take_part(session, "census", [&] {
    task.threads = threads_by_rank.at(static_cast<std::size_t>(session.rank()));
    // With checkpoints, it finishes its level first.
    const bool ends_at_once = session.rank() == master_rank && task.checkpoint.empty();
    const auto exchange =
        std::make_shared<ClusterExchange>(session, ends_at_once ? &stop : nullptr);
    CensusResult result = run_census(task, *exchange, observer, stop);
    session.state().poll();
    return result;
  });
}

}  // namespace

CensusResult run_cluster_census(Session& session, CensusTask task,
                                const std::vector<int>& threads_by_rank, CensusObserver& observer,
                                const std::atomic<bool>& stop) {
  send_command(session, Command::census, task, threads_by_rank);
  return run(session, std::move(task), threads_by_rank, observer, stop);
}

void serve_census(Session& session, ReceivedCommand& received) {
  auto task = received.take<CensusTask>();
  const auto threads_by_rank = received.take<std::vector<int>>();
  CensusObserver nobody;
  const std::atomic<bool> stop{false};
  try {
    (void)run(session, std::move(task), threads_by_rank, nobody, stop);
  } catch (const CommonError&) {
    // The master throws the same error, and reports it.
  }
}

}  // namespace tessera
