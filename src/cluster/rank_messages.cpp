// SPDX-License-Identifier: MIT
// What the ranks of an execution send one another.
#include <algorithm>

#include "cluster/collectives.hpp"
#include "cluster/rank_execution.hpp"

namespace tessera {
namespace {

// Without a round for so long a rank must be stopped or lost.
constexpr double silence_seconds = 30;
constexpr double ping_seconds = 2;

}  // namespace

void RankExecution::ask(int victim, int idle_threads, bool patient) {
  record_.asked(victim);
  send(victim, patient ? tag_patient : tag_request, idle_threads);
}

std::size_t RankExecution::give(int thief, const Share& share) {
  const std::vector<PooledItem> items = pool_.give_away(share);
  if (items.empty()) return 0;
  send(thief, tag_work, items);
  record_.gave(thief, items.size());
  return items.size();
}

void RankExecution::refuse(int thief) {
  send(thief, tag_work, std::vector<PooledItem>());
  record_.gave(thief, 0);
}

void RankExecution::begin_round(const Round& mine) {
  rounds_.begin(mine, task_.independent ? std::optional(incumbent_) : std::nullopt);
}

// By tag, so that a collective of Boost.MPI, which sends point to point, is never looked at.
void RankExecution::receive(Monitor* monitor) {
  using boost::mpi::any_source;
  for (const MessageTag tag : {tag_request, tag_patient}) {
    while (const auto status = world_.iprobe(any_source, tag)) {
      int idle_threads = 0;
      world_.recv(status->source(), tag, idle_threads);
      protocol_.asked_by(status->source(), idle_threads, tag == tag_patient);
    }
  }
  while (const auto status = world_.iprobe(any_source, tag_work)) {
    std::vector<PooledItem> items;
    world_.recv(status->source(), tag_work, items);
    record_.answered(status->source(), items.size());
    protocol_.answered_by(status->source(), items.size(), since_begin_.seconds());
    pool_.receive(std::move(items));
  }
  while (const auto status = world_.iprobe(any_source, tag_ping)) {
    world_.recv(status->source(), tag_ping);
    send(status->source(), tag_pong);
  }
  if (monitor == nullptr) return;
  while (const auto status = world_.iprobe(any_source, tag_finished)) {
    std::vector<FinishedSubtree> finished;
    world_.recv(status->source(), tag_finished, finished);
    ++finished_received_;
    monitor->subtrees_finished(finished);
  }
  while (const auto status = world_.iprobe(any_source, tag_pong)) {
    world_.recv(status->source(), tag_pong);
    pinged_[static_cast<std::size_t>(status->source())] = false;
  }
}

void RankExecution::send_finished(Monitor* monitor) {
  if (report_timer_.ask()) pool_.ask_finished();
  if (!report_timer_.due()) return;
  std::vector<FinishedSubtree> finished = pool_.take_finished();
  if (monitor != nullptr) {
    monitor->subtrees_finished(finished);
  } else if (!finished.empty()) {
    send(master_rank, tag_finished, finished);
    record_.sent_finished(finished.size());
    ++finished_messages_;
  }
}

// No round is complete without all ranks, so a stopped one is noticed by the silence, and found by
// the answer that is missing.
void RankExecution::watch_ranks(Monitor& monitor) {
  const double silence = since_round_.seconds();
  if (silence < silence_seconds) {
    if (warned_) monitor.unanswered({});
    warned_ = false;
    return;
  }
  if (!is_pinging()) {
    if (warned_) return;
    for (int rank = 1; rank < world_.size(); ++rank) {
      pinged_[static_cast<std::size_t>(rank)] = true;
      send(rank, tag_ping);
    }
  } else if (!warned_ && silence > silence_seconds + ping_seconds) {
    warned_ = true;
    std::vector<int> silent;
    for (std::size_t rank = 0; rank < pinged_.size(); ++rank) {
      if (pinged_[rank]) silent.push_back(static_cast<int>(rank));
    }
    monitor.unanswered(silent);
  }
}

bool RankExecution::is_pinging() const {
  return std::find(pinged_.begin(), pinged_.end(), true) != pinged_.end();
}

void RankExecution::forget_sent() {
  std::erase_if(sent_, [](boost::mpi::request& request) { return request.test().has_value(); });
}

}  // namespace tessera
