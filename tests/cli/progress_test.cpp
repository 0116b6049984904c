// SPDX-License-Identifier: MIT
// What is long tells how far it is: redrawn in place on a terminal, elsewhere a plain line every
// 30 s at most.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;
using Arguments = std::vector<std::string>;

struct Terminal {
  const char* type = "xterm";
  unsigned short columns = 0;  // unknown
};

// What a program writes to a terminal, until it has written `part` so often; then it is killed.
std::string on_terminal(const Arguments& arguments, std::size_t times,
                        const Terminal& kind = Terminal(), const std::string& part = "\r\x1b[K") {
  int terminal = -1;
  const winsize size{.ws_row = 24, .ws_col = kind.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", kind.type, 1);
    unsetenv("COLUMNS");
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    std::vector<char*> words{const_cast<char*>(tessera_program)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(tessera_program, words.data());
    _exit(127);
  }
  std::string text;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (count_of(part, text) < times && std::chrono::steady_clock::now() < end) {
    pollfd ready{terminal, POLLIN, 0};
    if (poll(&ready, 1, 1000) == 0) continue;
    char block[4096];
    const ssize_t got = read(terminal, block, sizeof block);
    if (got <= 0) break;  // it has ended
    text.append(block, static_cast<std::size_t>(got));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(terminal);
  return text;
}

TEST(Progress, IsRedrawnOnATerminalAndPlainInAFile) {
  const TemporaryFile boards(tessera({"generate", "--size", "4x4", "--count", "5000"}).out);
  const TemporaryFile record("");
  ASSERT_EQ(tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--threads", "2",
                     "--record", record.path(), "--quiet"})
                .code,
            0);
  const TemporaryFolder tables;
  const TemporaryFolder disk;
  const TemporaryFile large(tessera({"generate", "8x8", "--format", "json"}).out);
  const TemporaryFile solved("");
  ASSERT_EQ(tessera({"solve", "--file", large.path(), "--engine", "greedy", "--json", solved.path(),
                     "--quiet"})
                .code,
            0);
  // Each of them works for longer than the test looks on.
  struct Case {
    Arguments arguments;
    std::string shown;
  };
  for (const Case& c : {
           Case{{"solve", "--set", "hardest15:1", "--heuristic", "zero"}, "board 1: bound "},
           Case{{"solve", "--set", "korf50:1", "--heuristic", "manhattan", "--engine", "beam",
                 "--incumbent", "beam:400000"},
                "board 1: beam of 400,000 boards, layer "},
           Case{{"solve", "--file", boards.path(), "--heuristic", "manhattan", "--threads", "2"},
                "boards: "},
           Case{{"compare", "--set", "korf100:60", "--heuristics", "manhattan"}, "comparing: "},
           Case{{"compare", "--set", "korf50:1", "--heuristics", "manhattan", "--engines", "beam",
                 "--incumbent", "beam:400000"},
                "comparing: 0 %"},
           Case{{"optimize", "--file", solved.path()}, " moves, windows of "},
           Case{{"pdb", "build", "--size", "4x4", "--partition", "7-8", "--pdb-dir", tables.text()},
                " %, "},
           Case{{"generate", "--size", "8x8", "--count", "1000000000"}, "1,000,000,000 boards: "},
           Case{{"census", "7x2", "--memory", "600MiB", "--disk", disk.text()}, " %"},
           Case{{"estimate", "--file", boards.path(), "--heuristic", "manhattan"},
                "estimating boards: "},
           Case{{"simulate", record.path(), "--ranks",
                 "400,401,402,403,404,405,406,407,408,409,410,411,412,413,414", "--work", "10s"},
                "simulating: "},
       }) {
    const std::string drawn = on_terminal(c.arguments, 3);
    EXPECT_GE(count_of("\r\x1b[K", drawn), 3U) << c.arguments[0] << ": " << drawn;
    EXPECT_NE(drawn.find(c.shown), std::string::npos) << c.arguments[0] << ": " << drawn;

    Running::Options nowhere;
    nowhere.output = "/dev/null";
    Running running(with({tessera_program}, c.arguments), nowhere);
    running.wait_until_it_worked(200ms);
    running.signal(SIGKILL);
    const Finished plain = running.wait();
    EXPECT_EQ(plain.err.find('\r'), std::string::npos) << c.arguments[0] << ": " << plain.err;
    EXPECT_EQ(plain.err.find(c.shown), std::string::npos) << c.arguments[0] << ": " << plain.err;
  }
}

TEST(Progress, NeverExceedsTheTerminal) {
  for (const std::uint16_t columns : std::to_array<std::uint16_t>({80, 40, 0})) {
    const std::string drawn =
        on_terminal({"solve", "--set", "hardest15:1", "--heuristic", "manhattan", "--threads", "2"},
                    4, {.columns = columns});
    std::size_t longest = 0;
    for (std::size_t at = drawn.find("\r\x1b[K"); at != std::string::npos;) {
      at += 4;
      const std::size_t end = drawn.find('\r', at);
      if (end == std::string::npos) break;
      // Rows that stay are not cut.
      if (drawn.compare(end, 2, "\r\n") != 0) longest = std::max(longest, end - at);
      at = drawn.find("\r\x1b[K", end);
    }
    EXPECT_LT(longest, columns == 0 ? 80U : columns) << drawn;
    EXPECT_GT(longest, 30U) << drawn;
  }
}

TEST(Progress, ATerminalWithoutEscapeCodesGetsNone) {
  for (const char* type : {"dumb", ""}) {
    const std::string text =
        on_terminal({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--threads", "1"},
                    1, {.type = type}, "optimal, verified");
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_NE(text.find("bound"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tessera::cli
