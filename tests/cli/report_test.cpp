// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/places.hpp"
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

TEST(Report, RedirectedOutputNeedsNoOption) {
  const TemporaryFile results(
      tessera({"solve", "--set", "haskell:3", "--quiet", "--json", "-"}).out);
  const Finished run = tessera({"report", results.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("<!doctype html>"));
  EXPECT_TRUE(run.err.starts_with("page: 1 board; ")) << run.err;
  EXPECT_EQ(tessera({"report", results.path(), "--quiet"}).err, "");
}

// A person who forgets the option would see a screenful of HTML.
TEST(Report, ATerminalGetsAMessage) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execl(tessera_program, tessera_program, "report", "results.jsonl", nullptr);
    _exit(127);
  }
  std::string text;
  char block[4096];
  for (ssize_t got = 0; (got = read(terminal, block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_TRUE(text.starts_with("tessera: no -o, expected tessera report FILE... -o page.html"))
      << text;
}

TEST(Report, TakesSimulations) {
  const TemporaryFile record("");
  const Finished solved = tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                                   "--threads", "2", "--record", record.path(), "--quiet"});
  ASSERT_EQ(solved.code, 0) << solved.err;
  const TemporaryFile rows(tessera({"simulate", record.path(), "--ranks", "4,8", "--iterations",
                                    "1", "--quiet", "--json", "-"})
                               .out);
  const Finished run = tessera({"report", rows.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.err.starts_with("page: 2 simulated runs; ")) << run.err;
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
