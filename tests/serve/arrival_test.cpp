// SPDX-License-Identifier: MIT
// Requests as bytes that no client library would send: each is bounded, in size and in time.
#include <poll.h>
#include <sys/resource.h>

#include <filesystem>
#include <iterator>
#include <thread>

#include "serve/raw.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string answer_to(const Serving& serving, const std::string& request) {
  const Raw raw(serving.port());
  raw.send(request);
  return raw.rest();
}

std::string post_text(const std::string& head, const std::string& body) {
  return "POST /api/solve HTTP/1.1\r\nHost: localhost\r\n" + head + "\r\n" + body;
}

TEST(Arrival, NoRequestTakesMoreMemoryThanIsAllowed) {
  const Serving serving;
  EXPECT_TRUE(alive(serving));
  const double before = serving.mebibytes();
  const auto refused = [&](const std::string& begin, const std::string& part, const char* status) {
    const Raw raw(serving.port());
    raw.send(begin);
    for (std::size_t sent = 0; sent < (64U << 20) && raw.send(part); sent += part.size()) {
    }
    const std::string answer = raw.rest();
    EXPECT_TRUE(answer.starts_with(std::string("HTTP/1.1 ") + status)) << answer;
    EXPECT_NE(answer.find("\r\n\r\n{\"error\":\""), std::string::npos) << answer;
    EXPECT_LT(serving.mebibytes(), before + 8) << status;
  };
  const std::string line = "X-Header: " + std::string(4000, 'x') + "\r\n";
  refused("GET / HTTP/1.1\r\nHost: localhost\r\n", line, "431 ");
  refused("", std::string(1 << 16, 'G'), "431 ");
  refused("GET /", std::string(1 << 16, 'x'), "431 ");
  refused(post_text("Transfer-Encoding: chunked\r\n", ""),
          "1000\r\n" + std::string(4096, '[') + "\r\n", "411 ");
  refused(post_text("Content-Length: 67108864\r\n", ""), std::string(1 << 16, '['), "413 ");
  refused(post_text("Content-Encoding: br\r\nContent-Length: 60000\r\n", ""),
          std::string(1 << 16, 'x'), "415 ");
  EXPECT_TRUE(alive(serving));
}

TEST(Arrival, HeadsThatCannotBeReadAreRefused) {
  const Serving serving;
  const auto status = [&](const std::string& request) {
    const std::string answer = answer_to(serving, request);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 ")) << request << ": " << answer;
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
  };
  const std::string host = "Host: localhost\r\n\r\n";
  EXPECT_EQ(status("GET / HTTP/1.1\r\n" + host), 200);
  EXPECT_EQ(status("GET / HTTP/1.1\nHost: localhost\n\n"), 400);  // lines end with CR LF
  EXPECT_EQ(status("HEAD / HTTP/1.1\r\n" + host), 200);
  for (const char* method : {"OPTIONS", "PUT", "PATCH", "TRACE", "CONNECT", "get", "NONSENSE"}) {
    EXPECT_EQ(status(method + (" / HTTP/1.1\r\n" + host)), 405) << method;
  }
  for (const char* line :
       {"GET", "GET /", "/ HTTP/1.1", "GET  / HTTP/1.1", "GET / / HTTP/1.1", "GET / HTTP/2.0",
        "GET http://localhost/ HTTP/1.1", "G(T / HTTP/1.1", "GET /\x01 HTTP/1.1", ""}) {
    EXPECT_EQ(status(line + ("\r\n" + host)), 400) << line;
  }
  for (const char* header :
       {"no colon", ": no name", "a b: c", " folded: x", "X: a\x01z", "Content-Length: -1",
        "Content-Length: 0x10", "Content-Length: 1\r\nContent-Length: 2", "Host: other"}) {
    EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\n" + std::string(header) + "\r\n\r\n"),
              400)
        << header;
  }
  EXPECT_EQ(status("GET /" + std::string(5000, 'a') + " HTTP/1.1\r\n" + host), 414);
  EXPECT_EQ(status("GET /api/solve/" + std::string(4000, 'a') + " HTTP/1.1\r\n" + host), 404);
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 403);  // no host
  for (const char* path : {"/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                           "/main.js/../../x", "/main.js%00", "/..\\..\\x", "/%zz"}) {
    EXPECT_EQ(status("GET " + std::string(path) + " HTTP/1.1\r\n" + host), 404) << path;
  }
  // Ranges would make an answer larger than what it is of.
  EXPECT_EQ(status("GET /main.js HTTP/1.1\r\nRange: bytes=0-,0-,0-,0-\r\n" + host), 200);
}

TEST(Arrival, OfRequestsInARowTheFirstIsAnswered) {
  const Serving serving;
  const std::string one = "GET /api/heuristics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  std::string row;
  for (int i = 0; i < 1000; ++i) row += one;
  const std::string answer = answer_to(serving, row);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos);
  EXPECT_TRUE(json::accept(answer.substr(answer.find("\r\n\r\n") + 4)));
}

TEST(Arrival, AClientThatWaitsForAWordGetsIt) {
  const Serving serving;
  const Raw raw(serving.port());
  const std::string body = R"({"board":"1 2 3 4 5 6 7 0 8"})";
  raw.send(post_text(
      "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n", ""));
  EXPECT_EQ(raw.some(), "HTTP/1.1 100 Continue\r\n\r\n");
  raw.send(body);
  EXPECT_TRUE(raw.rest().starts_with("HTTP/1.1 202 "));
}

// An ordinary user may have 1,024 files open, unless asked for more.
bool may_open(rlim_t files) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= files) return true;
  limit.rlim_cur = std::min(files, limit.rlim_max);
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == files;
}

auto threads_here() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Three hundred that send a byte now and then, until their time is over.
TEST(Arrival, SlowConnectionsHoldNoThread) {
  EXPECT_EQ(ServeLimits().arrival, 10s);
  const ServingHere serving({.arrival = 1s});
  const auto start = Clock::now();
  const Raw slow(serving.port());
  slow.send("GET / HTTP/1.1\r\nX: ");
  std::vector<std::unique_ptr<Raw>> drip;
  for (int i = 0; i < 300; ++i) {
    drip.push_back(std::make_unique<Raw>(serving.port()));
    drip.back()->send("GET / HTTP/1.1\r\nX: ");
  }
  EXPECT_TRUE(alive(serving));
  EXPECT_LT(threads_here(), 20);
  bool taken = true;
  std::string answer;
  while (answer.empty() && Clock::now() - start < 6s) {
    std::this_thread::sleep_for(100ms);
    taken = slow.send("x");
    for (const auto& one : drip) one->send("x");
    pollfd polled{slow.socket(), POLLIN, 0};
    if (::poll(&polled, 1, 0) == 1) answer = slow.some();
  }
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer << taken;
  EXPECT_GE(Clock::now() - start, 900ms);
  EXPECT_LT(Clock::now() - start, 5s);
}

// Each about when the server notices that its time is over.
TEST(Arrival, ClientsMayLeaveAsTheirTimeEnds) {
  const ServingHere serving({.arrival = 1s});
  std::vector<std::pair<std::unique_ptr<Raw>, Clock::time_point>> clients;
  for (int i = 0; i < 400; ++i) {
    const auto opened = Clock::now();
    clients.emplace_back(std::make_unique<Raw>(serving.port()), opened);
  }
  for (auto& [client, opened] : clients) {
    std::this_thread::sleep_until(opened + 1s);
    client.reset();
  }
  EXPECT_TRUE(alive(serving));
}

TEST(Arrival, AThousandSilentConnectionsHoldNoThread) {
  if (!may_open(2048)) GTEST_SKIP() << "fewer than 2,048 files may be open here";
  const Serving serving;
  std::vector<std::unique_ptr<Raw>> silent;
  for (int i = 0; i < 1000; ++i) silent.push_back(std::make_unique<Raw>(serving.port()));
  const auto then = Clock::now();
  EXPECT_TRUE(alive(serving));
  EXPECT_LT(Clock::now() - then, 2s);
  EXPECT_LT(serving.threads(), 20);
}

TEST(Arrival, FollowersLeaveRoomForOthers) {
  const Serving serving;
  const Client client = serving.client();
  const std::string path = json_of(post(client, "/api/solve", endless()), 202)["id"];
  std::vector<std::unique_ptr<Raw>> followers;
  int refused = 0;
  for (int i = 0; i < 260; ++i) {
    followers.push_back(std::make_unique<Raw>(serving.port()));
    followers.back()->send("GET /api/solve/" + path +
                           "/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    refused += followers.back()->some().starts_with("HTTP/1.1 503") ? 1 : 0;
  }
  EXPECT_EQ(refused, 260 - 192);
  EXPECT_TRUE(alive(serving));
  (void)json_of(client.remove("/api/solve/" + path + "/events"), 405);
  (void)json_of(client.remove("/api/solve/" + path), 200);
}

TEST(Arrival, ControlCEndsAtOnceWhateverClientsDo) {
  Serving serving;
  const Client client = serving.client();
  std::vector<std::unique_ptr<Raw>> clients;
  const std::string path = json_of(post(client, "/api/solve", endless()), 202)["id"];
  const std::string search = "GET /api/solve/" + path;
  for (int i = 0; i < 50; ++i) {
    for (const std::string& text :
         {std::string(), std::string("GET / HT"), post_text("Content-Length: 90\r\n", "{"),
          search + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
          search + "?wait=30 HTTP/1.1\r\nHost: localhost\r\n\r\n"}) {
      clients.push_back(std::make_unique<Raw>(serving.port()));
      clients.back()->send(text);
    }
  }
  // All of them are connected before this one.
  (void)json_of(client.get("/api/solve/" + path), 200);
  const auto start = Clock::now();
  serving.program().signal(SIGINT);
  EXPECT_EQ(serving.program().wait().code, 0);
  EXPECT_LT(Clock::now() - start, 2s);
}

TEST(Arrival, ASearchWhoseFollowerVanishesEndsAndMakesRoom) {
  const ServingHere serving({.running = 1, .unwatched = 1s});
  const Client client = serving.client();
  const std::string id = json_of(post(client, "/api/solve", endless()), 202)["id"];
  {
    const Raw follower(serving.port());
    follow_progress(follower, id, 15);  // it is followed: it goes on
    EXPECT_EQ(json_of(client.get("/api/solve/" + id), 200)["state"], "searching");
  }
  const auto start = Clock::now();
  const json end = solved(client, {{"board", "1 2 3 4 5 6 7 0 8"}});  // waits for the only place
  EXPECT_EQ(end["result"]["moves"], "L");
  EXPECT_LT(Clock::now() - start, 5s);
  EXPECT_EQ(json_of(client.get("/api/solve/" + id), 200)["result"]["status"], "interrupted");
}

}  // namespace
}  // namespace tessera::serve
