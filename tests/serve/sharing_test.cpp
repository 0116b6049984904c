// SPDX-License-Identifier: MIT
// A server on a machine, or under a name, that several people use.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "serve/raw.hpp"
#include "tessera/base/error.hpp"
#include "tessera/serve/page_server.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Sharing, WhatCannotBeListenedOnIsSaidWithItsReason) {
  const auto complaint = [](const std::string& host, const std::string& port) {
    const cli::Finished end = cli::tessera({"serve", "--host", host, "--port", port});
    EXPECT_EQ(end.code, 2);
    EXPECT_EQ(cli::complaints(end.err).size(), 1U) << end.err;
    return end.err;
  };
  const Serving serving;
  EXPECT_NE(complaint("127.0.0.1", std::to_string(serving.port())).find("taken"),
            std::string::npos);
  EXPECT_NE(complaint("no-such-host.invalid", "0").find("cannot be resolved"), std::string::npos);
  EXPECT_NE(complaint("203.0.113.1", "0").find("not an address of this machine"),
            std::string::npos);
}

TEST(Sharing, APortThatNeedsRightsIsSaidToNeedThem) {
  std::ifstream setting("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  int first = 1024;
  setting >> first;
  if (first <= 81) GTEST_SKIP() << "every user may take port 81 here";
  const uid_t self = ::geteuid();
  constexpr uid_t nobody = 65534;
  if (self == 0) ASSERT_EQ(::seteuid(nobody), 0);
  ServeOptions options;
  options.port = 81;
  try {
    const PageServer server(options);
    ADD_FAILURE() << "port 81 was had";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("need rights"), std::string::npos) << error.what();
  }
  ASSERT_EQ(::seteuid(self), 0);
}

// A server within the test, with one place for searches and little patience.
TEST(Sharing, ALongSearchMakesRoomForOneThatWaits) {
  ServeOptions options;
  options.port = 0;
  options.limits.running = 1;
  options.limits.contended_time = 1s;
  options.choose = [](const std::string&, const Board&, Metric) {
    return NamedHeuristic{"manhattan", "manhattan"};
  };
  PageServer server(options);
  std::atomic<bool> stop = false;
  std::jthread running([&] { server.run(stop); });
  const Client client(server.port());
  json lasting = endless();
  lasting["time_limit"] = "1h";
  const std::string path =
      "/api/solve/" + json_of(post(client, "/api/solve", lasting), 202)["id"].get<std::string>();
  std::this_thread::sleep_for(1500ms);  // nobody waits: it goes on
  EXPECT_EQ(json_of(client.get(path), 200)["state"], "searching");
  const auto start = Clock::now();
  const json end = solved(client, {{"board", "1 2 3 4 5 6 7 0 8"}});
  EXPECT_EQ(end["result"]["moves"], "L");
  EXPECT_LT(Clock::now() - start, 5s);
  EXPECT_EQ(json_of(client.get(path), 200)["result"]["status"], "limit");
  stop = true;
}

}  // namespace
}  // namespace tessera::serve
