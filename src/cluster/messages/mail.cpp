// SPDX-License-Identifier: MIT
#include "cluster/messages/mail.hpp"

#include <algorithm>
#include <utility>

#include "cluster/job/polling.hpp"

namespace tessera {

Mail::Mail(JobState& state, boost::mpi::communicator comm)
    : state_(state), comm_(std::move(comm)) {}

Mail::~Mail() {
  if (!all_left() || !buffers_->received.empty()) state_.retain(std::move(buffers_));
}

void Mail::send_bytes(int rank, int tag, Bytes bytes) {
  (void)all_left();
  UnderWay& message = buffers_->sent.emplace_back(UnderWay{rank, tag, std::move(bytes)});
  message.request =
      comm_.isend(rank, tag, message.bytes.data(), static_cast<int>(message.bytes.size()));
}

bool Mail::all_left() {
  std::erase_if(buffers_->sent,
                [](UnderWay& message) { return message.request.test().has_value(); });
  return buffers_->sent.empty();
}

void Mail::wait_until_left() {
  wait_until(state_, [this] { return all_left(); });
}

// False if there is none. By tag, to ignore collectives, which may send point to point.
bool Mail::begin_receiving(int rank, int tag) {
  const auto head = comm_.iprobe(rank, tag);
  if (!head) return false;
  const int size = head->count<char>().get();
  UnderWay& message = buffers_->received.emplace_back(
      UnderWay{head->source(), tag, Bytes(static_cast<std::size_t>(size))});
  message.request = comm_.irecv(message.rank, tag, message.bytes.data(), size);
  return true;
}

Mail::UnderWay Mail::next_of(int rank, int tag) {
  bool begun = false;
  std::optional<UnderWay> arrived;
  wait_until(state_, [&] {
    begun = begun || begin_receiving(rank, tag);
    return begun && (arrived = next(tag)).has_value();
  });
  return *std::move(arrived);
}

std::optional<Mail::UnderWay> Mail::next(int tag) {
  std::list<UnderWay>& received = buffers_->received;
  for (auto message = received.begin(); message != received.end(); ++message) {
    if (message->tag != tag) continue;
    if (!message->arrived) message->arrived = message->request.test().has_value();
    const bool is_first = std::none_of(received.begin(), message, [&](const UnderWay& earlier) {
      return earlier.tag == tag && earlier.rank == message->rank;
    });
    if (!message->arrived || !is_first) continue;
    UnderWay first = std::move(*message);
    received.erase(message);
    return first;
  }
  return {};
}

}  // namespace tessera
