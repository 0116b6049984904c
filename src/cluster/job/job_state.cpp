// SPDX-License-Identifier: MIT
#include "cluster/job/job_state.hpp"

#include <algorithm>
#include <boost/mpi/request.hpp>
#include <iterator>

#include "cluster/job/polling.hpp"
#include "cluster/messages/messages.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Kind = Notice::Kind;

constexpr int notice_tag = 0;
// A poll of MPI may yield the core: with a poll at every node of a search, or every batch of a
// census, other programs on the machine would get most of it.
constexpr auto job_poll_interval = 5ms;
// Since the failure; a rank that learns of it gives the failed one some time to report it.
constexpr auto meeting_time = 4500ms;
constexpr auto meeting_time_of_others = 5500ms;

}  // namespace

struct JobState::Sent {
  Notice notice;
  boost::mpi::request request = {};
};

JobState::JobState(const boost::mpi::communicator& world)
    : comm_(world, boost::mpi::comm_duplicate), rank_(comm_.rank()) {
  if (rank_ > 0) neighbors_.push_back((rank_ - 1) / 2);
  for (const int child : {2 * rank_ + 1, 2 * rank_ + 2}) {
    if (child < comm_.size()) neighbors_.push_back(child);
  }
}

JobState::~JobState() {
  for (Sent& sent : sent_) sent.request.wait();
  // MPI writes there until it is finalized, which is later.
  static auto& for_ever = *new std::vector<std::shared_ptr<void>>;
  std::move(retained_.begin(), retained_.end(), std::back_inserter(for_ever));
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
  failure.message.copy(notice.text.data(), notice.text.size() - 1);
  ends_at_ = since + meeting_time;
  take_in_failure(notice, nobody);
}

std::optional<JobState::RankFailure> JobState::close() {
  BackOff sleep;
  const auto wait_for = [&](const auto& condition) {
    while (!condition()) {
      if (failure_ && Clock::now() > ends_at_) return false;
      sleep();
      exchange();
    }
    return true;
  };
  exchange();
  // Messages from a neighbor arrive in order: after `finished` nothing more comes from below, and
  // after `closed` nothing at all.
  const std::size_t children = neighbors_.size() - (rank_ > 0 ? 1 : 0);
  if (!wait_for([&] { return finished_ == children; })) return failure_;
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
  next_look_ = now + job_poll_interval;
  exchange();
}

void JobState::exchange() {
  if (interrupted_ != nullptr && !interruption_known_ &&
      interrupted_->load(std::memory_order_relaxed)) {
    take_in({.kind = Kind::interrupted}, nobody);
  }
  while (const auto status = comm_.iprobe(boost::mpi::any_source, notice_tag)) {
    Notice notice;
    comm_.recv(status->source(), notice_tag, notice);
    take_in(notice, status->source());
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
  failure_ = RankFailure{.rank = notice.rank, .failure = {notice.error, notice.text.data()}};
  spread(notice, from);
}

void JobState::send(const Notice& notice, int to) {
  Sent& sent = sent_.emplace_back(Sent{notice});
  sent.request = comm_.isend(to, notice_tag, sent.notice);
}

void JobState::spread(const Notice& notice, int from) {
  for (const int neighbor : neighbors_) {
    if (neighbor != from) send(notice, neighbor);
  }
}

}  // namespace tessera
