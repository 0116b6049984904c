// SPDX-License-Identifier: MIT
// Which tables a request may ask for, and what building them may cost.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <filesystem>

#include "base/temporary_folder.hpp"
#include "serve/raw.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

json large_build(const char* time_limit) {
  return {{"board", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"},
          {"heuristic", "pdb:7-8"},
          {"time_limit", time_limit}};
}

void wait_for_state(const Client& client, const std::string& path, const char* state) {
  cli::wait_until([&] { return json_of(client.get(path), 200)["state"] == state; }, state);
}

TEST(Tables, NoHeuristicOfARequestNamesAFile) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const double before = serving.mebibytes();
  const auto complaint = [&](const std::string& name, const std::string& board) {
    const auto start = Clock::now();
    const json answer =
        json_of(post(client, "/api/solve", {{"board", board}, {"heuristic", name}}), 400);
    EXPECT_LT(Clock::now() - start, 2s) << name;
    std::string text = answer.value("error", "");
    const std::size_t place = text.find(name);
    EXPECT_NE(place, std::string::npos) << text;
    return place == std::string::npos ? text : text.replace(place, name.size(), "NAME");
  };
  const std::string board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
  const std::string unknown = complaint("pdb:/no/such/file", board);
  EXPECT_NE(unknown.find("is not offered for 4x4 boards, expected one of auto "), std::string::npos)
      << unknown;
  EXPECT_NE(unknown.find(" pdb:7-8"), std::string::npos) << unknown;
  const cli::TemporaryFile picture("1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 0\n");
  for (const std::string& name :
       {"pdb:" + picture.path(), std::string("pdb:/dev/zero"), std::string("pdb:/etc/shadow"),
        std::string("pdb:."), std::string("max(manhattan,pdb:/dev/zero)"),
        std::string("pdb:{1,2,3}{4,5,6}"), std::string("pdb:15"), std::string("pdb:8-7")}) {
    EXPECT_EQ(complaint(name, board), unknown);
  }
  complaint("pdb:12-12", endless()["board"]);
  EXPECT_LT(serving.mebibytes(), before + 8);
  EXPECT_TRUE(folder.entries().empty());
}

TEST(Tables, TheTimeLimitHoldsWhileTablesAreBuiltAndWaitedFor) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const auto limited = [&] {
    const auto start = Clock::now();
    const json row = solved(client, large_build("300ms"))["result"];
    EXPECT_EQ(row["status"], "limit");
    EXPECT_GE(row["setup_seconds"], 0.3);
    EXPECT_LT(Clock::now() - start, 4s);
  };
  limited();
  const std::string builds =
      "/api/solve/" +
      json_of(post(client, "/api/solve", large_build("10m")), 202)["id"].get<std::string>();
  wait_for_state(client, builds, "tables");
  limited();
  (void)json_of(client.remove(builds), 200);
}

TEST(Tables, SmallBuildsDoNotQueueBehindLargeOnes) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const std::string builds =
      "/api/solve/" +
      json_of(post(client, "/api/solve", large_build("10m")), 202)["id"].get<std::string>();
  wait_for_state(client, builds, "tables");
  const json small = solved(client, {{"board", "1 2 3 4 5 6 7 0 8"}, {"heuristic", "pdb:4-4"}});
  EXPECT_EQ(small["result"]["moves"], "L");
  EXPECT_EQ(json_of(client.get(builds), 200)["state"], "tables");
  (void)json_of(client.remove(builds), 200);
  EXPECT_EQ(json_of(client.get(builds + "?wait=20"), 200)["result"]["status"], "interrupted");
}

TEST(Tables, ATableThatWasOverwrittenIsOpenedAgain) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const json easy{{"board", "1 2 3 4 5 6 7 0 8"}, {"heuristic", "pdb:4-4"}};
  EXPECT_EQ(solved(client, easy)["result"]["moves"], "L");
  for (const std::string& name : folder.entries()) {
    const std::filesystem::path table = std::filesystem::path(folder.text()) / name;
    std::filesystem::last_write_time(table, std::filesystem::file_time_type::clock::now());
  }
  // Searches fail until the thread of the first that failed has closed the table.
  cli::wait_until([&] { return !solved(client, easy)["result"].is_null(); }, "the new table");
  EXPECT_EQ(solved(client, easy)["result"]["moves"], "L");
}

TEST(Tables, ASearchWithoutThreadsFailsAloneAndLeavesTheServerUp) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers map memory whenever they like";
#endif
  Serving serving({"--threads", "4096"});
  const Client client = serving.client();
  const json easy{{"board", "1 2 3 4 5 6 7 0 8"}, {"heuristic", "manhattan"}};
  rlimit before{};
  ASSERT_EQ(prlimit(serving.program().pid(), RLIMIT_AS, nullptr, &before), 0);
  // Much less than the stacks of all these threads, and enough for everything else.
  const rlimit tight{serving.address_space_bytes() + (1UL << 30), before.rlim_max};
  ASSERT_EQ(prlimit(serving.program().pid(), RLIMIT_AS, &tight, nullptr), 0);
  EXPECT_NE(solved(client, easy)["error"].get<std::string>(), "");
  ASSERT_EQ(prlimit(serving.program().pid(), RLIMIT_AS, &before, nullptr), 0);
  EXPECT_EQ(solved(client, easy)["result"]["moves"], "L");
}

}  // namespace
}  // namespace tessera::serve
