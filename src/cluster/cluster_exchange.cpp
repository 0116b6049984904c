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
ClusterExchange::ClusterExchange(const Session& session)
    : state_(session.state()), peers_(session.world()) {
  MPI_Comm_dup(session.world(), &comm_);
  MPI_Comm_size(comm_, &ranks_);
  MPI_Comm_rank(comm_, &rank_);
}

ClusterExchange::~ClusterExchange() {
  if (std::uncaught_exceptions() == 0) {
    MPI_Comm_free(&comm_);
    return;
  }
  // An exception on its way out ends the job: others may not come here, and what they have sent
  // must not arrive in memory that is gone.
  for (std::vector<MPI_Request>& requests : slots_) {
    for (MPI_Request& request : requests) {
      if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
    }
  }
}

void ClusterExchange::wait(std::span<MPI_Request> requests) {
  Patience patience;
  for (int done = 0;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    progress();
    state_.poll();
    patience();
  }
}

MPI_Request ClusterExchange::begin_sum(std::span<std::uint64_t> values) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                 MPI_SUM, comm_, &request);
  return request;
}

void ClusterExchange::sum(std::span<std::uint64_t> values) {
  wait(begin_sum(values));
}

std::vector<std::string> ClusterExchange::gather(const std::string& mine) {
  std::vector<int> lengths(static_cast<std::size_t>(ranks_));
  lengths[static_cast<std::size_t>(rank_)] = static_cast<int>(mine.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(MPI_IN_PLACE, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_, &request);
  wait(request);
  std::vector<int> starts;
  int total = 0;
  for (const int length : lengths) {
    starts.push_back(total);
    total += length;
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Iallgatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(), lengths.data(),
                  starts.data(), MPI_CHAR, comm_, &request);
  wait(request);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    texts.push_back(all.substr(static_cast<std::size_t>(starts[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

MPI_Request ClusterExchange::begin_complete(std::span<std::uint16_t> list,
                                            std::span<const TileRange> parts) {
  lengths_.clear();
  starts_.clear();
  for (const TileRange& part : parts) {
    lengths_.push_back(static_cast<int>(part.count));
    starts_.push_back(static_cast<int>(part.first));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_UINT16_T, list.data(), lengths_.data(), starts_.data(),
                  MPI_UINT16_T, comm_, &request);
  return request;
}

void ClusterExchange::complete(std::span<std::uint16_t> list, std::span<const TileRange> parts) {
  wait(begin_complete(list, parts));
}

void ClusterExchange::conclude(std::span<std::uint16_t> list, std::span<const TileRange> parts,
                               std::span<std::uint64_t> values) {
  std::array requests{begin_complete(list, parts), begin_sum(values)};
  wait(requests);
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
  (void)state_.goes_on();  // passes on what others report; waiting throws
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
    progress();
    if (slots_[static_cast<std::size_t>(slot)].empty()) return;
    state_.poll();
    patience();
  }
}

bool ClusterExchange::done(int slot) {
  progress();
  return slots_[static_cast<std::size_t>(slot)].empty();
}

}  // namespace tessera
