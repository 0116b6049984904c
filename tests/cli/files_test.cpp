// SPDX-License-Identifier: MIT
// Files that are not what their name says, or that others change during a run.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

// One line of complaint that holds `expected`, and that code.
void expect_complaint(const Finished& run, int code, const std::string& expected) {
  EXPECT_EQ(run.code, code) << run.err;
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(complaints(run.err)[0].find(expected), std::string::npos) << run.err;
}

TEST(Files, PipesAndDevicesAreRefusedWithoutWaiting) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), folder.text()}) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"solve", "--file", path},
                                               {"solve", "1 2 0 3", "--config", path},
                                               {"solve", "1 2 0 3", "--checkpoint", path},
                                               {"solve", "1 2 0 3", "--heuristic", "pdb:" + path},
                                               {"verify", path},
                                               {"report", path, "-o", folder.text() + "/page.html"},
                                               {"pdb", "verify", path}}) {
      // Text may come through a pipe, whose writer is waited for.
      const bool text = arguments[1] == "--file" || arguments[0] == "verify" ||
                        arguments[0] == "report" || arguments[2] == "--config";
      if (path == pipe && text) continue;
      expect_complaint(tessera(arguments), 2, path);
    }
  }
}

// A search of some seconds with tables in `folder`, begun, and the path of one of them.
class LongSearch {
 public:
  LongSearch() {
    const std::string tables = folder_.text();
    EXPECT_EQ(tessera({"pdb", "build", "--size", "4x4", "--goal", "first", "--partition", "3-4-4-4",
                       "--pdb-dir", tables})
                  .code,
              0);
    for (const std::string& name : folder_.entries()) table_ = folder_.path() / name;
    running_.emplace(std::vector<std::string>{
        tessera_program, "solve", "--set", "hardest15:1", "--heuristic", "pdb:3-4-4-4", "--pdb-dir",
        tables, "--threads", "1", "--progress", "none", "--time-limit", "60s"});
    running_->wait_for("%");  // in the row of the first bound
  }
  Finished wait() { return running_->wait(); }
  [[nodiscard]] const std::filesystem::path& table() const { return table_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path table_;
  std::optional<Running> running_;
};

TEST(Files, ATableThatIsTruncatedInUseIsNamed) {
  LongSearch search;
  std::filesystem::resize_file(search.table(), 100);
  expect_complaint(search.wait(), 6, search.table().string() + ": was truncated");
}

TEST(Files, NothingIsProvedWithATableThatWasOverwritten) {
  const TemporaryFolder folder;
  const std::string tables = folder.text();
  ASSERT_EQ(tessera({"pdb", "build", "--size", "4x4", "--goal", "first", "--partition", "5-5-5",
                     "--pdb-dir", tables})
                .code,
            0);
  Running running({tessera_program, "solve", "--set", "korf100:3", "--heuristic", "pdb:5-5-5",
                   "--pdb-dir", tables, "--threads", "1", "--progress", "none"});
  running.wait_for("%");
  const std::filesystem::path table = folder.path() / folder.entries().at(0);
  std::fstream file(table, std::ios::binary | std::ios::in | std::ios::out);
  file << 'T';  // as it is
  file.close();
  expect_complaint(running.wait(), 6, table.string() + ": was overwritten");
}

// The least of the limits binds: without knowing of it the search would end without memory.
TEST(Files, AUlimitIsSeen) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers reserve more address space than the limit allows";
  const Finished run =
      Running({"/bin/sh", "-c", "ulimit -v 900000; exec \"$0\" info", tessera_program}).wait();
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("0.9 GiB"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("the limit is ulimit -v"), std::string::npos) << run.out;
}

// A control group of this machine, version 1 or 2, with so much memory; gone with the object.
class ControlGroup {
 public:
  explicit ControlGroup(std::uint64_t bytes) {
    struct Version {
      const char* root;
      const char* limit;
    };
    for (const Version& version : {Version{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
                                   {"/sys/fs/cgroup", "memory.max"}}) {
      path_ = std::string(version.root) + "/tessera-test-" + std::to_string(getpid());
      std::error_code none;
      if (!std::filesystem::exists(std::string(version.root) + "/cgroup.procs", none)) continue;
      if (!std::filesystem::create_directory(path_, none)) continue;
      std::ofstream(path_ / version.limit) << bytes << std::flush;
      std::uint64_t limit = 0;
      std::ifstream(path_ / version.limit) >> limit;
      if (limit == bytes) return;
      std::filesystem::remove(path_, none);
    }
    path_.clear();
  }
  ~ControlGroup() {
    if (!path_.empty()) rmdir(path_.c_str());
  }
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The program in a control group of so many MiB.
Finished in_group(std::uint64_t mebibytes, const std::vector<std::string>& arguments) {
  const ControlGroup group(mebibytes << 20);
  if (group.path().empty()) return {-1, {}, {}};
  return Running(with({"/bin/sh", "-c", "echo $$ > \"$0\"/cgroup.procs; exec \"$@\"",
                       group.path().string(), tessera_program},
                      arguments))
      .wait();
}

TEST(Files, SearchesStayWithinTheirControlGroup) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more memory than the group has";
#endif
  for (const char* engine : {"astar", "bfs"}) {
    const Finished run = in_group(
        143, {"solve", "--set", "korf100:1", "--engine", engine, "--heuristic", "manhattan"});
    if (run.code == -1) GTEST_SKIP() << "no control group for memory can be made here";
    EXPECT_EQ(run.code, 5) << run.err;
    EXPECT_NE(run.err.find("memory is full"), std::string::npos) << run.err;
  }
  // Tables and an automaton are built beforehand.
  const TemporaryFolder folder;
  const std::string board = folder.file(
      "board", tessera({"generate", "--size", "6x4", "--scramble", "30", "--seed", "1"}).out);
  const Finished run = in_group(160, {"solve", "--file", board, "--pdb-dir", folder.text()});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Files, BoardsWithTheSameNameAreNoted) {
  const TemporaryFile file("a: 1 2 0 3\nb: 1 2 0 3\na: 0 1 3 2\n");
  const Finished run = tessera({"solve", "--file", file.path()});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.err.starts_with("note: 1 board has the id of an earlier one, such as 'a'\n"))
      << run.err;
  EXPECT_EQ(tessera({"solve", "--file", file.path(), "--quiet"}).err, "");
}

}  // namespace
}  // namespace tessera::cli
