// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(MpirunGames, AnswersAreThoseOfOneProcess) {
  for (const char* const command : {"analyse", "optimize"}) {
    const std::vector<std::string> arguments{command,       "5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15",
                                             "--moves",     "RDLURDLLURDLURDR",
                                             "--heuristic", "walking",
                                             "--json",      "-",
                                             "--quiet"};
    const Finished alone = tessera(arguments);
    const Finished ranks = run_ranks(2, arguments);
    ASSERT_EQ(alone.code, 0) << alone.err;
    ASSERT_EQ(ranks.code, 0) << ranks.err;
    auto expected = json_lines(alone.out).at(0);
    auto found = json_lines(ranks.out).at(0);
    // Of several optimal solutions any may be found.
    for (auto* row : {&expected, &found}) {
      row->erase("seconds");
      if ((*row)["schema"] != "tessera.analysis/1") continue;
      for (auto& mistake : (*row)["mistakes"]) mistake.erase("better");
    }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace tessera::cli
