// SPDX-License-Identifier: MIT
#include "cluster/job/job_state.hpp"

#include <utility>

#include "cluster/job/polling.hpp"
#include "cluster/messages/messages.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Kind = Notice::Kind;

// A poll of MPI may yield the core: with a poll at every node of a search, or every batch of a
// census, other programs on the machine would get most of it.
constexpr auto job_poll_interval = 5ms;
// Since the failure; a rank that learns of it gives the failed one some time to report it.
constexpr auto closing_time = 4500ms;
constexpr auto closing_time_after_notice = 5500ms;

}  // namespace

std::string with_rank(int rank, const std::string& message) {
  return rank == 0 ? message : "rank " + std::to_string(rank) + ": " + message;
}

JobState::JobState(const boost::mpi::communicator& world, ReportSilence report)
    : rank_(world.rank()),
      ranks_(world.size()),
      mail_(*this, world),
      report_silence_(std::move(report)),
      asked_(Clock::now()),
      watched_(asked_) {
  if (rank_ > 0) neighbors_.push_back((rank_ - 1) / 2);
  for (const int child : {2 * rank_ + 1, 2 * rank_ + 2}) {
    if (child < ranks_) neighbors_.push_back(child);
  }
}

// MPI writes there until it is finalized, which is later than any object of ours ends.
void JobState::retain(std::shared_ptr<void> buffers) {
  static auto& for_ever = *new std::vector<std::shared_ptr<void>>;
  for_ever.push_back(std::move(buffers));
  has_retained_ = true;
}

void JobState::poll() {
  poll_if_due();
  if (failure_) throw JobFailed(failure_->failure);
}

bool JobState::may_continue() {
  poll_if_due();
  return !failure_ && (stopped_ == 0 || stopped_ != command_);
}

void JobState::stop_command() {
  handle_notice({.kind = Kind::stop, .rank = rank_, .command = command_}, nobody);
}

void JobState::fail(const Failure& failure, Clock::time_point since) {
  if (own_failure_) return;
  own_failure_ = true;
  Notice notice{.kind = Kind::failure, .rank = rank_, .error = failure.kind};
  const std::string message = with_rank(rank_, failure.message);
  message.copy(notice.text.data(), notice.text.size() - 1);
  ends_at_ = since + closing_time;
  handle_notice(notice, nobody);
}

void JobState::fail_and_throw(const Failure& failure, Clock::time_point since) {
  fail(failure, since);
  throw JobFailed(failure_->failure);
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
  // after `closed` nothing at all. All ranks are here and answer once rank 0's children have
  // finished.
  const std::size_t children = neighbors_.size() - (rank_ > 0 ? 1 : 0);
  if (!wait_for([&] { return finished_ == children && unanswered_.empty(); })) return failure_;
  if (rank_ > 0) {
    mail_.send(neighbors_.front(), tag_notice, Notice{.kind = Kind::finished});
    if (!wait_for([&] { return closed_; })) return failure_;
  }
  forward_notice({.kind = Kind::closed}, rank_ > 0 ? neighbors_.front() : nobody);
  if (failure_) failure_->all_closed = true;
  return failure_;
}

void JobState::poll_if_due() {
  const auto now = Clock::now();
  if (now < next_poll_) return;
  next_poll_ = now + job_poll_interval;
  exchange();
}

void JobState::exchange() {
  if (interrupted_ != nullptr && !interruption_known_ &&
      interrupted_->load(std::memory_order_relaxed)) {
    handle_notice({.kind = Kind::interrupted}, nobody);
  }
  mail_.receive<Notice>(tag_notice,
                        [this](int from, const Notice& notice) { handle_notice(notice, from); });
  if (rank_ == 0 && report_silence_) watch_ranks();
}

void JobState::handle_notice(const Notice& notice, int from) {
  switch (notice.kind) {
    case Kind::interrupted:
      if (interruption_known_) return;
      interruption_known_ = true;
      if (interrupted_ != nullptr) interrupted_->store(true, std::memory_order_relaxed);
      return forward_notice(notice, from);
    case Kind::stop:
      if (notice.command <= stopped_) return;
      stopped_ = notice.command;
      return forward_notice(notice, from);
    case Kind::failure:
      if (failure_ && failure_->rank <= notice.rank) return;
      if (!failure_ && from != nobody) ends_at_ = Clock::now() + closing_time_after_notice;
      failure_ = RankFailure{.rank = notice.rank, .failure = {notice.error, notice.text.data()}};
      return forward_notice(notice, from);
    case Kind::finished:
      ++finished_;
      return;
    case Kind::closed:
      closed_ = true;
      return;
    case Kind::ping:
      return mail_.send(from, tag_notice, Notice{.kind = Kind::pong});
    case Kind::pong:
      unanswered_.erase(from);
      return;
  }
}

void JobState::watch_ranks() {
  const auto now = Clock::now();
  // After a long computation of this rank the answers may have been here for as long.
  if (now - watched_ > longest_silence / 10) asked_ += now - watched_;
  watched_ = now;
  if (unanswered_.empty()) {
    if (std::exchange(reported_, false)) report_silence_({});
    if (now - asked_ < longest_silence / 3) return;
    asked_ = now;
    for (int rank = 1; rank < ranks_; ++rank) {
      unanswered_.insert(rank);
      mail_.send(rank, tag_notice, Notice{.kind = Kind::ping});
    }
  } else if (now - asked_ > longest_silence && !std::exchange(reported_, true)) {
    report_silence_({unanswered_.begin(), unanswered_.end()});
  }
}

void JobState::forward_notice(const Notice& notice, int from) {
  for (const int neighbor : neighbors_) {
    if (neighbor != from) mail_.send(neighbor, tag_notice, notice);
  }
}

}  // namespace tessera
