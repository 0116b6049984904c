// SPDX-License-Identifier: MIT
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cctype>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "fuzz/target.hpp"
#include "serve/http_server.hpp"
#include "serve/request.hpp"

namespace tessera::fuzz {
namespace {

/// A server on a Unix socket, whose handler reads what a request brings and starts nothing.
class SmallServer {
 public:
  SmallServer()
      : options_(options()), server_(options_, answer), thread_([this] { server_.run(stop_); }) {}
  ~SmallServer() {
    stop_ = true;
    thread_.join();
  }
  SmallServer(const SmallServer&) = delete;
  SmallServer& operator=(const SmallServer&) = delete;

  /// All that the server answers to the bytes of a client that sends nothing more.
  [[nodiscard]] std::string exchange(const std::string& bytes) const {
    const int client = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    path().copy(place.sun_path, sizeof place.sun_path - 1);
    if (::connect(client, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) {
      throw std::runtime_error("the server takes no connection");
    }
    (void)!::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(client, SHUT_WR);
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::recv(client, part.data(), part.size(), 0)) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(n));
    }
    ::close(client);
    return text;
  }

 private:
  [[nodiscard]] std::string path() const { return (folder_.path() / "socket").string(); }
  [[nodiscard]] ServeOptions options() const {
    ServeOptions options;
    options.socket_path = path();
    return options;
  }
  static HttpResponse answer(const HttpRequest& request) {
    return {.status = 200, .body = request.parameter("board", "none") + request.body};
  }

  TemporaryFolder folder_;
  std::atomic<bool> stop_{false};
  ServeOptions options_;  // the server refers to its limits
  HttpServer server_;
  std::thread thread_;
};

// A status line, or nothing: a client may vanish before its request is there.
void check_answer(const std::string& answer) {
  if (answer.empty()) return;
  const std::string version = "HTTP/1.1 ";
  const bool status = answer.starts_with(version) && answer.size() > version.size() + 3 &&
                      std::isdigit(static_cast<unsigned char>(answer[version.size()])) != 0;
  if (!status) throw std::runtime_error("answered by no HTTP");
  if (answer.compare(version.size(), 3, "200") != 0) bad_input("refused");
}

Target http() {
  const std::string host = "Host: localhost\r\n";
  return {.name = "http",
          .seeds = {"GET /api/heuristics?board=1%202+3&size=2x2 HTTP/1.1\r\n" + host + "\r\n",
                    "POST /api/solve HTTP/1.1\r\n" + host +
                        "Content-Type: application/json\r\nContent-Length: 21\r\n\r\n"
                        R"({"board":"1 2 0 3"})"
                        "\r\n",
                    "POST /api/solve HTTP/1.1\r\n" + host +
                        "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
                        "5\r\n12345\r\n0\r\n\r\n",
                    "DELETE /api/solve/1 HTTP/1.0\r\n" + host +
                        "Authorization: Bearer abc\r\nOrigin: http://localhost:8015\r\n"
                        "Cookie: a=b\r\nRange: bytes=0-1\r\nConnection: keep-alive\r\n\r\n",
                    "HEAD / HTTP/1.1\nHost: [::1]:8015\nAccept: */*\n\n"},
          .parse = [](const std::string& input) {
            static const SmallServer server;
            check_answer(server.exchange(input));
          }};
}

Target requests() {
  return {.name = "requests",
          .seeds = {R"({"board":"1 2 3 4 5 6 7 0 8","goal":"last","heuristic":"manhattan",)"
                    R"("metric":"single","time_limit":"5s"})",
                    R"({"board":[1,2,0,3],"size":"2x2","goal":[1,2,3,0],"time_limit":5})",
                    R"({"size":"4x4","goal":"first","moves":20,"seed":7})"},
          .parse = [](const std::string& input) {
            (void)check_boards(input);
            try {
              (void)scramble_board(input);
            } catch (const Error&) {
              // A search has other fields.
            }
            (void)parse_search_request(input, {});
          }};
}

}  // namespace

std::vector<Target> web_targets() {
  return {http(), requests()};
}

}  // namespace tessera::fuzz
