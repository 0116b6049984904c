// SPDX-License-Identifier: MIT
// A server on a machine, or under a name, that several people use.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/places.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "serve/page_server.hpp"
#include "serve/raw.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Sharing, WithATokenTheInterfaceIsForThoseWhoHaveIt) {
  const Serving serving({"--token", "correct-horse"});
  const Client client = serving.client();
  const std::string path = "/api/heuristics";
  EXPECT_EQ(client.get("/").status, 200);  // the page itself is no secret
  EXPECT_EQ(client.get(path).status, 401);
  EXPECT_EQ(client.get(path).headers.at("www-authenticate"), "Bearer");
  for (const char* wrong : {"correct-horsf", "correct-hors", "correct-horse-", "c", ""}) {
    EXPECT_EQ(client.get(path, {{"Authorization", std::string("Bearer ") + wrong}}).status, 401);
    EXPECT_EQ(client.get(path + "?token=" + wrong).status, 401) << wrong;
  }
  EXPECT_EQ(client.get(path, {{"Authorization", "correct-horse"}}).status, 401);
  EXPECT_EQ(client.get(path, {{"Authorization", "Bearer correct-horse"}}).status, 200);
  EXPECT_EQ(client.get(path + "?size=3x3&token=correct-horse").status, 200);
  EXPECT_EQ(client.post("/api/solve", endless().dump()).status, 401);
  const json asked = json_of(client.post("/api/solve?token=correct-horse", endless().dump()), 202);
  const std::string search = "/api/solve/" + asked["id"].get<std::string>();
  EXPECT_EQ(client.get(search).status, 401);
  EXPECT_EQ(client.get(search + "/events").status, 401);
  EXPECT_EQ(client.remove(search).status, 401);
  EXPECT_EQ(client.remove(search + "?token=correct-horse").status, 200);
  EXPECT_TRUE(serving.printed().ends_with("/?token=correct-horse\n")) << serving.printed();
}

TEST(Sharing, ATokenIsMadeAndPrintedOnce) {
  const Serving one({"--token", "auto"});
  const Serving two({"--token", "auto"});
  const auto token = [](const Serving& serving) {
    const std::string line = serving.printed();
    return line.substr(line.find('=') + 1, 32);
  };
  EXPECT_EQ(token(one).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(token(one), token(two));
  EXPECT_EQ(one.client().get("/api/heuristics?token=" + token(one)).status, 200);
  EXPECT_EQ(one.client().get("/api/heuristics?token=" + token(two)).status, 401);
  for (const char* bad : {"short", "with space in it", "ampersand&percent%"}) {
    EXPECT_EQ(cli::tessera({"serve", "--port", "0", "--token", bad}).code, 2) << bad;
  }
}

TEST(Sharing, ServingAllOfANetworkWithoutATokenIsWarnedOf) {
  const auto warning = [](const std::vector<std::string>& arguments) {
    Serving serving(arguments);
    serving.program().signal(SIGINT);
    return serving.program().wait().err.find("--token auto") != std::string::npos;
  };
  EXPECT_TRUE(warning({"--host", "0.0.0.0"}));
  EXPECT_FALSE(warning({"--host", "0.0.0.0", "--token", "auto"}));
  EXPECT_FALSE(warning({}));
}

// A socket's path, and a request over it.
class SocketPlace {
 public:
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string ask(const std::string& request) const {
    const Raw client(path_);
    client.send(request);
    return client.rest();
  }
  [[nodiscard]] mode_t mode() const {
    struct stat status {};
    return ::lstat(path_.c_str(), &status) == 0 ? status.st_mode : 0;
  }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.text() + "/s";
};

TEST(Sharing, AUnixSocketIsItsOwnersAlone) {
  const SocketPlace place;
  const std::vector<std::string> serve{tessera_program, "serve", "--socket", place.path()};
  const std::string request = "GET /api/heuristics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  {
    cli::Running killed(serve);
    killed.wait_for("Ctrl-C");
    EXPECT_EQ(place.mode(), static_cast<mode_t>(S_IFSOCK | 0600));
    EXPECT_TRUE(place.ask(request).starts_with("HTTP/1.1 200 "));
    const cli::Finished second = cli::tessera({"serve", "--socket", place.path()});
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("another server answers there"), std::string::npos) << second.err;
    killed.signal(SIGKILL);
    (void)killed.wait();
  }
  EXPECT_NE(place.mode(), 0U);  // left over
  cli::Running next(serve);
  next.wait_for("Ctrl-C");
  EXPECT_TRUE(place.ask(request).starts_with("HTTP/1.1 200 "));
  next.signal(SIGINT);
  const cli::Finished end = next.wait();
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.out, "unix:" + place.path() + "\n");
  EXPECT_EQ(place.mode(), 0U);
}

TEST(Sharing, ASocketsTokenIsPrinted) {
  const SocketPlace place;
  cli::Running serving({tessera_program, "serve", "--socket", place.path(), "--token", "auto"});
  serving.wait_for("Ctrl-C");
  serving.signal(SIGINT);
  const std::string line = serving.wait().out;
  const std::string before = "unix:" + place.path() + "?token=";
  EXPECT_TRUE(line.starts_with(before)) << line;
  EXPECT_EQ(line.size(), before.size() + 33);  // 32 digits and the end of the line
}

TEST(Sharing, ASocketReplacesNoFile) {
  const cli::TemporaryFile file("precious");
  for (const std::string& path : {file.path(), file.path() + std::string(100, 'x'),
                                  std::string("/no/such/folder/s"), std::string("/")}) {
    const cli::Finished end = cli::tessera({"serve", "--socket", path});
    EXPECT_EQ(end.code, 2) << path;
    EXPECT_EQ(cli::complaints(end.err).size(), 1U) << end.err;
  }
  EXPECT_EQ(file.content(), "precious");
}

TEST(Sharing, NamesThatAreAllowedAreServed) {
  const auto status = [](const Serving& serving, const Headers& headers) {
    return serving.client().get("/api/heuristics", headers).status;
  };
  const Serving plain;
  const Answer refused = plain.client().get("/", {{"Host", "puzzles.example:80"}});
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.body.find("--allow-host puzzles.example"), std::string::npos) << refused.body;
  const Serving named({"--allow-host", "Puzzles.Example,other.example"});
  EXPECT_EQ(status(named, {{"Host", "puzzles.example"}}), 200);
  EXPECT_EQ(status(named, {{"Host", "other.example:443"}, {"Origin", "https://other.example:443"}}),
            200);
  EXPECT_EQ(status(named, {{"Host", "third.example"}}), 403);
  EXPECT_EQ(status(named, {{"Host", "puzzles.example"}, {"Origin", "http://third.example"}}), 403);
}

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

// Visitors take the first address of a name, and would reach the server that has it.
TEST(Sharing, APortThatIsTakenAtTheFirstAddressOfANameIsTaken) {
  const cli::TemporaryFile hosts("127.0.0.2 two.test\n127.0.0.3 two.test\n");
  const std::string probe =
      "unshare --mount mount --bind " + hosts.path() + " /etc/hosts 2>/dev/null";
  if (std::system(probe.c_str()) != 0) GTEST_SKIP() << "no file can be mounted here";
  const auto serve_on = [&](const std::string& port) {
    return std::vector<std::string>{"unshare",
                                    "--mount",
                                    "sh",
                                    "-c",
                                    R"(mount --bind "$0" /etc/hosts && exec "$@")",
                                    hosts.path(),
                                    tessera_program,
                                    "serve",
                                    "--host",
                                    "two.test",
                                    "--port",
                                    port};
  };
  const cli::TemporaryFile output("");
  cli::Running::Options options;
  options.output = output.path();
  const cli::Running first(serve_on("0"), options);
  first.wait_for("Ctrl-C");
  const std::string address = output.content();  // http://two.test:PORT/
  const int port = std::stoi(address.substr(address.rfind(':') + 1));
  const cli::Finished second = cli::Running(serve_on(std::to_string(port))).wait();
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("taken"), std::string::npos) << second.err;
}

TEST(Sharing, APortThatNeedsRightsIsSaidToNeedThem) {
  std::ifstream setting("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  int first = 1024;
  setting >> first;
  if (first <= 81) GTEST_SKIP() << "every user may take port 81 here";
  const uid_t self = ::geteuid();
  constexpr uid_t nobody = 65534;
  if (self == 0) {
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  ServeOptions options;
  options.port = 81;
  const Error error = refused([&] { return make_page_server(options); });
  EXPECT_NE(std::string(error.what()).find("need privileges"), std::string::npos) << error.what();
  ASSERT_EQ(::seteuid(self), 0);
}

// A server within the test, with one place for searches and short time limits.
TEST(Sharing, ALongSearchMakesRoomForOneThatWaits) {
  ServeOptions options;
  options.port = 0;
  options.limits.running = 1;
  options.limits.contended_time = 1s;
  const auto server = make_page_server(options);
  std::atomic<bool> stop = false;
  std::jthread running([&] { server->run(stop); });
  const Client client(server->port());
  json lasting = endless();
  lasting["time_limit"] = "1h";
  const std::string id = json_of(post(client, "/api/solve", lasting), 202)["id"];
  const std::string path = "/api/solve/" + id;
  follow_progress(Raw(server->port()), id, 15);  // nobody waits: it goes on
  EXPECT_EQ(json_of(client.get(path), 200)["state"], "searching");
  const auto start = Clock::now();
  const json end = solved(client, {{"board", "1 2 3 4 5 6 7 0 8"}});
  EXPECT_EQ(end["result"]["moves"], "L");
  EXPECT_EQ(end["yielded"], false);
  EXPECT_LT(Clock::now() - start, 5s);
  const json stopped = json_of(client.get(path), 200);
  EXPECT_EQ(stopped["result"]["status"], "limit");
  EXPECT_EQ(stopped["yielded"], true);
  const std::string events = client.get(path + "/events").body;
  EXPECT_LT(events.find("event: yielded"), events.find("event: result"));
  stop = true;
}

}  // namespace
}  // namespace tessera::serve
