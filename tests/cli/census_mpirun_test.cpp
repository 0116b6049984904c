// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

Finished census(int ranks, const std::vector<std::string>& more,
                const Running::Options& options = {}) {
  return run_ranks(ranks, with({"census", "--threads", "1", "--quiet", "--json", "-"}, more),
                   options);
}

// The row of one process that searches in memory.
nlohmann::json census_alone(const std::vector<std::string>& what) {
  return json_lines(tessera(with({"census", "--quiet", "--json", "-"}, what)).out).at(0);
}

// Whether this kernel lets a process open another's memory at all.
bool memory_can_be_shared() {
  const int memory = memfd_create("test", 0);
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  std::ostringstream path;
  path << "/proc/" << child << "/fd/" << memory;
  const int found = open(path.str().c_str(), O_RDWR);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(memory);
  if (found >= 0) close(found);
  return memory >= 0 && found >= 0;
}

// As where ranks cannot have memory in common.
const std::map<std::string, std::string> ranks_send{
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}, {"OMPI_MCA_smsc", "^cma,xpmem"}};

TEST(CensusMpirun, AnyNumberOfRanksCountsTheSame) {
  for (const auto& [metric, counts] : {std::pair{"single", std::vector{2, 4, 7}}, {"multi", {3}}}) {
    const std::vector<std::string> what{"4x3", "--metric", metric, "--deepest", "1"};
    const auto expected = census_alone(what);
    EXPECT_EQ(expected["radius"], metric == std::string("single") ? 53 : 33);
    for (const int ranks : counts) {
      Running::Options options;
      const bool sends = ranks == 4;
      if (sends) options.environment = ranks_send;
      const Finished run = census(ranks, what, options);
      EXPECT_EQ(run.code, 0) << run.err;
      const auto row = json_lines(run.out).at(0);
      EXPECT_EQ(row["widths"], expected["widths"]) << ranks << " ranks";
      ASSERT_EQ(row["deepest"].size(), 1U);
      EXPECT_EQ(row["deepest"][0]["board"], expected["deepest"][0]["board"]);
      EXPECT_EQ(row["ranks"], ranks);
      EXPECT_EQ(row["bytes_exchanged"].get<std::int64_t>() > 0, sends || !memory_can_be_shared());
    }
  }
}

// Memory serves none of these jobs, so all of them go to disk.
TEST(CensusMpirun, AnyNumberOfRanksCountsTheSameOnDisk) {
  struct Job {
    int ranks;
    std::string metric, memory;
  };
  for (const Job& job : {Job{2, "single", "11MiB"}, {3, "multi", "17MiB"}, {2, "multi", "17MiB"}}) {
    if (!all_cases() && job.ranks == 2 && job.metric == "multi") continue;
    const std::vector<std::string> what{"4x3", "--metric", job.metric};
    const TemporaryFolder folder;
    const Finished run =
        census(job.ranks, with(what, {"--memory", job.memory, "--disk", folder.text()}));
    EXPECT_EQ(run.code, 0) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["widths"], census_alone(what)["widths"]) << job.ranks;
    EXPECT_GT(row["frontier_bytes"], 0);
    EXPECT_GT(row["bytes_exchanged"], 0);
    EXPECT_EQ(folder.entries().size(), 0U);
  }
  const TemporaryFolder folder;
  const Finished large = census(3, {"4x4", "--disk", folder.text(), "--memory", "3GiB"});
  EXPECT_EQ(large.code, 5);
  EXPECT_EQ(complaints(large.err).size(), 1U) << large.err;
}

TEST(CensusMpirun, RanksShareTheMapOrSend) {
  const auto widths = census_alone({"6x2"})["widths"];
  for (const bool sends : {true, false}) {
    Running::Options options;
    if (sends) options.environment = ranks_send;
    const Finished run = census(3, {"6x2"}, options);
    EXPECT_EQ(run.code, 0) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["widths"], widths);
    EXPECT_EQ(row["bytes_exchanged"].get<std::int64_t>() > 0, sends || !memory_can_be_shared());
    EXPECT_EQ(row["bytes_peer_read"], 0);
  }
}

// The job is killed or told to stop, each time with another number of ranks.
TEST(CensusMpirun, GoesOnAfterKillsWithOtherRanks) {
  const auto widths = census_alone({"6x2"})["widths"];
  const TemporaryFolder folder;
  const std::vector<std::string> what{"6x2",      "--checkpoint",       folder.text(),
                                      "--resume", "--checkpoint-every", "20ms"};
  for (int i = 0; i < 4; ++i) {
    Running run(mpirun(2 + i % 3, with({"census", "--threads", "1"}, what)));
    run.wait_for("census 6x2");  // its heading: all ranks have begun
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + 60 * i));
    run.signal(i % 2 == 0 ? SIGKILL : SIGUSR1);
    const Finished end = run.wait();
    if (i % 2 == 1) {
      // Ranks of a killed mpirun may live on for a moment and hold the checkpoint.
      const bool waited = end.code == 4 && end.err.find(", held by process ") != std::string::npos;
      EXPECT_TRUE(end.code == 0 || end.code == 3 || waited) << end.code << end.err;
    }
  }
  const Finished last = census(3, what);
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json_lines(last.out).at(0)["widths"], widths);
  EXPECT_GT(json_lines(last.out).at(0)["resumed_depth"], 0);
}

TEST(CensusMpirun, ASignalEndsASearchThatKeepsNothing) {
  const TemporaryFolder folder;
  for (const auto& [ranks, signal] : {std::pair{2, SIGUSR1}, {3, SIGUSR2}}) {
    Running run(mpirun(ranks, {"census", "7x2", "--threads", "1", "--json", "-", "--disk",
                               folder.text(), "--memory", "400MiB"}));
    run.wait_for("census 7x2");  // its heading: all ranks have begun
    run.signal(signal);
    const auto began = std::chrono::steady_clock::now();
    const Finished end = run.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
    EXPECT_EQ(end.code, 4) << end.err;
    EXPECT_EQ(complaints(end.err).size(), 1U) << end.err;
    EXPECT_FALSE(json_lines(end.out).at(0)["complete"]);
    EXPECT_TRUE(folder.entries().empty());
  }
}

TEST(CensusMpirun, FailuresEndTheJobWithOneLine) {
  const TemporaryFolder folder;
  EXPECT_EQ(census(2, {"3x3", "--checkpoint", folder.text(), "--checkpoint-every", "1us"}).code, 0);
  const Finished other = census(3, {"3x3", "--checkpoint", folder.text(), "--metric", "multi"});
  EXPECT_EQ(other.code, 6);
  EXPECT_EQ(complaints(other.err).size(), 1U) << other.err;
  const Finished large = census(2, {"4x4"});
  EXPECT_EQ(large.code, 5);
  EXPECT_EQ(complaints(large.err).size(), 1U) << large.err;
}

TEST(CensusMpirun, CheckpointsAreInOneFolder) {
  const TemporaryFolder folder;
  for (const char* rank : {"0", "1"}) std::filesystem::create_directory(folder.path() / rank);
  Running running({MPIRUN, "-np", "2", "sh", "-c", in_folder_of_rank, folder.text(),
                   tessera_program, "census", "3x3", "--threads", "1", "--checkpoint", "kept"});
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("rank 1: kept: is not the folder that rank 0 has there"),
            std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace tessera::cli
