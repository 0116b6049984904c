// SPDX-License-Identifier: MIT
#include "report/progress.hpp"

#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

TEST(ProgressLine, APlainOneComesEveryHalfMinute) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/shown";
  {
    Output output = Output::file(path);
    ProgressLine line(output, ProgressStyle::plain);
    EXPECT_FALSE(line.due(29.9));
    EXPECT_TRUE(line.due(30));
    EXPECT_FALSE(line.due(59.9));
    EXPECT_TRUE(line.due(60));
    line.show("bound 40");
    line.clear();
  }
  EXPECT_EQ(content_of(path), "bound 40\n");
}

}  // namespace
}  // namespace tessera
