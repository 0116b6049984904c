// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tessera/base/error.hpp"
#include "tessera/puzzle/goal.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

BoardResult solved_result() {
  BoardResult result;
  result.id = "x";
  result.board = parse_board("1 2 3 4 5 6 7 0 8", {});
  result.goal = "last";
  result.moves = "L";
  result.length = 1;
  result.optimal = result.verified = true;
  result.heuristic = "manhattan";
  result.counts = {1, 4, 0};
  result.iterations.push_back({1, {1, 3, 0}, 0.5, 0.25, true});
  return result;
}

TEST(Json, HasEveryFieldInItsType) {
  RunSetup setup;
  setup.backend = "serial";
  setup.schedule = "stealing";
  setup.bounds = "shared";
  const auto json = nlohmann::json::parse(to_json(solved_result(), setup));
  EXPECT_EQ(json["schema"], "tessera.result/1");
  EXPECT_EQ(json["id"], "x");
  EXPECT_EQ(json["size"], "3x3");
  EXPECT_EQ(json["board"], (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 0, 8}));
  EXPECT_EQ(json["status"], "solved");
  EXPECT_EQ(json["length"], 1);
  EXPECT_EQ(json["nodes"]["generated"], 4);
  EXPECT_EQ(json["iterations"][0]["idle_fraction"], 0.25);
  EXPECT_EQ(json["iterations"][0]["complete"], true);
  EXPECT_FALSE(json.contains("solutions"));
  BoardResult unsolved = solved_result();
  unsolved.status = Status::limit;
  unsolved.length.reset();
  unsolved.moves.reset();
  unsolved.solutions = 3;
  const auto null = nlohmann::json::parse(to_json(unsolved, setup));
  EXPECT_TRUE(null["length"].is_null());
  EXPECT_TRUE(null["moves"].is_null());
  EXPECT_EQ(null["solutions"], 3);
}

TEST(Json, IsReadBack) {
  const ClaimedResult claim = parse_result(to_json(solved_result(), {}));
  EXPECT_EQ(claim.board, solved_result().board);
  EXPECT_EQ(claim.moves, "L");
  EXPECT_EQ(claim.length, 1);
  EXPECT_EQ(claim.status, "solved");
  for (const char* bad : {"", "{}", "[1]", "{\"schema\":\"tessera.census/1\"}",
                          "{\"schema\":\"tessera.result/1\"}"}) {
    EXPECT_THROW((void)parse_result(bad), Error) << bad;
  }
}

TEST(Tables, NumbersAndAnswers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(36302808031), "36,302,808,031");
  EXPECT_EQ(seconds_text(123.456), "123.5");
  EXPECT_EQ(seconds_text(1.23456), "1.235");
  EXPECT_EQ(answer_line(solved_result()), "x: 1 move, optimal, verified: L\n");
  BoardResult unsolvable = solved_result();
  unsolvable.status = Status::unsolvable;
  EXPECT_TRUE(answer_line(unsolvable).starts_with("x: unsolvable"));
}

TEST(Tables, TimesOfNobodyAndOfNoTime) {
  EXPECT_NE(time_table({}, 0).find("0 workers"), std::string::npos);
  const std::string table = time_table({{0, 0, 3, 0, 1, 0, 0}, {0, 1, 1, 0, 3, 0, 0}}, 4);
  EXPECT_NE(table.find("imbalance 50.0 %"), std::string::npos);
  EXPECT_NE(table.find("2 workers"), std::string::npos);
}

TEST(Tables, AdviceNamesAnOption) {
  RunSetup setup;
  const std::vector<WorkerTimes> waiting{{0, 0, 1, 0, 1, 0, 0}, {0, 1, 1, 0, 1, 0, 0}};
  setup.schedule = "static";
  EXPECT_NE(advice(waiting, 2, setup).find("--schedule stealing"), std::string::npos);
  setup.schedule = "stealing";
  EXPECT_NE(advice(waiting, 2, setup).find("--frontier"), std::string::npos);
  const std::vector<WorkerTimes> busy{{0, 0, 2, 0, 0, 0, 0}, {0, 1, 2, 0, 0, 0, 0}};
  EXPECT_EQ(advice(busy, 2, setup), "");
}

TEST(Output, AFullDiskIsAnError) {
  Output full = Output::file("/dev/full");
  EXPECT_THROW(full.write("text"), Error);
  EXPECT_THROW((void)Output::file("/dev/null/below-a-file"), Error);
}

}  // namespace
}  // namespace tessera
