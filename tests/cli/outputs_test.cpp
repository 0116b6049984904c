// SPDX-License-Identifier: MIT
// Outputs: earlier files are kept until there is something to write, files that are read are never
// written, and pipes that are full are waited for.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using Arguments = std::vector<std::string>;

const std::string fifteen = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

TEST(Outputs, ARefusedCommandKeepsEarlierFiles) {
  const TemporaryFolder folder;
  const std::string old = folder.file("old", "kept\n");
  const std::string fresh = folder.text() + "/new";
  const std::string tables = folder.text() + "/tables";
  ASSERT_EQ(
      tessera({"pdb", "build", "--size", "2x2", "--partition", "2-1", "--pdb-dir", tables}).code,
      0);
  for (const auto& entry : std::filesystem::directory_iterator(tables)) {
    std::filesystem::resize_file(entry.path(), 100);
  }
  const Arguments damaged{"solve", "1 2 0 3", "--heuristic", "pdb:2-1", "--pdb-dir", tables};
  for (const Arguments& refused : {
           Arguments{"solve", fifteen, "--goal", "first", "--backend", "mpi"},
           {"solve", fifteen, "--goal", "first", "--heuristic", "manhattan", "--kernel", "block"},
           {"solve", fifteen, "--goal", "first", "--memory", "1MiB"},
           damaged,
           {"estimate", fifteen, "--goal", "first", "--memory", "1MiB"},
           {"estimate", "1 2 0 3", "--heuristic", "pdb:2-1", "--pdb-dir", tables},
           {"compare", fifteen, "--goal", "first", "--memory", "1MiB"},
           {"compare", "1 2 0 3", "--heuristics", "pdb:2-1", "--pdb-dir", tables},
           {"census", "4x4"},
           {"pdb", "list", "--pdb-dir", "-"},
       }) {
    for (const char* option : {"--json", "--csv", "--trace", "--checkpoint"}) {
      const bool is_solve = refused[0] == "solve";
      const std::string name = option;
      if (name == "--csv" && refused[0] != "compare" && refused[0] != "census") continue;
      if ((name == "--trace" || name == "--checkpoint") && !is_solve) continue;
      for (const std::string& path : {old, fresh}) {
        if (name == "--checkpoint" && path == old) continue;
        const Finished run = tessera(with(refused, {option, path}));
        EXPECT_GE(run.code, 2) << refused[0] << run.err;
      }
      EXPECT_EQ(content_of(old), "kept\n") << refused[0] << " " << option;
      if (name == "--checkpoint") std::filesystem::remove(fresh);
      EXPECT_FALSE(std::filesystem::exists(fresh)) << refused[0] << " " << option;
    }
  }
}

TEST(Outputs, ARefusedCommandKeepsAnEarlierCheckpoint) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/checkpoint";
  ASSERT_EQ(tessera({"solve", fifteen, "--goal", "first", "--checkpoint", path}).code, 0);
  const std::string before = content_of(path);
  EXPECT_EQ(
      tessera({"solve", fifteen, "--goal", "first", "--checkpoint", path, "--memory", "1MiB"}).code,
      5);
  EXPECT_EQ(content_of(path), before);
  EXPECT_EQ(folder.entries().size(), 1U);
  // One that begins puts it aside.
  EXPECT_EQ(tessera({"solve", "1 2 0 3", "--checkpoint", path}).code, 0);
  EXPECT_EQ(content_of(path + "~"), before);
}

TEST(Outputs, AnEarlierFileIsReplacedWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old", std::string(100'000, 'x') + "\n");
  EXPECT_EQ(tessera({"solve", "1 2 0 3", "--json", path}).code, 0);
  EXPECT_EQ(json_lines(content_of(path)).size(), 1U);
}

// Such as the last jobs of an array with more parts than boards.
TEST(Outputs, ARunWithoutRowsLeavesNoneOfAnEarlierOne) {
  const TemporaryFolder folder;
  const auto old = [&](const std::string& name) { return folder.file(name, "kept\n"); };
  const Finished slice = tessera({"solve", "--set", "haskell:1-2", "--slice", "3/3", "--json",
                                  old("json"), "--csv", old("csv"), "--trace", old("trace")});
  EXPECT_EQ(slice.code, 0) << slice.err;
  EXPECT_NE(slice.err.find("note: no board in --slice 3/3\n"), std::string::npos) << slice.err;
  EXPECT_EQ(content_of(folder.text() + "/json"), "");
  EXPECT_TRUE(content_of(folder.text() + "/csv").starts_with("id,size,"));
  EXPECT_EQ(content_of(folder.text() + "/trace").find("kept"), std::string::npos);
  EXPECT_EQ(
      tessera({"estimate", "--set", "haskell:1-2", "--slice", "3/3", "--json", old("json")}).code,
      0);
  EXPECT_EQ(content_of(folder.text() + "/json"), "");
  EXPECT_EQ(tessera({"solve", "--file", "-", "--stream", "--json", old("json")}).code, 0);
  EXPECT_EQ(content_of(folder.text() + "/json"), "");
}

TEST(Outputs, RowsAreThereWhileTheRunGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.text() + "/rows";
  // The second board takes for ever.
  const std::string two =
      folder.file("two",
                  "{\"board\":[1,2,0,3]}\n{\"size\":\"4x4\",\"goal\":\"first\",\"board\":"
                  "[15,14,8,12,10,11,9,13,2,6,5,1,3,7,4,0]}\n");
  Running search({tessera_program, "solve", "--file", two, "--heuristic", "zero", "--threads", "1",
                  "--batch", "tree", "--json", path});
  wait_for_content(path, "\n");
  EXPECT_EQ(json_lines(content_of(path)).size(), 1U);
}

// Rows into a file without a name would be lost: no script may take the run for a success.
TEST(Outputs, AFileThatWasRemovedEndsTheRun) {
  const TemporaryFile boards(
      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n"
      "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0\n");
  const TemporaryFolder folder;
  const std::string rows = folder.text() + "/rows";
  Running running({tessera_program, "solve", "--file", boards.path(), "--heuristic", "zero",
                   "--threads", "1", "--quiet", "--json", rows});
  wait_for_content(rows, "\n");
  std::filesystem::remove(rows);
  running.signal(SIGTERM);  // the other board's row follows
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 1);
  ASSERT_FALSE(complaints(run.err).empty());
  EXPECT_EQ(complaints(run.err).back(), "tessera: " + rows +
                                            ": was removed by another program, and what was "
                                            "written is lost");
}

// Unlike those that never had a name.
TEST(Outputs, MayBeFilesWithoutNames) {
  const TemporaryFolder folder;
  const std::string script = "exec 3>" + folder.text() + "/rows && rm " + folder.text() +
                             "/rows && " + tessera_program +
                             " solve '1 2 3 0' --quiet --json /dev/fd/3";
  const Finished run = Running({"sh", "-c", script}).wait();
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Outputs, MayHaveTheNameOfAHeuristic) {
  const TemporaryFolder folder;
  for (const std::string name : {"auto", "manhattan"}) {
    const std::string command =
        "cd \"$1\" && exec \"$0\" solve '1 2 0 3' --heuristic " + name + " --json " + name;
    const Finished run = Running({"/bin/sh", "-c", command, tessera_program, folder.text()}).wait();
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json_lines(content_of(folder.text() + "/" + name)).size(), 1U);
  }
}

TEST(Outputs, AreNotSharedByTwoRuns) {
  const TemporaryFolder folder;
  const std::string rows = folder.file("rows", "first\n");
  const int file = open(rows.c_str(), O_WRONLY | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  ASSERT_EQ(fcntl(file, F_OFD_SETLK, &lock), 0);  // as a run that writes it
  const Arguments second{"solve", "1 2 0 3", "--quiet", "--json", rows};
  expect_refused(tessera(second), "another run writes it");
  EXPECT_EQ(content_of(rows), "first\n");
  close(file);
  EXPECT_EQ(tessera(second).code, 0);
  // A script's own lock, by which its jobs wait for one another.
  const int scripts = open(rows.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(scripts, LOCK_EX), 0);
  EXPECT_EQ(tessera(second).code, 0);
  close(scripts);
}

TEST(Outputs, NoFileThatIsReadIsWritten) {
  const TemporaryFolder folder;
  const std::string text = "1 2 0 3\n";
  const std::string boards = folder.file("boards", text);
  const std::string config = folder.file("config", "quiet = true\n");
  const std::string picture = folder.file("picture", "1 1 2 0\n");
  std::filesystem::create_hard_link(boards, folder.path() / "other-name");
  std::filesystem::create_symlink("x", folder.path() / "link");
  const std::string tables = folder.text() + "/tables";
  ASSERT_EQ(
      tessera({"pdb", "build", "--size", "2x2", "--partition", "2-1", "--pdb-dir", tables}).code,
      0);
  const std::string table = std::filesystem::directory_iterator(tables)->path().string();
  const auto before = content_of(table);
  for (const Arguments& refused : {
           Arguments{"solve", "1 2 0 3", "--config", config, "--json", config},
           {"solve", "1 2 0 3", "--config", config, "--trace", config},
           {"solve", "1 2 0 3", "--config", config, "--record", config},
           {"solve", "1 2 0 3", "--config", config, "--checkpoint", config},
           {"compare", "1 2 0 3", "--config", config, "--csv", config},
           {"estimate", "1 2 0 3", "--config", config, "--json", config},
           {"census", "2x2", "--config", config, "--json", config},
           {"census", "2x2", "--config", config, "--csv", config},
           {"report", boards, "--config", config, "-o", config},
           {"report", boards, "-o", boards},
           {"pdb", "list", "--config", config, "--json", config},
           {"info", "--config", config, "--json", config},
           {"solve", "--file", boards, "--json", boards},
           {"solve", "--file", boards, "--json", folder.text() + "/other-name"},
           {"solve", "1 2 0 3", "--heuristic", "pdb:" + picture, "--json", picture},
           {"solve", "1 2 0 3", "--heuristic", "max(zero,pdb:" + picture + ")", "--json", picture},
           {"compare", "1 2 0 3", "--heuristics", "zero,pdb:" + picture, "--json", picture},
           {"solve", "1 2 0 3", "--pdb-dir", tables, "--json", table},
           {"solve", "1 2 0 3", "--json", folder.text() + "/x", "--trace", folder.text() + "/x"},
           {"solve", "1 2 0 3", "--json", folder.text() + "/link", "--csv", folder.text() + "/x"},
       }) {
    expect_refused(tessera(refused), "expected another path");
  }
  EXPECT_EQ(content_of(boards), text);
  EXPECT_EQ(content_of(config), "quiet = true\n");
  EXPECT_EQ(content_of(picture), "1 1 2 0\n");
  EXPECT_EQ(content_of(table), before);
}

TEST(Outputs, NorOneThatTheShellOpened) {
  const TemporaryFolder folder;
  const std::string boards = folder.file("boards", "1 2 0 3\n");
  for (const char* command : {
           "solve --file - --json \"$1\" <\"$1\"",
           "report - -o \"$1\" <\"$1\"",
           "solve --file \"$1\" >>\"$1\"",
           "verify \"$1\" >>\"$1\"",
           "verify - <\"$1\" >>\"$1\"",
           "solve --file \"$1\" --json \"$1-rows\" >\"$1-rows\"",
       }) {
    const Finished run =
        Running({"/bin/sh", "-c", std::string("exec \"$0\" ") + command, tessera_program, boards})
            .wait();
    expect_refused(run, "expected another path");
    EXPECT_EQ(content_of(boards), "1 2 0 3\n") << command;
  }
}

// A child's standard streams as a parent with an event loop leaves them.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  explicit Pipe(int flags = O_CLOEXEC) {
    if (pipe2(ends.data(), flags) != 0) throw std::runtime_error("pipe");
  }
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int which) {
    close(ends[static_cast<std::size_t>(which)]);
    ends[static_cast<std::size_t>(which)] = -1;
  }
};

std::size_t lines_through_full_pipe(const Arguments& arguments, int stream) {
  Pipe pipe;
  fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK);
  fcntl(pipe.ends[1], F_SETPIPE_SZ, 4096);
  const pid_t child = fork();
  if (child == 0) {
    if (stream == STDERR_FILENO) dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    dup2(pipe.ends[1], stream);
    std::vector<char*> words{const_cast<char*>(tessera_program)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(tessera_program, words.data());
    _exit(127);
  }
  pipe.close_end(1);
  std::string text;
  std::array<char, 64> block{};  // less than it writes at once, so that the pipe is often full
  for (ssize_t got = 0; (got = read(pipe.ends[0], block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(Outputs, AFullPipeIsWaitedFor) {
  EXPECT_EQ(lines_through_full_pipe({"generate", "--size", "4x4", "--count", "20000", "--quiet"},
                                    STDOUT_FILENO),
            20'000U);
  std::string boards;
  for (int i = 0; i < 4000; ++i) boards += "1 2 0 3\n";
  const TemporaryFile file(boards);
  EXPECT_EQ(lines_through_full_pipe(
                {"solve", "--file", file.path(), "--quiet", "--json", "/dev/null"}, STDOUT_FILENO),
            4000U);
  // A row per board, and some lines more.
  EXPECT_GT(lines_through_full_pipe({"solve", "--file", file.path(), "--json", "/dev/null"},
                                    STDERR_FILENO),
            4000U);
}

TEST(Outputs, ASlowWriterIsWaitedFor) {
  Pipe pipe;
  Pipe answers;
  fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe.ends[0], STDIN_FILENO);
    dup2(answers.ends[1], STDOUT_FILENO);
    execl(tessera_program, tessera_program, "solve", "--file", "-", "--quiet", nullptr);
    _exit(127);
  }
  pipe.close_end(0);
  answers.close_end(1);
  for (const char* line : {"1 2 0 3\n", "0 1 3 2\n"}) {
    usleep(100'000);  // meanwhile it finds the pipe empty
    EXPECT_EQ(write(pipe.ends[1], line, 8), 8);
  }
  pipe.close_end(1);
  std::array<char, 256> block{};
  std::string text;
  for (ssize_t got = 0; (got = read(answers.ends[0], block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST(Outputs, AnOperandInBracketsStaysAsItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.file("[r]", "");
  std::filesystem::create_directory(folder.path() / "r");
  for (const char* operand : {"[r]", "./[r]"}) {
    const Finished run = Running({"/bin/sh", "-c", "cd \"$1\" && exec \"$0\" verify \"$2\"",
                                  tessera_program, folder.text(), operand})
                             .wait();
    expect_refused(run, std::string(operand) + ": no result in this file");
  }
  EXPECT_EQ(tessera({"solve", "1", "2", "0", "3", "--quiet"}).code, 0);
}

TEST(Outputs, AMissingHomeIsNotMade) {
  const TemporaryFolder folder;
  const std::string home = folder.text() + "/missing";
  Running::Options options;
  options.environment = {{"HOME", home}, {"XDG_CACHE_HOME", ""}, {"TESSERA_PDB_DIR", ""}};
  EXPECT_EQ(tessera({"solve", "--set", "korf50:1", "--time-limit", "100ms"}, options).code, 4);
  expect_refused(tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:5-5-5"}, options),
                 "--pdb-dir");
  expect_refused(tessera({"pdb", "build", "--size", "4x4", "--partition", "5-5-5"}, options),
                 "--pdb-dir");
  EXPECT_EQ(tessera({"info"}, options).code, 0);
  EXPECT_FALSE(std::filesystem::exists(home));
  options.environment["HOME"] = "";
  expect_refused(tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:5-5-5"}, options),
                 "--pdb-dir");
}

}  // namespace
}  // namespace tessera::cli
