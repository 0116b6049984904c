// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "serve/serving.hpp"

namespace tessera::serve {

/// A connection of bytes, for what no client library would send.
class Raw {
 public:
  explicit Raw(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  }
  /// To a Unix socket.
  explicit Raw(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    path.copy(place.sun_path, sizeof place.sun_path - 1);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  }
  ~Raw() { ::close(socket_); }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  /// Whether the server still takes it.
  bool send(const std::string& text) const {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }
  /// What comes next; empty where the server has closed.
  [[nodiscard]] std::string some() const {
    std::array<char, 4096> part{};
    const ssize_t count = ::recv(socket_, part.data(), part.size(), 0);
    return {part.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))};
  }
  /// Reads until this has come so many times.
  void wait_for(const std::string& part, int times) const {
    timeval most{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    std::string heard;
    std::size_t end = 0;  // of the last one
    while (times > 0) {
      const std::size_t at = heard.find(part, end);
      if (at != std::string::npos) {
        end = at + part.size();
        --times;
        continue;
      }
      const std::string more = some();
      ASSERT_FALSE(more.empty()) << "never heard " << part << ": " << heard;
      heard += more;
    }
  }
  /// All until the server closes, or a reset.
  [[nodiscard]] std::string rest() const {
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::recv(socket_, part.data(), part.size(), 0)) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(n));
    }
    return text;
  }

  [[nodiscard]] int socket() const { return socket_; }

 private:
  int socket_;
};

/// Follows a search until it has reported progress so many times, ten times a second at most.
inline void follow_progress(const Raw& follower, const std::string& id, int times) {
  follower.send("GET /api/solve/" + id + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  follower.wait_for("event: progress", times);
}

/// Whether a server solves a board.
template <class Server>
bool alive(const Server& serving) {
  return solved(serving.client(), {{"board", "1 2 3 4 5 6 7 0 8"}})["result"]["moves"] == "L";
}

}  // namespace tessera::serve
