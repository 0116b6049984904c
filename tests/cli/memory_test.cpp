// SPDX-License-Identifier: MIT
// Memory limits hold for all memory, also while something grows or is built; and what is optional
// is left out where it cannot be had.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

constexpr std::uint64_t mib = 1 << 20;
// The program itself and its libraries.
constexpr std::uint64_t program_bytes = 32 * mib;

class MemoryLimit : public testing::Test {
 protected:
  void SetUp() override {
    if (thinned != 1) GTEST_SKIP() << "sanitizers take memory themselves";
  }
  [[nodiscard]] Finished solve(const std::vector<std::string>& options,
                               const std::string& input = {}) const {
    return tessera(with({"solve"}, options, {"--pdb-dir", tables_.text()}), {.input = input});
  }
  // Expects an answer, or a stop at the limit, within it.
  [[nodiscard]] Finished within(std::uint64_t limit, const std::vector<std::string>& options,
                                const std::string& input = {}) const {
    Finished run = solve(with(options, {"--memory", std::to_string(limit >> 20) + "MiB"}), input);
    EXPECT_TRUE(run.code == 0 || run.code == 5) << run.code << " " << run.err;
    EXPECT_LE(run.peak_bytes, limit + program_bytes)
        << (run.peak_bytes >> 20) << " MiB, --memory " << (limit >> 20) << " MiB";
    return run;
  }

  TemporaryFolder tables_;
};

// Files are encoded one after another.
TEST_F(MemoryLimit, ACheckpointOfACensusTakesLittleMore) {
  const std::vector<std::string> census{"census", "4x3", "--threads", "2", "--quiet"};
  const TemporaryFolder saved;
  const Finished plain = tessera(census);
  const Finished kept =
      tessera(with(census, {"--checkpoint", saved.text(), "--checkpoint-every", "1ms"}));
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(kept.out, plain.out);
  EXPECT_LE(kept.peak_bytes, plain.peak_bytes + 12 * mib);
}

TEST_F(MemoryLimit, HoldsForEnginesThatStoreBoards) {
  for (const char* engine : {"bfs", "astar"}) {
    for (const std::uint64_t limit : {100 * mib, 200 * mib}) {
      const Finished run = within(limit, {"--set", "korf100:88", "--engine", engine, "--heuristic",
                                          engine[0] == 'b' ? "auto" : "manhattan"});
      EXPECT_EQ(run.code, 5) << engine;
      EXPECT_GE(run.peak_bytes, limit / 2) << engine;  // it is used, too
    }
  }
}

TEST_F(MemoryLimit, HoldsWhileAnAutomatonIsBuiltAndUsed) {
  const std::string board =
      tessera({"generate", "--size", "6x4", "--scramble", "30", "--seed", "1"}).out;
  for (int run = 0; run < 2; ++run) {  // without and with stored tables
    const Finished found = within(120 * mib, {"--file", "-", "--threads", "1"}, board);
    EXPECT_EQ(found.code, 0) << found.err;
  }
}

TEST_F(MemoryLimit, ANamedAutomatonThatDoesNotFitIsRefusedWithItsSize) {
  const std::string board = tessera({"generate", "--size", "5x5", "--scramble", "30"}).out;
  const Finished run = solve({"--file", "-", "--prune", "fsm:20", "--memory", "150MiB"}, board);
  EXPECT_EQ(run.code, 5);
  EXPECT_NE(run.err.find("--prune fsm:20: its automaton needs 8"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("choose --prune fsm:16"), std::string::npos) << run.err;
}

// What `auto` would use, if it could: the tables of 5-5-5 on 4x4.
class OptionalTables : public testing::Test {
 protected:
  static std::vector<std::string> solve_with(const std::string& heuristic) {
    return {tessera_program, "solve",  "--set", "korf100:12", "--heuristic",
            heuristic,       "--json", "-",     "--threads",  "1"};
  }
  void build() const {
    const Finished run = tessera(
        {"pdb", "build", "--size", "4x4", "--partition", "5-5-5", "--pdb-dir", tables_.text()});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  // Under `wrapper`: a shell's command that runs "$0" "$@".
  [[nodiscard]] Finished run(const std::string& wrapper, const std::string& heuristic,
                             const Running::Options& options = {}) const {
    auto command = with({"/bin/sh", "-c", wrapper}, solve_with(heuristic));
    if (has_folder_) command = with(command, {"--pdb-dir", tables_.text()});
    return Running(command, options).wait();
  }
  // `auto` solves the board without them and says why; asked for, they are an error.
  void expect_optional(const std::string& wrapper, int code, const std::string& reason) const {
    const Finished automatic = run(wrapper, "auto");
    EXPECT_EQ(automatic.code, 0) << automatic.err;
    EXPECT_EQ(json_lines(automatic.out).at(0)["heuristic"], "manhattan");
    const std::size_t note = automatic.err.find("note: pdb:5-5-5 is not used: ");
    ASSERT_NE(note, std::string::npos) << automatic.err;
    EXPECT_NE(automatic.err.find(reason, note), std::string::npos) << automatic.err;
    EXPECT_EQ(automatic.err.find("is not used", note + 30), std::string::npos) << automatic.err;
    const Finished named = run(wrapper, "pdb:5-5-5");
    EXPECT_EQ(named.code, code) << named.err;
    EXPECT_EQ(complaints(named.err).size(), 1U) << named.err;
  }

  TemporaryFolder tables_;
  bool has_folder_ = true;
};

TEST_F(OptionalTables, OfAnotherUserMayBeUnreadable) {
  build();
  std::filesystem::permissions(tables_.path(), std::filesystem::perms(0755));
  for (const std::string& name : tables_.entries()) {
    std::filesystem::permissions(tables_.path() / name, std::filesystem::perms::none);
  }
  std::string wrapper = "exec \"$0\" \"$@\"";
  if (geteuid() == 0) {
    const std::string user = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    if (Running({"/bin/sh", "-c", user + "\"$0\" --version", tessera_program}).wait().code != 0) {
      GTEST_SKIP() << "no other user can be taken on here, or it may not run the program";
    }
    wrapper = "exec " + user + "\"$0\" \"$@\"";
  }
  expect_optional(wrapper, 2, "cannot be read, Permission denied");
}

TEST_F(OptionalTables, MayNeedMoreFilesThanAProcessMayOpen) {
  const Finished run = OptionalTables::run("ulimit -n 60; exec \"$0\" \"$@\"", "auto");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("note: pdb:5-5-5 is not used: 3 tables do not fit, ulimit -n"),
            std::string::npos)
      << run.err;
}

TEST_F(OptionalTables, NeedAFolder) {
  has_folder_ = false;
  expect_optional("exec env -u HOME -u XDG_CACHE_HOME -u TESSERA_PDB_DIR \"$0\" \"$@\"", 2,
                  "try --pdb-dir FOLDER");
}

// Lustre and some NFS have none: each process then builds what it misses.
TEST_F(OptionalTables, AreBuiltWhereFilesCannotBeLocked) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers must be loaded first";
  Running::Options options;
  options.environment["LD_PRELOAD"] = TESSERA_NO_LOCKS;
  const Finished run = OptionalTables::run("exec \"$0\" \"$@\"", "pdb:5-5-5", options);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(tables_.entries().size(), 3U);
}

// Its table takes no more addresses than memory then: 41 MiB are enough for this board.
TEST(Memory, AStarTakesWhatTheAddressSpaceAllows) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers reserve more address space than the limit allows";
  const Finished run = Running({"/bin/sh", "-c", "ulimit -v 1300000; exec \"$0\" \"$@\"",
                                tessera_program, "solve", "--set", "korf100:5", "--engine", "astar",
                                "--heuristic", "manhattan", "--threads", "2", "--quiet"})
                           .wait();
  EXPECT_EQ(run.code, 0) << run.err;
}

// Tables of 549 MiB cannot be mapped; neither can they be built.
TEST_F(OptionalTables, MayBeTooLargeForTheAddressSpace) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers reserve more address space than the limit allows";
  const Finished run =
      Running({"/bin/sh", "-c", "ulimit -v 400000; exec \"$0\" \"$@\"", tessera_program, "solve",
               "--file",
               tables_.file(
                   "board",
                   tessera({"generate", "--size", "6x4", "--scramble", "20", "--seed", "1"}).out),
               "--threads", "1", "--json", "-", "--pdb-dir", tables_.text()})
          .wait();
  EXPECT_EQ(run.code, 0) << run.err;
}

}  // namespace
}  // namespace tessera::cli
