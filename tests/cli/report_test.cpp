// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(Report, MakesAPageOfWhatOtherCommandsWrote) {
  const Finished solve = tessera({"solve", "--set", "haskell:3,8", "--quiet", "--json", "-"});
  const TemporaryFile results(solve.out);
  const TemporaryFile census(tessera({"census", "2x2", "--quiet", "--json", "-"}).out);
  const TemporaryFile page("");
  const Finished run = tessera({"report", results.path(), census.path(), "-o", page.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with(page.path() + ": 2 boards, 1 census; ")) << run.out;
  const std::string html = page.content();
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));

  // From standard input to standard output, the same but for the names.
  Running::Options from;
  from.input = solve.out;
  const Finished piped = tessera({"report", "-", census.path(), "-o", "-"}, from);
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("<!doctype html>"));
  EXPECT_TRUE(piped.err.starts_with("page: 2 boards, 1 census; ")) << piped.err;
  const std::string name = "\\u003cstdin>";  // as the page has it
  EXPECT_EQ(piped.out.size() - name.size(), html.size() - results.path().size());
}

TEST(Report, ABadFileIsOneLineAndLeavesThePageAlone) {
  const TemporaryFile bad("{\"schema\":\"tessera.census/1\"}\n");
  const TemporaryFile page("an earlier page");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& expected) {
    const Finished run = tessera(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(run.err.starts_with("tessera: " + expected)) << run.err;
  };
  refused({"report", bad.path(), "-o", page.path()}, bad.path() + ":1: no text \"size\"");
  EXPECT_EQ(page.content(), "an earlier page");
  refused({"report", bad.path(), "-o", bad.path()}, "-o: " + bad.path() + " is one of the files");
  EXPECT_NE(bad.content(), "");
  const std::string fresh = page.path() + ".new";
  refused({"report", bad.path(), "-o", fresh}, bad.path() + ":1: ");
  EXPECT_FALSE(std::filesystem::exists(fresh));
}

}  // namespace
}  // namespace tessera::cli
