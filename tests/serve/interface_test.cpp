// SPDX-License-Identifier: MIT
// The JSON interface, as docs/serve.md has it.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <random>
#include <thread>

#include "base/temporary_folder.hpp"
#include "puzzle/all_boards.hpp"
#include "serve/raw.hpp"

namespace tessera::serve {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

// A stream's events: type and data.
struct Event {
  std::string type;
  json data;
};
std::vector<Event> events_of(const std::string& stream) {
  std::vector<Event> events;
  std::istringstream lines(stream);
  std::string type;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("event: ")) type = line.substr(7);
    if (line.starts_with("data: ")) events.push_back({type, json::parse(line.substr(6))});
  }
  return events;
}

TEST(Interface, AThousandBoardsOfEightClientsAreAllAnsweredRightAndMemoryStaysFlat) {
  const Board goal = Goal().board({3, 3});
  const std::vector<int> distances = distances_from(goal);
  const Serving serving;
  std::atomic<int> right = 0;
  std::atomic<int> unsolvable = 0;
  const auto ask = [&](unsigned seed, int boards) {
    std::mt19937 random(seed);
    const Client client = serving.client();
    std::vector<int> tiles{0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < boards; ++i) {
      std::shuffle(tiles.begin(), tiles.end(), random);
      const json search = solved(client, {{"board", tiles}});
      ASSERT_TRUE(search.contains("result")) << search;
      const json& result = search["result"];
      const Board board({3, 3}, std::vector<std::int64_t>(tiles.begin(), tiles.end()));
      const int distance = distances[rank(board)];
      if (distance < 0) {
        EXPECT_EQ(result["status"], "unsolvable");
        ++unsolvable;
      } else {
        ASSERT_EQ(result["status"], "solved") << search;
        EXPECT_EQ(result["length"], distance);
        EXPECT_EQ(replayed(board, result["moves"].get<std::string>()), goal);
        EXPECT_TRUE(result["optimal"] && result["verified"]);
      }
      ++right;
    }
  };
  const auto ask_at_once = [&](unsigned seed, int boards) {
    std::vector<std::jthread> clients;
    for (unsigned i = 0; i < 8; ++i) clients.emplace_back(ask, seed + i, boards);
  };
  ask_at_once(1, 125);  // all memory that it will ever want
  EXPECT_EQ(right, 1000);
  EXPECT_GT(unsolvable, 400);
  EXPECT_LT(unsolvable, 600);
  const double before = serving.mebibytes();
  EXPECT_GT(before, 1);
  for (unsigned round = 1; round <= 3; ++round) {
    ask_at_once(1 + 8 * round, 125);
    EXPECT_EQ(right, 1000 * (1 + static_cast<int>(round)));
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
    EXPECT_LT(serving.mebibytes(), before + 4) << "MiB after round " << round;
#endif
  }
}

TEST(Interface, ASearchIsFollowedByItsEvents) {
  const Serving serving;
  const Client client = serving.client();
  const json asked =
      json_of(post(client, "/api/solve",
                   {{"board", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"},  // korf100:1, 57 moves
                    {"goal", "first"},
                    {"heuristic", "manhattan"}}),
              202);
  const Answer answer = client.get("/api/solve/" + asked["id"].get<std::string>() + "/events");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "text/event-stream");
  const std::vector<Event> events = events_of(answer.body);
  std::vector<int> begun;
  std::vector<int> finished;
  std::uint64_t generated = 1;
  for (const Event& event : events) {
    if (event.type == "bound") begun.push_back(event.data["bound"]);
    if (event.type != "iteration") continue;
    finished.push_back(event.data["bound"]);
    generated += event.data["generated"].get<std::uint64_t>();
  }
  EXPECT_EQ(begun, (std::vector<int>{41, 43, 45, 47, 49, 51, 53, 55, 57}));
  EXPECT_EQ(finished, begun);
  ASSERT_EQ(events.back().type, "result");
  const json& result = events.back().data;
  EXPECT_EQ(result["schema"], "tessera.result/1");
  EXPECT_EQ(result["length"], 57);
  EXPECT_EQ(result["nodes"]["generated"], generated);
  // Who comes late hears it all again.
  const auto again = client.get("/api/solve/" + asked["id"].get<std::string>() + "/events");
  ASSERT_EQ(again.status, 200);
  const std::vector<Event> told = events_of(again.body);
  EXPECT_EQ(told.back().data, result);
  EXPECT_EQ(told.front().data, (json{{"state", "waiting"}}));
}

// Beyond 16 cells a search that a limit ends has a solution and a bound, told as they come.
TEST(Interface, TheBracketOfALargeBoardIsTold) {
  const Serving serving;
  const Client client = serving.client();
  json body = endless();
  body["time_limit"] = "3s";
  const json asked = json_of(post(client, "/api/solve", body), 202);
  const Answer answer = client.get("/api/solve/" + asked["id"].get<std::string>() + "/events");
  std::vector<json> brackets;
  for (const Event& event : events_of(answer.body)) {
    if (event.type == "bracket") brackets.push_back(event.data);
  }
  ASSERT_FALSE(brackets.empty());
  for (const json& bracket : brackets) EXPECT_LT(bracket["lower_bound"], bracket["upper_bound"]);
  const json result = events_of(answer.body).back().data;
  EXPECT_EQ(result["status"], "limit");
  EXPECT_EQ(result["optimal"], false);
  EXPECT_EQ(result["verified"], true);
  EXPECT_EQ(result["upper_bound"], brackets.back()["upper_bound"]);
  EXPECT_EQ(result["upper_bound"], result["length"]);
  EXPECT_EQ(result["moves"].get<std::string>().size(), result["length"]);
  EXPECT_GE(result["lower_bound"], brackets.back()["lower_bound"]);
  EXPECT_EQ(result["incumbent"]["length"], result["length"]);
}

TEST(Interface, ARunningSearchStopsWhenItIsDeleted) {
  const Serving serving;
  const Client client = serving.client();
  json body = endless();  // within a bound: beyond 16 cells a beam search may be met
  body["board"] = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";
  body["heuristic"] = "misplaced";
  const json asked = json_of(post(client, "/api/solve", body), 202);
  const std::string path = "/api/solve/" + asked["id"].get<std::string>();
  follow_progress(Raw(serving.port()), asked["id"], 2);
  const auto start = std::chrono::steady_clock::now();
  (void)json_of(client.remove(path), 200);
  const json end = json_of(client.get(path + "?wait=20"), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  EXPECT_EQ(end["state"], "ended");
  EXPECT_EQ(end["result"]["status"], "interrupted");
  EXPECT_FALSE(end["result"]["iterations"].back()["complete"]);
}

TEST(Interface, ATimeLimitEndsASearch) {
  const Serving serving;
  const Client client = serving.client();
  json body = endless();
  body["time_limit"] = "200ms";
  const json end = solved(client, body);
  EXPECT_EQ(end["result"]["status"], "limit");
  EXPECT_LT(end["result"]["seconds"], 5);
}

TEST(Interface, TablesAreMadeWithProgressAndAreReadyThen) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const auto entry = [&] {
    for (const json& one : json_of(client.get("/api/heuristics?size=4x4"), 200)) {
      if (one["name"] == "pdb:5-5-5") return one;
    }
    return json();
  };
  const json before = entry();
  EXPECT_EQ(before["ready"], false);
  EXPECT_GT(before["bytes"], 100'000);
  EXPECT_GT(before["seconds_to_make"], 0);
  const json asked = json_of(
      post(client, "/api/solve",
           {{"board", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"}, {"heuristic", "pdb:5-5-5"}}),
      202);
  const auto stream = client.get("/api/solve/" + asked["id"].get<std::string>() + "/events");
  ASSERT_EQ(stream.status, 200);
  int told = 0;
  double last = 0;
  for (const Event& event : events_of(stream.body)) {
    if (event.type != "tables") continue;
    ++told;
    EXPECT_GE(event.data["done"], last);
    last = event.data["done"];
  }
  EXPECT_GT(told, 0);
  EXPECT_LE(last, 1);
  EXPECT_EQ(events_of(stream.body).back().data["moves"], "L");
  EXPECT_EQ(entry()["ready"], true);
}

TEST(Interface, AutoStandsForTablesThatTheTimeLimitAllows) {
  const TemporaryFolder folder;
  const Serving serving({"--pdb-dir", folder.text()});
  const Client client = serving.client();
  const auto meant = [&](const std::string& more) {
    const std::string path = "/api/heuristics?size=5x5&metric=multi" + more;
    return json_of(client.get(path), 200)[0]["stands_for"];
  };
  EXPECT_NE(meant("&time_limit=1s"), meant("&time_limit=1m"));
  EXPECT_EQ(meant("&time_limit=1"), meant("&time_limit=1s"));
  EXPECT_EQ(meant(""), meant("&time_limit=1m"));
  EXPECT_EQ(client.get("/api/heuristics?time_limit=2h").status, 400);
}

TEST(Interface, BoardsOfAllFormatsAreChecked) {
  const Serving serving;
  const Client client = serving.client();
  const auto check = [&](const json& body) {
    return json_of(post(client, "/api/check", body), 200);
  };
  const json expected{1, 2, 3, 4, 5, 6, 7, 0, 8};
  for (const char* text :
       {"1 2 3 4 5 6 7 0 8", "1,2,3,4,5,6,7,0,8", "# school\n3\n1 2 3\n4 5 6\n7 0 8\n",
        "1 2 3\n4 5 6\r\n7 0 8", "{\"size\":\"3x3\",\"board\":[1,2,3,4,5,6,7,0,8]}",
        "a: 1 2 3 4 5 6 7 0 8\nb: 1 2 3 4 5 6 7 8 0"}) {
    const json answer = check({{"board", text}});
    EXPECT_EQ(answer["board"], expected) << text;
    EXPECT_EQ(answer["size"], "3x3") << text;
    EXPECT_EQ(answer["solvable"], true) << text;
  }
  for (const auto& [text, names_goal] : {
           std::pair("1 2 3 4 5 6 7 0 8", false),
           std::pair("{\"size\":\"3x3\",\"board\":[1,2,3,4,5,6,7,0,8],\"goal\":\"last\"}", true),
           std::pair("id,size,goal,board\na,3x3,last,1 2 3 4 5 6 7 0 8", true),
           std::pair("id,size,goal,board\na,3x3,,1 2 3 4 5 6 7 0 8", false),
           std::pair("# size 3x3, goal last\n1 2 3 4 5 6 7 0 8", true),
       }) {
    const json answer = check({{"board", text}});
    EXPECT_EQ(answer["goal"], "last") << answer;
    EXPECT_EQ(answer["names_goal"], names_goal) << text;
  }
  EXPECT_EQ(check({{"board", {1, 0}}, {"size", "2x2"}})["error"].is_string(), true);
  const json odd = check({{"board", "2 1 3 4 5 6 7 8 0"}});
  EXPECT_EQ(odd["solvable"], false);
  EXPECT_NE(odd["reason"].get<std::string>().find("odd number of swaps (1)"), std::string::npos);
  EXPECT_EQ(check({{"board", "2 1 3 4 5 6 7 8 0"}, {"goal", "1 2 3 4 5 6 7 8 0"}})["solvable"],
            false);
  EXPECT_EQ(check({{"board", "2 1 3 4 5 6 7 8 0"}, {"goal", "1 2 3 4 5 6 8 7 0"}})["solvable"],
            true);
  const json wrong = check({{"board", "1 2 3 4 5 6 7 8 8"}});
  EXPECT_NE(wrong["error"].get<std::string>().find("8"), std::string::npos);
}

TEST(Interface, ScramblesAreReproducibleAndSolvable) {
  const Serving serving;
  const Client client = serving.client();
  const json body{{"size", "4x3"}, {"goal", "first"}, {"moves", 6}, {"seed", 5}};
  const json one = json_of(post(client, "/api/scramble", body), 200);
  EXPECT_EQ(one, json_of(post(client, "/api/scramble", body), 200));
  const json found = solved(client, {{"board", one["board"]}, {"size", "4x3"}, {"goal", "first"}});
  EXPECT_LE(found["result"]["length"], 6);
  EXPECT_EQ(found["result"]["status"], "solved");
}

TEST(Interface, AGameIsAnalysed) {
  const Serving serving;
  const Client client = serving.client();
  json body{{"board", "1 2 3 0 4 6 7 5 8"}, {"moves", "U D LUL"}};
  const json asked = json_of(post(client, "/api/analyse", body), 202);
  const std::string path = "/api/solve/" + asked["id"].get<std::string>();
  const json result = json_of(client.get(path + "?wait=30"), 200)["result"];
  EXPECT_EQ(result["schema"], "tessera.analysis/1");
  EXPECT_EQ(result["moves"], "UDLUL");
  EXPECT_EQ(result["distances"], json({3, 4, 3, 2, 1, 0}));
  EXPECT_EQ(result["optimal_length"], 3);
  EXPECT_TRUE(result["solves"]);
  EXPECT_EQ(result["mistakes"],
            json::array({{{"move", 1}, {"before", 3}, {"after", 4}, {"better", "LUL"}}}));
  std::vector<int> reached;
  for (const Event& event : events_of(client.get(path + "/events").body)) {
    if (event.type == "distance") reached.push_back(event.data["after"]);
  }
  EXPECT_EQ(reached, (std::vector{0, 1, 2, 3, 4, 5}));

  const auto refused = [&](const char* key, const char* value) {
    json wrong = body;
    wrong[key] = value;
    return json_of(post(client, "/api/analyse", wrong), 400)["error"].get<std::string>();
  };
  EXPECT_NE(refused("moves", "UU").find("moves: "), std::string::npos);
  EXPECT_NE(refused("moves", "").find("expected 1 to 2000 moves"), std::string::npos);
  EXPECT_EQ(refused("board", "1 2 3 4 5 6 8 7 0"), "the board is unsolvable");
  EXPECT_NE(refused("good_moves", "true").find("good_moves"), std::string::npos);
}

TEST(Interface, TheAnalysisOfALongGameEndsAtItsTimeLimit) {
  const Serving serving;
  const Client client = serving.client();
  json body = endless();
  body["moves"] = "RL";
  body["time_limit"] = "200ms";
  const json asked = json_of(post(client, "/api/analyse", body), 202);
  const json end =
      json_of(client.get("/api/solve/" + asked["id"].get<std::string>() + "?wait=30"), 200);
  EXPECT_EQ(end["state"], "ended");
  EXPECT_EQ(end["result"]["distances"], json({nullptr, nullptr, nullptr}));
  EXPECT_GT(end["result"]["brackets"][0][0], 60);
}

TEST(Interface, RunsOfTilesAreMovesInMetricMulti) {
  const Serving serving;
  const Client client = serving.client();
  const json found =
      solved(client, {{"board", "1 2 3 4 5 6 0 7 8"}, {"metric", "multi"}, {"heuristic", "auto"}});
  EXPECT_EQ(found["result"]["length"], 1);
  EXPECT_EQ(found["result"]["moves"], "LL");
  // Larger boards, too.
  const json large =
      solved(client, {{"board", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 0 21 22 23 24"},
                      {"metric", "multi"}});
  EXPECT_EQ(large["result"]["length"], 1);
}

TEST(Interface, ControlCEndsAtOnceWithSearchesAndConnectionsOpen) {
  Serving serving;
  const Client client = serving.client();
  const json asked = json_of(post(client, "/api/solve", endless()), 202);
  const Raw idle(serving.port());  // a browser opens some ahead of their use
  const Raw follower(serving.port());
  follow_progress(follower, asked["id"], 2);
  const auto start = std::chrono::steady_clock::now();
  serving.program().signal(SIGINT);
  const cli::Finished end = serving.program().wait();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  EXPECT_EQ(end.code, 0);
}

TEST(Interface, ASearchThatWaitsEndsWithTheServer) {
  auto serving = std::make_unique<ServingHere>(ServeLimits{.running = 1});
  const Client client = serving->client();
  const json running = json_of(post(client, "/api/solve", endless()), 202);
  const Raw first(serving->port());
  follow_progress(first, running["id"], 1);
  const json waiting = json_of(post(client, "/api/solve", endless()), 202);
  const Raw follower(serving->port());
  follower.send("GET /api/solve/" + waiting["id"].get<std::string>() +
                "/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  follower.wait_for("\"waiting\"", 1);
  serving.reset();
  EXPECT_NE(follower.rest().find("\"status\":\"interrupted\""), std::string::npos);
}

TEST(Interface, APortThatIsTakenIsRefused) {
  const Serving serving;
  const cli::Finished end = cli::tessera({"serve", "--port", std::to_string(serving.port())});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(cli::complaints(end.err).size(), 1U) << end.err;
  EXPECT_NE(end.err.find("try another --port"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace tessera::serve
