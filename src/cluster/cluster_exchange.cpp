// SPDX-License-Identifier: MIT
#include "cluster/cluster_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

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

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &copy);
  return copy;
}

class Patience {
 public:
  void operator()() {
    if (std::chrono::steady_clock::now() - began_ < awake) std::this_thread::yield();
    else sleep_();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  PoliteSleep sleep_{longest_sleep};
};

}  // namespace

// Of its own, so that nothing else's messages are ever met.
ClusterExchange::ClusterExchange(const Session& session, const std::atomic<bool>* stop)
    : state_(session.state()),
      stop_(stop),
      comm_(duplicate(session.world())),
      ranks_(session.size()),
      rank_(session.rank()),
      common_(session, comm_, [this](MPI_Request request) { wait(request); }),
      ready_(true) {}

ClusterExchange::~ClusterExchange() {
  // An exception on its way out ends the job: others may not come here.
  if (std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
}

bool ClusterExchange::given_up() {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    stop_ = nullptr;
    state_.stop_command();
  }
  return !state_.goes_on();
}

void ClusterExchange::keep(std::shared_ptr<void> memory) {
  state_.keep(std::move(memory));
  state_.keep(shared_from_this());
}

void ClusterExchange::look() {
  progress();
  state_.poll();
  if (ready_ && given_up()) throw GivenUp();
}

void ClusterExchange::wait(std::span<MPI_Request> requests) {
  Patience patience;
  for (int done = 0;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    look();
    patience();
  }
}

MPI_Request ClusterExchange::begin_sum(std::span<const std::uint64_t> values) {
  sums_.assign(values.begin(), values.end());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()), MPI_UINT64_T, MPI_SUM,
                 comm_, &request);
  return request;
}

void ClusterExchange::sum(std::span<std::uint64_t> values) {
  wait(begin_sum(values));
  std::copy(sums_.begin(), sums_.end(), values.begin());
}

std::vector<std::string> ClusterExchange::gather(const std::string& mine) {
  lengths_.assign(static_cast<std::size_t>(ranks_), 0);
  lengths_[static_cast<std::size_t>(rank_)] = static_cast<int>(mine.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(MPI_IN_PLACE, 1, MPI_INT, lengths_.data(), 1, MPI_INT, comm_, &request);
  wait(request);
  starts_.clear();
  int total = 0;
  for (const int length : lengths_) {
    starts_.push_back(total);
    total += length;
  }
  text_.assign(static_cast<std::size_t>(total), '\0');
  const auto own = static_cast<std::size_t>(starts_[static_cast<std::size_t>(rank_)]);
  std::copy(mine.begin(), mine.end(), text_.begin() + static_cast<std::ptrdiff_t>(own));
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_CHAR, text_.data(), lengths_.data(), starts_.data(),
                  MPI_CHAR, comm_, &request);
  wait(request);
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
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_UINT16_T, list_.data(), lengths_.data(), starts_.data(),
                  MPI_UINT16_T, comm_, &request);
  return request;
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
  std::vector<MPI_Request>& requests = slots_[static_cast<std::size_t>(slot)];
  // Receives first: what arrives finds its place.
  for (const Incoming& message : in) {
    for (std::size_t at = 0; at < message.words.size(); at += part_words) {
      const std::size_t count = std::min(part_words, message.words.size() - at);
      MPI_Irecv(message.words.data() + at, static_cast<int>(count), MPI_UINT64_T, message.rank,
                slot, comm_, &requests.emplace_back());
    }
  }
  for (const Outgoing& message : out) {
    for (std::size_t at = 0; at < message.words.size(); at += part_words) {
      const std::size_t count = std::min(part_words, message.words.size() - at);
      MPI_Isend(message.words.data() + at, static_cast<int>(count), MPI_UINT64_T, message.rank,
                slot, comm_, &requests.emplace_back());
    }
  }
}

void ClusterExchange::progress() {
  (void)state_.goes_on();  // passes on what others report; whoever waits throws
  for (std::vector<MPI_Request>& requests : slots_) {
    if (requests.empty()) continue;
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) requests.clear();
  }
}

void ClusterExchange::finish(int slot) {
  Patience patience;
  while (true) {
    if (done(slot)) return;
    look();
    patience();
  }
}

bool ClusterExchange::done(int slot) {
  progress();
  return slots_[static_cast<std::size_t>(slot)].empty();
}

}  // namespace tessera
