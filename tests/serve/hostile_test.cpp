// SPDX-License-Identifier: MIT
// No request takes the server down, and other sites' pages get nothing.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "serve/raw.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

TEST(Hostile, WhatIsNoRequestGetsAClearAnswer) {
  const Serving serving;
  const Client client = serving.client();
  const auto complaint = [&](const std::string& body, int status = 400) {
    const json answer = json_of(client.post("/api/solve", body), status);
    return answer.value("error", "");
  };
  EXPECT_EQ(complaint("{\"board\":"), "the body is not a JSON object");
  EXPECT_EQ(complaint(""), "the body is not a JSON object");
  EXPECT_EQ(complaint("[1,2]"), "the body is not a JSON object");
  EXPECT_EQ(complaint(std::string("\xff\xfe\0x", 4)), "the body is not a JSON object");
  EXPECT_EQ(complaint(std::string(60'000, '[')), "the body is not a JSON object");
  EXPECT_NE(complaint("{}").find("no board"), std::string::npos);
  EXPECT_NE(complaint(R"({"board":[1,1,2,3]})").find("1"), std::string::npos);
  EXPECT_NE(complaint(R"({"board":[1,2,3.5,0]})").find("not a whole number"), std::string::npos);
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","size":"9x9"})").find("9x9"), std::string::npos);
  EXPECT_NE(complaint(R"({"board":7})").find("board is not a string"), std::string::npos);
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","goal":"up"})").find("goal"), std::string::npos);
  EXPECT_NE(
      complaint(R"({"board":"1 2 3 0","heuristic":"manhatten"})").find("did you mean manhattan"),
      std::string::npos);
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","heuristic":"pdb:/etc/passwd"})"), "");
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","metric":"triple"})").find("metric"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","time_limit":"soon"})").find("time_limit"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","time_limit":"2h"})").find("at most"),
            std::string::npos);
  EXPECT_EQ(complaint(R"({"board":"1 2 3 0","time-limit":"5s"})"),
            "key 'time-limit' is unknown, did you mean time_limit?");
  EXPECT_EQ(
      complaint(R"({"board":"1 2 3 0","threads":2})"),
      "key 'threads' is unknown, expected board, size, goal, metric, heuristic, time_limit or "
      "good_moves");
  const json scramble{{"size", "2x2"}, {"goal", "1 2 3/4 5 6/7 8 0"}};
  for (const Answer& answer :
       {post(client, "/api/scramble", scramble),
        client.get("/api/heuristics?size=2x2&goal=1%202%203/4%205%206/7%208%200")}) {
    EXPECT_EQ(json_of(answer, 400)["error"], "goal: board is 3x3, expected 2x2");
  }
  for (const char* path : {"/api/check", "/api/scramble"}) {
    (void)json_of(client.post(path, R"({"board":"1 2 3 0","heuristic":"auto"})"), 400);
  }
  EXPECT_EQ(complaint(R"({"board":[1e400,1]})"), "the body is not a JSON object");
  EXPECT_NE(complaint(R"({"board":[)" + std::string(60'000, '9') + "]}"), "");
  EXPECT_NE(complaint(R"({"board":"1 2 3 0","time_limit":-5})").find("time_limit"),
            std::string::npos);
  // Names within names would take room and time by the square of their number.
  std::string deep = "manhattan";
  for (int i = 0; i < 8000; ++i) deep = "max(" + deep + ")";
  EXPECT_NE(complaint(json{{"board", "1 2 3 0"}, {"heuristic", deep}}.dump()).find("longer than"),
            std::string::npos);
  EXPECT_NE(complaint(json{{"board", std::string(9000, 'i') + ": 1 2 3 0"}}.dump()).find("id is"),
            std::string::npos);
  std::vector<int> tiles(36);
  std::iota(tiles.begin(), tiles.end(), 1);
  tiles.back() = 0;
  EXPECT_NE(complaint(json{{"board", tiles}, {"heuristic", "walking"}}.dump()), "");
  EXPECT_NE(
      complaint("{\"board\":\"" + std::string(10 << 20, '1') + "\"}", 413).find("larger than"),
      std::string::npos);
  (void)json_of(client.get("/api/nothing"), 404);
  for (const char* path : {"/api/check", "/api/scramble", "/api/solve"}) {
    (void)json_of(client.get(path), 405);
  }
  for (const char* path : {"/", "/style.css"}) (void)json_of(post(client, path, {}), 405);
  (void)json_of(client.get("/api/solve/0123456789abcdef"), 404);
  (void)json_of(client.remove("/api/solve/0123456789abcdef"), 404);
  const json asked = json_of(post(client, "/api/solve", {{"board", "1 2 3 4 5 6 7 0 8"}}), 202);
  for (const char* wait : {"abc", "-5", "1s", ""}) {
    (void)json_of(client.get("/api/solve/" + asked["id"].get<std::string>() + "?wait=" + wait),
                  400);
  }
  (void)json_of(client.get("/../etc/passwd"), 404);
  EXPECT_TRUE(alive(serving));
}

TEST(Hostile, SlowAndVanishingClientsHoldUpNobody) {
  const ServingHere serving({.arrival = 1s});
  std::vector<std::unique_ptr<Raw>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<Raw>(serving.port()));
    slow.back()->send(i % 2 == 0 ? "GET / HT"
                                 : "POST /api/solve HTTP/1.1\r\nHost: localhost\r\n"
                                   "Content-Length: 500\r\n\r\n{\"board\":");
  }
  for (int i = 0; i < 100; ++i) {
    const Raw gone(serving.port());
    gone.send("POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{");
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(alive(serving));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
  for (const auto& one : slow) (void)one->rest();  // each is told off in its time
  EXPECT_LT(std::chrono::steady_clock::now() - start, 6s);
}

TEST(Hostile, TooManySearchesAreRefusedAndStoppedOnesMakeRoom) {
  const Serving serving;
  const Client client = serving.client();
  std::vector<std::string> paths;
  int refused = 0;
  for (int i = 0; i < 80; ++i) {
    const auto answer = post(client, "/api/solve", endless());
    if (answer.status == 202) paths.push_back(answer.headers.at("location"));
    else if (answer.status == 503) {
      ++refused;
      const int seconds = std::stoi(answer.headers.at("retry-after"));
      EXPECT_TRUE(seconds >= 1 && seconds <= 60) << seconds;
    }
  }
  EXPECT_GE(paths.size(), 64U);
  EXPECT_LE(paths.size(), 68U);  // 4 run, 64 wait
  EXPECT_EQ(static_cast<std::size_t>(refused), 80 - paths.size());
  for (const std::string& path : paths) (void)json_of(client.remove(path), 200);
  EXPECT_TRUE(alive(serving));
}

TEST(Hostile, OtherHostsAndOriginsAreRefused) {
  const Serving serving;
  const Client client = serving.client();
  const auto status = [&](const Headers& headers, const char* path = "/api/heuristics") {
    return client.get(path, headers).status;
  };
  const std::string own = serving.address();
  EXPECT_EQ(status({}), 200);
  EXPECT_EQ(status({{"Host", "localhost:9000"}}), 200);  // a tunnel's end
  EXPECT_EQ(status({{"Host", "[::1]:8015"}}), 200);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://" + own}}), 200);
  EXPECT_EQ(status({{"Host", "evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", "127.0.0.1.evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", "localhost.evil.example:80"}}), 403);
  EXPECT_EQ(status({{"Host", "evil.example"}}, "/"), 403);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "null"}}), 403);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://127.0.0.1:1"}}), 403);
  EXPECT_EQ(status({{"Host", own}, {"Sec-Fetch-Site", "cross-site"}}), 403);
  const Headers link{
      {"Host", own}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}};
  EXPECT_EQ(status(link, "/"), 200);
  EXPECT_EQ(status(link), 403);
}

TEST(Hostile, ARefusedRequestsBodyIsNotReadAsARequest) {
  const Serving serving;
  const std::string inner = "GET /api/heuristics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const Raw raw(serving.port());
  raw.send("POST /api/solve HTTP/1.1\r\nHost: evil.example\r\nContent-Length: " +
           std::to_string(inner.size()) + "\r\n\r\n" + inner + inner);
  const std::string answer = raw.rest();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403")) << answer;
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
}

}  // namespace
}  // namespace tessera::serve
