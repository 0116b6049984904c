// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::cli {

/// A timed configuration of compare --json is complete, and its parts add up.
inline void expect_whole(const nlohmann::json& c, int repeat) {
  const std::string name = c["name"];
  ASSERT_FALSE(c["seconds"].is_null()) << c;
  ASSERT_EQ(c["runs"].size(), static_cast<std::size_t>(repeat)) << name;
  ASSERT_EQ(c["passes"].size(), c["runs"].size()) << name;
  bool too_short = false;
  for (std::size_t i = 0; i < c["runs"].size(); ++i) {
    too_short = too_short || c["runs"][i].get<double>() * c["passes"][i].get<int>() < 0.05;
  }
  EXPECT_EQ(c["too_short"], too_short) << name << c["passes"] << c["runs"];
  double least = c["runs"][0];
  double most = least;
  for (const double run : c["runs"]) {
    least = std::min(least, run);
    most = std::max(most, run);
  }
  EXPECT_EQ(c["seconds"]["min"], least) << name;
  EXPECT_EQ(c["seconds"]["max"], most) << name;
  EXPECT_GE(c["seconds"]["median"], least) << name;
  EXPECT_LE(c["seconds"]["median"], most) << name;
  double sections = 0;
  for (const auto& section : c["sections"]) sections += section.get<double>();
  const double all = c["wall"].get<double>() * c["workers"].get<int>();
  EXPECT_NEAR(sections, all, 0.02 * all) << name;
  double boards = 0;
  for (const auto& board : c["boards"]) boards += board["seconds"].get<double>();
  EXPECT_NEAR(boards, c["wall"], 1e-9) << name;
  EXPECT_EQ(c["workers"], c["ranks"].get<int>() * c["threads"].get<int>()) << name;
  EXPECT_GT(c["nodes"]["expanded"], 0) << name;
}

}  // namespace tessera::cli
