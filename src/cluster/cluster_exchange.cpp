// SPDX-License-Identifier: MIT
#include "cluster/cluster_exchange.hpp"

#include <algorithm>
#include <boost/mpi/nonblocking.hpp>
#include <chrono>
#include <thread>

#include "cluster/nonblocking.hpp"
#include "cluster/polling.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

// Levels may be short: another rank is late by little, or by a whole chunk of work.
constexpr std::chrono::microseconds longest_sleep = 200us;
// Before the first sleep a rank offers its core to whoever wants it: a level of a small size takes
// less than what a sleep may overrun.
constexpr std::chrono::microseconds awake = 400us;

// Larger messages go in parts: MPI counts in ints.
constexpr std::size_t part_words = std::size_t{1} << 24;

}  // namespace

// Of its own, so that nothing else's messages are ever met.
ClusterExchange::ClusterExchange(const Session& session, const std::atomic<bool>* stop)
    : state_(session.state()),
      stop_(stop),
      comm_(session.world(), boost::mpi::comm_duplicate),
      ranks_(session.size()),
      rank_(session.rank()),
      common_(session, comm_, [this](MPI_Request request) { wait(request); }),
      ready_(true) {}

ClusterExchange::~ClusterExchange() {
  // To free a communicator is collective; an exception may have taken this rank alone here.
  if (std::uncaught_exceptions() > 0) {
    state_.retain(std::make_shared<boost::mpi::communicator>(comm_));
  }
}

bool ClusterExchange::given_up() {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    stop_ = nullptr;
    state_.stop_command();
  }
  return !state_.goes_on();
}

void ClusterExchange::keep(std::shared_ptr<void> memory) {
  state_.retain(std::move(memory));
  state_.retain(shared_from_this());
}

void ClusterExchange::look() {
  progress();
  state_.poll();
  if (ready_ && given_up()) throw GivenUp();
}

void ClusterExchange::wait_until(const std::function<bool()>& condition) {
  const auto began = std::chrono::steady_clock::now();
  for (BackOff sleep(longest_sleep); !condition();) {
    look();
    if (std::chrono::steady_clock::now() - began < awake) std::this_thread::yield();
    else sleep();
  }
}

void ClusterExchange::wait(std::span<MPI_Request> requests) {
  wait_until([&] { return nonblocking::test(requests); });
}

MPI_Request ClusterExchange::begin_sum(std::span<const std::uint64_t> values) {
  sums_.assign(values.begin(), values.end());
  return nonblocking::all_reduce(comm_, std::span(sums_), std::plus<std::uint64_t>());
}

void ClusterExchange::sum(std::span<std::uint64_t> values) {
  wait(begin_sum(values));
  std::copy(sums_.begin(), sums_.end(), values.begin());
}

std::vector<std::string> ClusterExchange::gather(const std::string& mine) {
  lengths_.assign(static_cast<std::size_t>(ranks_), 0);
  lengths_[static_cast<std::size_t>(rank_)] = static_cast<int>(mine.size());
  wait(nonblocking::all_gather(comm_, std::span(lengths_)));
  starts_.clear();
  int total = 0;
  for (const int length : lengths_) {
    starts_.push_back(total);
    total += length;
  }
  text_.assign(static_cast<std::size_t>(total), '\0');
  const auto own = static_cast<std::size_t>(starts_[static_cast<std::size_t>(rank_)]);
  std::copy(mine.begin(), mine.end(), text_.begin() + static_cast<std::ptrdiff_t>(own));
  wait(nonblocking::all_gather(comm_, std::span(text_), std::span<const int>(lengths_),
                               std::span<const int>(starts_)));
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths_.size(); ++rank) {
    texts.push_back(text_.substr(static_cast<std::size_t>(starts_[rank]),
                                 static_cast<std::size_t>(lengths_[rank])));
  }
  return texts;
}

MPI_Request ClusterExchange::begin_complete(std::span<const std::uint16_t> list,
                                            std::span<const SlabRange> parts) {
  list_.assign(list.begin(), list.end());
  lengths_.clear();
  starts_.clear();
  for (const SlabRange& part : parts) {
    lengths_.push_back(static_cast<int>(part.count));
    starts_.push_back(static_cast<int>(part.first));
  }
  return nonblocking::all_gather(comm_, std::span(list_), std::span<const int>(lengths_),
                                 std::span<const int>(starts_));
}

void ClusterExchange::complete(std::span<std::uint16_t> list, std::span<const SlabRange> parts) {
  wait(begin_complete(list, parts));
  std::copy(list_.begin(), list_.end(), list.begin());
}

void ClusterExchange::conclude(std::span<std::uint16_t> list, std::span<const SlabRange> parts,
                               std::span<std::uint64_t> values) {
  std::array requests{begin_complete(list, parts), begin_sum(values)};
  wait(requests);
  std::copy(list_.begin(), list_.end(), list.begin());
  std::copy(sums_.begin(), sums_.end(), values.begin());
}

void ClusterExchange::start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) {
  std::vector<boost::mpi::request>& requests = slots_[static_cast<std::size_t>(slot)];
  // Receives first: what arrives finds its place.
  for (const Incoming& message : in) {
    for (std::size_t at = 0; at < message.words.size(); at += part_words) {
      const std::size_t count = std::min(part_words, message.words.size() - at);
      requests.push_back(
          comm_.irecv(message.rank, slot, message.words.data() + at, static_cast<int>(count)));
    }
  }
  for (const Outgoing& message : out) {
    for (std::size_t at = 0; at < message.words.size(); at += part_words) {
      const std::size_t count = std::min(part_words, message.words.size() - at);
      requests.push_back(
          comm_.isend(message.rank, slot, message.words.data() + at, static_cast<int>(count)));
    }
  }
}

void ClusterExchange::progress() {
  (void)state_.goes_on();  // passes on what others report; whoever waits throws
  for (std::vector<boost::mpi::request>& requests : slots_) {
    if (requests.empty()) continue;
    if (boost::mpi::test_all(requests.begin(), requests.end())) requests.clear();
  }
}

void ClusterExchange::finish(int slot) {
  wait_until([&] { return done(slot); });
}

bool ClusterExchange::done(int slot) {
  progress();
  return slots_[static_cast<std::size_t>(slot)].empty();
}

}  // namespace tessera
