// SPDX-License-Identifier: MIT
#include "tessera/cluster/job_state.hpp"

#include <algorithm>
#include <cstring>

#include "cluster/polling.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

constexpr int tag = 0;
// A look into MPI may yield the core: at every node of a search, or every batch of a census, other
// programs on the machine would get most of it.
constexpr auto look_interval = 5ms;
// Since its failure; a rank that hears of it leaves the one that failed some time to report it.
constexpr auto meeting_time = 4500ms;
constexpr auto meeting_time_of_others = 5500ms;

}  // namespace

JobState::JobState(MPI_Comm world) {
  int ranks = 1;
  MPI_Comm_dup(world, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks);
  if (rank_ > 0) neighbors_.push_back((rank_ - 1) / 2);
  for (const int child : {2 * rank_ + 1, 2 * rank_ + 2}) {
    if (child >= ranks) continue;
    neighbors_.push_back(child);
    ++children_;
  }
}

JobState::~JobState() {
  for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm_);
  // MPI writes there until its own end, which comes later.
  if (!kept_.empty()) {
    [[maybe_unused]] static const auto* const for_ever = new auto(std::move(kept_));
  }
}

void JobState::poll() {
  look();
  if (failure_) throw JobFailed();
}

bool JobState::goes_on() {
  look();
  return !failure_ && (stopped_ == 0 || stopped_ != command_);
}

void JobState::stop_command() {
  take_in({.kind = Kind::stop, .rank = rank_, .command = command_}, nobody);
}

void JobState::fail(const Failure& failure, Clock::time_point since) {
  if (own_failure_) return;
  own_failure_ = true;
  Notice notice{.kind = Kind::failure, .rank = rank_, .error = failure.kind};
  std::strncpy(notice.text, failure.message.c_str(), sizeof notice.text - 1);
  ends_at_ = since + meeting_time;
  take_in_failure(notice, nobody);
}

std::optional<JobState::RankFailure> JobState::close() {
  PoliteSleep sleep;
  const auto wait_for = [&](const auto& condition) {
    while (!condition()) {
      if (is_late()) return false;
      sleep();
      exchange();
    }
    return true;
  };
  exchange();
  // What neighbors send one another arrives in order, so behind `finished` nothing comes from
  // below, and behind `closed` nothing at all.
  if (!wait_for([&] { return finished_ == children_; })) return failure_;
  if (rank_ > 0) {
    send({.kind = Kind::finished}, neighbors_.front());
    if (!wait_for([&] { return closed_; })) return failure_;
  }
  spread({.kind = Kind::closed}, rank_ > 0 ? neighbors_.front() : nobody);
  if (failure_) failure_->all_met = true;
  return failure_;
}

void JobState::look() {
  const auto now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + look_interval;
  exchange();
}

void JobState::exchange() {
  if (interrupted_ != nullptr && !interruption_known_ &&
      interrupted_->load(std::memory_order_relaxed)) {
    take_in({.kind = Kind::interrupted}, nobody);
  }
  while (true) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &arrived, &status);
    if (arrived == 0) return;
    Notice notice{};
    MPI_Recv(&notice, sizeof notice, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE);
    take_in(notice, status.MPI_SOURCE);
  }
}

void JobState::take_in(const Notice& notice, int from) {
  switch (notice.kind) {
    case Kind::interrupted:
      if (interruption_known_) return;
      interruption_known_ = true;
      if (interrupted_ != nullptr) interrupted_->store(true, std::memory_order_relaxed);
      return spread(notice, from);
    case Kind::stop:
      if (notice.command <= stopped_) return;
      stopped_ = notice.command;
      return spread(notice, from);
    case Kind::failure:
      return take_in_failure(notice, from);
    case Kind::finished:
      ++finished_;
      return;
    case Kind::closed:
      closed_ = true;
      return;
  }
}

void JobState::take_in_failure(const Notice& notice, int from) {
  if (failure_ && failure_->rank <= notice.rank) return;
  if (!failure_ && from != nobody) ends_at_ = Clock::now() + meeting_time_of_others;
  failure_ = RankFailure{.rank = notice.rank, .failure = {notice.error, notice.text}};
  spread(notice, from);
}

void JobState::send(const Notice& notice, int to) {
  Sent& sent = sent_.emplace_back(Sent{notice});
  MPI_Isend(&sent.notice, sizeof sent.notice, MPI_BYTE, to, tag, comm_, &sent.request);
}

void JobState::spread(const Notice& notice, int from) {
  for (const int neighbor : neighbors_) {
    if (neighbor != from) send(notice, neighbor);
  }
}

}  // namespace tessera
