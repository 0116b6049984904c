// SPDX-License-Identifier: MIT
#include "report/output.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

class OutputTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  const std::string path_ = folder_.text() + "/rows";
};

TEST_F(OutputTest, OneAtATimeHasIt) {
  Output first = Output::file(path_);
  const auto expect_refused = [&] {
    const Error error = refused([&] { return Output::file(path_); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("another run writes it"), std::string::npos);
  };
  expect_refused();
  first.write("first\n");
  expect_refused();
  EXPECT_EQ(content_of(path_), "first\n");
}

TEST_F(OutputTest, NothingThatOthersWroteIsRemoved) {
  { const Output empty = Output::file(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
  {
    const Output replaced = Output::file(path_);
    std::filesystem::remove(path_);
    (void)folder_.file("rows", "");
  }
  EXPECT_TRUE(std::filesystem::exists(path_));
  std::filesystem::remove(path_);
  {
    const Output filled = Output::file(path_);
    (void)folder_.file("rows", "another's\n");
  }
  EXPECT_EQ(content_of(path_), "another's\n");
}

}  // namespace
}  // namespace tessera
