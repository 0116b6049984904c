// SPDX-License-Identifier: MIT
#include "serve/gate.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

// Answers of the gate itself are short: a new connection has room for them.
void send_at_once(int socket, const std::string& text) {
  (void)::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

Gate::Gate(const ServeLimits& limits, Whole whole)
    : limits_(limits), whole_(std::move(whole)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (bell_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Gate::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
    thread_.request_stop();
    wake();
  }
  thread_.join();
  take_new();
  for (const Waiting& one : waiting_) ::close(one.socket);
  waiting_.clear();
  ::close(bell_);
}

void Gate::enter(int socket) {
  add({socket, Arrival(limits_), false, Clock::now() + limits_.arrival});
}

void Gate::leave(int socket) {
  ::shutdown(socket, SHUT_WR);
  add({socket, Arrival(limits_), true, Clock::now() + limits_.arrival});
}

void Gate::add(Waiting waiting) {
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    ::close(waiting.socket);
    return;
  }
  new_.push_back(std::move(waiting));
  wake();
}

void Gate::wake() const {
  const std::uint64_t one = 1;
  (void)!::write(bell_, &one, sizeof one);
}

void Gate::take_new() {
  const std::lock_guard lock(mutex_);
  std::move(new_.begin(), new_.end(), std::back_inserter(waiting_));
  new_.clear();
}

void Gate::run(const std::stop_token& stop) {
  std::vector<pollfd> polled;
  while (!stop.stop_requested()) {
    take_new();
    if (waiting_.size() > limits_.arriving) {
      const auto last =
          waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_.size() - limits_.arriving);
      for (auto one = waiting_.begin(); one != last; ++one) ::close(one->socket);
      waiting_.erase(waiting_.begin(), last);
    }
    polled.assign(1, {bell_, POLLIN, 0});
    Clock::time_point until = Clock::now() + limits_.arrival;
    for (const Waiting& one : waiting_) {
      polled.push_back({one.socket, POLLIN, 0});
      until = std::min(until, one.until);
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    ::poll(polled.data(), polled.size(), static_cast<int>(std::max<std::int64_t>(0, wait.count())));
    if (polled[0].revents != 0) {
      std::uint64_t rings = 0;
      (void)!::read(bell_, &rings, sizeof rings);
    }
    const auto* place = &polled[1];
    std::erase_if(waiting_, [&](Waiting& one) { return !look_at(one, (place++)->revents != 0); });
  }
}

bool Gate::look_at(Waiting& waiting, bool readable) {
  if (waiting.answered) {
    if ((!readable || read_away(waiting.socket)) && Clock::now() < waiting.until) return true;
    ::close(waiting.socket);
    return false;
  }
  if (readable) {
    std::array<char, 16 * 1024> bytes;
    const ssize_t count = ::recv(waiting.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
      ::close(waiting.socket);
      return false;
    }
    if (count > 0) waiting.arrival.take({bytes.data(), static_cast<std::size_t>(count)});
  }
  if (waiting.arrival.refusal()) return refuse(waiting, *waiting.arrival.refusal());
  if (waiting.arrival.whole()) {
    whole_(waiting.socket, waiting.arrival.request());
    return false;
  }
  if (waiting.arrival.take_expectation()) {
    send_at_once(waiting.socket, "HTTP/1.1 100 Continue\r\n\r\n");
  }
  if (Clock::now() < waiting.until) return true;
  if (waiting.arrival.begun()) {
    return refuse(waiting, {408, "the request has not arrived within " +
                                     std::to_string(limits_.arrival.count()) + " seconds"});
  }
  ::close(waiting.socket);  // a browser opens some ahead of their use
  return false;
}

bool Gate::read_away(int socket) {
  std::array<char, 16 * 1024> bytes;
  const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Gate::refuse(Waiting& waiting, const Arrival::Refusal& refusal) const {
  send_at_once(waiting.socket, to_response(refusal));
  ::shutdown(waiting.socket, SHUT_WR);
  waiting = {waiting.socket, Arrival(limits_), true, Clock::now() + limits_.arrival};
  return true;
}

}  // namespace tessera
