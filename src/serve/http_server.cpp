// SPDX-License-Identifier: MIT
#include "serve/http_server.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tessera {
namespace {

// Reads a request that is here, writes to its connection.
class AnswerStream final : public httplib::Stream {
 public:
  AnswerStream(socket_t socket, std::string request, std::chrono::milliseconds patience)
      : socket_(socket), request_(std::move(request)), patience_(patience) {}

  [[nodiscard]] bool is_readable() const override { return read_ < request_.size(); }
  [[nodiscard]] bool is_writable() const override {
    pollfd polled{socket_, POLLOUT, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(patience_.count()));
    return ready == 1 && (polled.revents & POLLOUT) != 0;
  }
  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = request_.copy(bytes, size, read_);
    read_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    ssize_t count = -1;
    do {
      if (!is_writable()) return -1;
      count = ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && (errno == EAGAIN || errno == EINTR));
    return count;
  }
  // Who asks is not looked at.
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  socket_t socket_;
  std::string request_;
  std::chrono::milliseconds patience_;
  std::size_t read_ = 0;
};

// Passes connections on from httplib's listening thread: process_and_close_socket() does not block.
class AtOnce final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> connection) override { connection(); }
  void shutdown() override {}
};

}  // namespace

HttpServer::HttpServer(const ServeLimits& limits)
    : limits_(limits),
      connections_(limits.connections),
      gate_(limits, [this](int socket, std::string request) {
        connections_.enqueue(
            [this, owner = owner_.lock(), socket, request = std::move(request)]() mutable {
              answer(socket, std::move(request));
            });
      }) {
  new_task_queue = [] { return new AtOnce; };
}

void HttpServer::serve(std::weak_ptr<void> owner) {
  owner_ = std::move(owner);
  listen_after_bind();
  gate_.stop();
  connections_.shutdown();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  gate_.enter(socket);
  return true;
}

void HttpServer::answer(socket_t socket, std::string request) {
  AnswerStream stream(socket, std::move(request), limits_.slow_client);
  bool closed = false;
  process_request(stream, /*close_connection=*/true, closed, nullptr);
  gate_.leave(socket);
}

}  // namespace tessera
