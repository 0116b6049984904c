// SPDX-License-Identifier: MIT
#include "cli/run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "cli/command_output.hpp"
#include "cli/exit_code.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/report/output.hpp"
#if TESSERA_WITH_MPI
#include "tessera/cluster/session.hpp"
#endif

namespace tessera {
namespace {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code none;
  const auto status = std::filesystem::status(a, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return false;
  if (std::filesystem::equivalent(a, b, none)) return true;
  const auto there = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none);
  };
  return there(a) == there(b);
}

[[noreturn]] void not_writable(const std::string& path, const std::string& why, const char* kind) {
  bad_input(path + ": cannot be written (" + why + "), expected a writable " + kind);
}

// Opens the file, or creates and removes it: an earlier file is kept if something else turns out to
// be wrong.
void expect_writable_file(const std::string& path) {
  std::error_code none;
  const auto there = std::filesystem::status(path, none);
  const auto fail = [&](int reason) { not_writable(path, std::strerror(reason), "path"); };
  if (std::filesystem::is_directory(there)) fail(EISDIR);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    // Opening a pipe would wait for its reader.
    if (::access(path.c_str(), W_OK) != 0) fail(errno);
    return;
  }
  const int ways = O_WRONLY | O_CLOEXEC | O_APPEND;
  const bool is_new = !std::filesystem::exists(there);
  const int file =
      is_new ? ::open(path.c_str(), ways | O_CREAT | O_EXCL, 0666) : ::open(path.c_str(), ways);
  if (file < 0 && !(is_new && errno == EEXIST)) fail(errno);
  if (file < 0) return;  // a dangling link, or another run was faster
  ::close(file);
  if (is_new) ::unlink(path.c_str());
}

void expect_writable_folder(const std::string& path) {
  std::error_code none;
  std::vector<std::filesystem::path> made;  // the innermost first
  for (std::filesystem::path folder = path; !folder.empty() && folder != folder.root_path();
       folder = folder.parent_path()) {
    if (std::filesystem::exists(std::filesystem::symlink_status(folder, none))) break;
    made.push_back(folder);
  }
  std::error_code error;
  std::filesystem::create_directories(path, error);
  const bool is_folder = std::filesystem::is_directory(path, none);
  const bool writable = is_folder && ::access(path.c_str(), W_OK | X_OK) == 0;
  const std::string why = is_folder ? std::strerror(errno) : error.message();
  for (const std::filesystem::path& folder : made) std::filesystem::remove(folder, none);
  if (!writable) not_writable(path, why, "folder");
}

// Checks before anything is written. Throws Error(input) if a file or folder that options name for
// output cannot be written, a command would overwrite a file that it reads, or two outputs go to
// one file (devices and pipes may be named twice). Changes nothing.
void expect_paths(const Config& config, CommandBit command) {
  // Standard input can be read only once.
  if (std::ranges::count(config.words, "-") > 1) {
    bad_input("FILE: - appears twice, but standard input can be read only once");
  }
  std::vector<std::pair<std::string, std::string>> files;  // with their options
  const auto add = [&](const char* option, const std::optional<std::string>& path) {
    if (path && *path != "-") files.emplace_back(option, *path);
  };
  if (command == on_simulate || command == on_report) {
    for (const std::string& word : config.words) add("", word);
  }
  for (const auto& [option, path] : {std::pair{"--trace", config.trace},
                                     {"--record", config.record},
                                     {"--checkpoint", config.checkpoint}}) {
    if (path == "-") bad_input(std::string(option) + ": expected a file, not standard output");
  }
  for (const auto& [option, path] : {std::pair{"--log-dir", config.log_dir},
                                     {"--disk", config.disk},
                                     {"--pdb-dir", std::optional(config.table_directory)}}) {
    if (path == "-") bad_input(std::string(option) + ": expected a folder, not standard output");
  }
  if ((command & on_boards) == 0 && std::ranges::count(config.words, "") > 0) {
    bad_input("an argument is empty");
  }
  add("--file", config.file);
  const std::size_t inputs = files.size();
  const bool census = command == on_census;
  add("--json", config.json);
  add("--csv", config.csv);
  add("--trace", config.trace);
  add("--record", config.record);
  add("-o", config.output);
  if (!census) add("--checkpoint", config.checkpoint);
  for (std::size_t output = inputs; output < files.size(); ++output) {
    const auto& [option, path] = files[output];
    for (std::size_t i = 0; i < output; ++i) {
      const auto& [other, used] = files[i];
      if (!is_same_file(path, used)) continue;
      bad_input(option + ": " + path + " is " +
                (other.empty() ? "one of the files to read" : "also " + other) +
                ", expected another path");
    }
    expect_writable_file(path);
  }
  for (const auto* path : {&config.log_dir, &config.disk, census ? &config.checkpoint : nullptr}) {
    if (path != nullptr && *path) expect_writable_folder(**path);
  }
  // For other commands tables may also be read from it, and it need not be writable.
  const bool builds = command == on_pdb && !config.words.empty() && config.words[0] == "build";
  if (builds && !config.table_directory.empty()) expect_writable_folder(config.table_directory);
}

int dispatch(const Invocation& invocation, Context& context) {
  if (invocation.command == nullptr) {
    Output::standard_output().write(invocation.text);
    return exit_answered;
  }
  if (!invocation.config.quiet) {
    for (const std::string& warning : invocation.warnings) {
      Output::standard_error().write("warning: " + warning + "\n");
    }
  }
  expect_paths(invocation.config, invocation.command->bit);
  return invocation.command->run(invocation.config, context);
}

}  // namespace

int run_command(const std::vector<std::string>& arguments, Context& context) {
  on_table_wait([](const std::string& text) { Output::standard_error().write(text + "\n"); });
  try {
    return dispatch(parse_command_line(arguments), context);
  } catch (const JobFailed&) {
    return exit_internal;  // reported at the end of the job
  } catch (...) {
    return report_failure(current_failure());
  }
}

int report_failure(const Failure& failure) {
  // One line, whatever a path or other foreign text in the message contains.
  std::string line = failure.message;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20; }, '?');
  CommandOutput::complain(line);
  return exit_code(failure.kind);
}

std::vector<std::string> host_names(const std::vector<RankPlace>& places) {
  std::vector<std::string> hosts;
  for (const RankPlace& place : places) hosts.push_back(place.host);
  return hosts;
}

int hosts_of(const std::vector<RankPlace>& places) {
  const std::vector<std::string> hosts = host_names(places);
  return static_cast<int>(std::set<std::string>(hosts.begin(), hosts.end()).size());
}

std::vector<RankPlace> Context::places(int threads) const {
  const int cpus = static_cast<int>(allowed_cpus().size());
  return {{host_name(), cpus, threads > 0 ? threads : cpus}};
}

CensusResult Context::census(const CensusTask& task, const std::vector<RankPlace>& places,
                             CensusObserver& observer) {
  CensusTask own = task;
  own.threads = places[0].threads;
  LocalExchange alone;
  return run_census(own, alone, observer, interrupted);
}

std::string Context::mpi_library() {
#if TESSERA_WITH_MPI
  return Session::library_version();
#else
  return {};
#endif
}

}  // namespace tessera
