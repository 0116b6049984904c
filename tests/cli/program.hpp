// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::cli {

/// What a program left behind. `code` is 128 + the signal where one ended it, as a shell has it.
struct Finished {
  int code = 0;
  std::string out;
  std::string err;
  double seconds = 0;
  double cpu_seconds = 0;        ///< of the program and the children that it waited for
  std::uint64_t peak_bytes = 0;  ///< most resident memory of one of these processes
};

/// A program that runs, in a process group of its own; killed with the group if still there. mpirun
/// of Open MPI 5 may print part of a long line on standard error: with it, `--json -` is a file,
/// which `wait` returns as the output (`--json=-` is left as it is).
class Running {
 public:
  struct Options {
    std::string input{};         ///< standard input
    std::string output{};        ///< a path for standard output, else it is kept
    bool closed_output = false;  ///< standard output is a pipe that nobody reads
    std::map<std::string, std::string> environment{};
  };
  explicit Running(const std::vector<std::string>& command) : Running(command, Options()) {}
  Running(const std::vector<std::string>& command, const Options& options);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const;
  /// Each waits as wait_until does: until it has a handler for this signal, has used so much CPU
  /// time, or has written this on standard error.
  void wait_until_it_handles(int signal) const;
  void wait_until_it_worked(std::chrono::milliseconds cpu_time) const;
  void wait_for(const std::string& part) const;
  /// Waits for its end; after `most` it is killed and the test fails.
  Finished wait(std::chrono::seconds most = std::chrono::seconds(120));

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  std::vector<std::string> command_;
  std::string directory_;
  std::string json_;  ///< a file that takes the place of standard output for --json
  std::chrono::steady_clock::time_point start_;
};

/// Waits until this has happened, at most a minute; else the test fails and names `what`.
void wait_until(const std::function<bool()>& seen, const std::string& what = "seen");
/// Waits as wait_until does until a file holds this so often.
void wait_for_content(const std::string& path, const std::string& part, std::size_t times = 1);

/// Whether a process has this signal in a set of /proc/PID/status, such as "SigCgt:".
bool has_signal(pid_t pid, const std::string& set, int signal);

/// The program under test with these arguments, to its end.
Finished tessera(const std::vector<std::string>& arguments, const Running::Options& options = {});

/// Arguments and further ones, in this order.
std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more,
                              const std::vector<std::string>& then = {},
                              const std::vector<std::string>& last = {});

/// Expects code 2, nothing on standard output, and one line that contains `expected`.
void expect_refused(const Finished& run, const std::string& expected);

/// The same as ranks of a job.
std::vector<std::string> mpirun(int ranks, const std::vector<std::string>& arguments);
Finished run_ranks(int ranks, const std::vector<std::string>& arguments,
                   const Running::Options& options = {});
/// The ranks that this launcher has started: processes of the program whose parent it is. A dead
/// one that nobody has reaped yet has no name any more.
std::vector<pid_t> ranks_of(pid_t launcher);

#ifdef OPEN_MPI
/// A shell's script that runs a program in the folder $0/RANK. Open MPI 5.0.7 crashes where groups
/// of ranks have a --wdir each.
constexpr const char* in_folder_of_rank = R"(cd "$0/$OMPI_COMM_WORLD_RANK" && exec "$@")";

/// Rank 0's lines that come through at least after mpirun was told to end; Open MPI 5 drops them.
constexpr std::size_t fewest_last_words = OPEN_MPI >= 5 ? 0 : 1;
#endif

/// The JSON lines of a text.
std::vector<nlohmann::json> json_lines(const std::string& text);

/// How often a text holds this.
std::size_t count_of(const std::string& part, const std::string& text);

/// Lines that begin with "tessera: ".
std::vector<std::string> complaints(const std::string& err);

/// A file of that content, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string content() const;

 private:
  std::string path_;
};

}  // namespace tessera::cli
