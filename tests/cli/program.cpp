// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"

namespace tessera::cli {
namespace {

std::string temporary(const char* pattern) {
  return (std::filesystem::temp_directory_path() / pattern).string();
}

#ifdef TESSERA_KEEPS_JSON
// Keeps JSON for the test schemas.all_json; of many lines the first hundred.
void keep_json(const std::string& text) {
  if (!text.starts_with('{')) return;
  static int number = 0;
  const std::filesystem::path folder = json_folder;
  std::filesystem::create_directories(folder);
  const std::string name = std::to_string(getpid()) + "-" + std::to_string(++number);
  const bool lines = text.starts_with(R"({"schema":"tessera.)") &&
                     !text.starts_with(R"({"schema":"tessera.record/)");
  std::size_t end = text.size();
  if (lines) {
    std::size_t at = 0;
    for (int line = 0; line < 100 && at < text.size(); ++line) at = text.find('\n', at) + 1;
    end = at;
  }
  std::ofstream(folder / name, std::ios::binary) << text.substr(0, end);
}

// What a run wrote that was not killed and did not fail.
void keep_all_json(const std::vector<std::string>& command, const Finished& finished) {
  if (finished.code != 0 && finished.code != 3 && finished.code != 4) return;
  if (finished.out.starts_with(R"({"schema":"tessera.)")) keep_json(finished.out);
  for (std::size_t word = 0; word + 1 < command.size(); ++word) {
    if (command[word] != "--json" && command[word] != "--trace" && command[word] != "--record") {
      continue;
    }
    if (std::filesystem::is_regular_file(command[word + 1]))
      keep_json(content_of(command[word + 1]));
  }
}
#else
void keep_all_json(const std::vector<std::string>&, const Finished&) {}
#endif

}  // namespace

Running::Running(const std::vector<std::string>& command, const Options& options)
    : command_(command),
      directory_(temporary("tessera-run-XXXXXX")),
      start_(std::chrono::steady_clock::now()) {
  if (mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("mkdtemp");
  std::ofstream(directory_ + "/in") << options.input;
#ifdef MPIRUN
  for (std::size_t word = 1; word < command_.size() && command_[0] == MPIRUN; ++word) {
    if (command_[word - 1] != "--json" || command_[word] != "-" || !options.output.empty())
      continue;
    command_[word] = json_ = directory_ + "/json";
  }
#endif
  int pipe_ends[2] = {-1, -1};
  if (options.closed_output && pipe(pipe_ends) != 0) throw std::runtime_error("pipe");
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    ::signal(SIGINT, SIG_DFL);  // which a shell's background job ignores
    const std::string out = options.output.empty() ? directory_ + "/out" : options.output;
    dup2(open((directory_ + "/in").c_str(), O_RDONLY), STDIN_FILENO);
    if (options.closed_output) {
      dup2(pipe_ends[1], STDOUT_FILENO);
      close(pipe_ends[0]);
      close(pipe_ends[1]);
    } else {
      dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    }
    dup2(open((directory_ + "/err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    // Nothing of the job or shell that the tests themselves run in.
    std::vector<std::string> inherited;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string name(*variable, std::string_view(*variable).find('='));
      for (const char* prefix : {"TESSERA_", "OMPI_", "PRTE_", "PMIX_", "PMI_", "SLURM_"}) {
        if (name.starts_with(prefix)) inherited.push_back(name);
      }
    }
    for (const std::string& name : inherited) unsetenv(name.c_str());
#ifdef MPIRUN_ENVIRONMENT
    // NAME=VALUE, one per line
    std::istringstream settings(MPIRUN_ENVIRONMENT);
    for (std::string name, value; std::getline(std::getline(settings, name, '='), value);) {
      setenv(name.c_str(), value.c_str(), 1);
    }
#endif
    // Tables are kept beside the tests, not in the user's cache.
    setenv("TESSERA_PDB_DIR", (std::filesystem::current_path() / "tables").c_str(), 1);
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : command_) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  setpgid(pid_, pid_);
  if (options.closed_output) {
    close(pipe_ends[0]);
    close(pipe_ends[1]);
  }
}

Running::~Running() {
  if (!reaped_) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::filesystem::remove_all(directory_);
}

void Running::signal(int number) const {
  kill(pid_, number);
}

void Running::wait_until_it_handles(int signal) const {
  wait_until([&] { return has_signal(pid_, "SigCgt:", signal); },
             "a handler for signal " + std::to_string(signal));
}

void Running::wait_until_it_worked(std::chrono::milliseconds cpu_time) const {
  const auto ticks = cpu_time.count() * sysconf(_SC_CLK_TCK) / 1000;
  const auto worked = [&] {
    const std::string stat = content_of("/proc/" + std::to_string(pid_) + "/stat");
    // The fields after the name, which may contain blanks: the 12th and 13th are user and system.
    std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
    std::string field;
    for (int i = 0; i < 11; ++i) fields >> field;
    std::int64_t user = 0;
    std::int64_t system = 0;
    fields >> user >> system;
    return user + system >= ticks;
  };
  wait_until(worked, std::to_string(cpu_time.count()) + " ms of CPU time");
}

void Running::wait_for(const std::string& part) const {
  wait_for_content(directory_ + "/err", part);
}

Finished Running::wait(std::chrono::seconds most) {
  Finished finished;
  int status = 0;
  rusage used{};
  const auto begin = std::chrono::steady_clock::now();
  while (wait4(pid_, &status, WNOHANG, &used) == 0) {
    if (std::chrono::steady_clock::now() - begin > most) {
      kill(-pid_, SIGKILL);
      wait4(pid_, &status, 0, &used);
      ADD_FAILURE() << "still running after " << most.count() << " s; so far it wrote\n"
                    << content_of(directory_ + "/err");
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  reaped_ = true;
  finished.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  for (const timeval& part : {used.ru_utime, used.ru_stime}) {
    finished.cpu_seconds +=
        static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  finished.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
  finished.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  const bool is_json = !json_.empty() && std::filesystem::exists(json_);
  finished.out = content_of(is_json ? json_ : directory_ + "/out");
  finished.err = content_of(directory_ + "/err");
  keep_all_json(command_, finished);
  return finished;
}

void wait_until(const std::function<bool()>& seen, const std::string& what) {
  for (int i = 0; i < 30'000; ++i) {
    if (seen()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ADD_FAILURE() << "never " << what;
}

void wait_for_content(const std::string& path, const std::string& part, std::size_t times) {
  wait_until([&] { return count_of(part, content_of(path)) >= times; },
             "'" + part + "' in " + path);
}

bool has_signal(pid_t pid, const std::string& set, int signal) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(set)) continue;
    return (std::stoull(line.substr(set.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
  }
  return false;
}

Finished tessera(const std::vector<std::string>& arguments, const Running::Options& options) {
  return Running(with({tessera_program}, arguments), options).wait();
}

std::vector<std::string> mpirun(int ranks, const std::vector<std::string>& arguments) {
#ifdef MPIRUN
  return with({MPIRUN, "-np", std::to_string(ranks), tessera_program}, arguments);
#else
  return with({"mpirun-is-not-in-this-build", std::to_string(ranks)}, arguments);
#endif
}

Finished run_ranks(int ranks, const std::vector<std::string>& arguments,
                   const Running::Options& options) {
  return Running(mpirun(ranks, arguments), options).wait();
}

std::vector<pid_t> ranks_of(pid_t launcher) {
  std::vector<pid_t> pids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    std::string pid;
    std::string name;
    std::string state;
    pid_t parent = 0;
    if (!(stat >> pid >> name >> state >> parent) || parent != launcher || name != "(tessera)")
      continue;
    pids.push_back(static_cast<pid_t>(std::stoi(pid)));
  }
  return pids;
}

std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<std::string> complaints(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("tessera: ")) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more,
                              const std::vector<std::string>& then,
                              const std::vector<std::string>& last) {
  for (const auto* words : {&more, &then, &last}) {
    arguments.insert(arguments.end(), words->begin(), words->end());
  }
  return arguments;
}

void expect_refused(const Finished& run, const std::string& expected) {
  EXPECT_EQ(run.code, 2) << expected;
  EXPECT_EQ(run.out, "") << expected;
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
  EXPECT_NE(run.err.find(expected), std::string::npos) << run.err << "lacks " << expected;
}

TemporaryFile::TemporaryFile(const std::string& content) : path_(temporary("tessera-file-XXXXXX")) {
  const int fd = mkstemp(path_.data());
  if (fd < 0) throw std::runtime_error("mkstemp");
  close(fd);
  std::ofstream(path_, std::ios::binary) << content;
}

TemporaryFile::~TemporaryFile() {
  std::filesystem::remove(path_);
}

std::string TemporaryFile::content() const {
  return content_of(path_);
}

}  // namespace tessera::cli
