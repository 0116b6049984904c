// SPDX-License-Identifier: MIT
#include "cli/options/options.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

// A file that a command reads or writes, and what names it: an option, or words for a message.
struct UsedFile {
  std::string name;
  std::string path;
};

void add(std::vector<UsedFile>& files, const char* name, const std::optional<std::string>& path) {
  if (path && *path != "-") files.push_back({name, *path});
}

// The files of partitions, such as in max(pdb:6-6-3,pdb:picture.txt).
void add_partitions(std::vector<UsedFile>& files, const char* option, std::string spec) {
  std::ranges::replace(spec, '(', ',');
  std::ranges::replace(spec, ')', ',');
  for (std::string part : split_list(spec)) {
    if (!part.starts_with("pdb:")) continue;
    part.erase(0, 4);
    // Sizes such as 7-8 are never read from a file.
    if (part.find_first_not_of("0123456789-") == std::string::npos) continue;
    files.push_back({option, part});
  }
}

// All files that a command reads.
std::vector<UsedFile> inputs_of(const Config& config, CommandBit command) {
  std::vector<UsedFile> files;
  if ((command & (on_simulate | on_report | on_verify | on_pdb)) != 0) {
    for (const std::string& word : config.words) add(files, "one of the files to read", word);
  }
  add(files, "--config", config.config_file);
  add(files, "--file", config.file);
  if (config.config_file == "-" || config.file == "-" ||
      std::ranges::count(config.words, "-") > 0) {
    files.push_back({"standard input", "/dev/stdin"});
  }
  if (config.partition) add_partitions(files, "--partition", "pdb:" + *config.partition);
  add_partitions(files, "--heuristic", config.heuristic);
  for (const std::string& spec : config.heuristic_list) {
    add_partitions(files, "--heuristics", spec);
  }
  return files;
}

// All files that options name for output.
std::vector<UsedFile> outputs_of(const Config& config, CommandBit command) {
  std::vector<UsedFile> files;
  add(files, "--json", config.json);
  add(files, "--csv", config.csv);
  add(files, "--summary", config.summary);
  add(files, "--trace", config.trace);
  add(files, "--record", config.record);
  add(files, "-o", config.output);
  if (command != on_census && config.checkpoint) {  // a folder there
    add(files, "--checkpoint", config.checkpoint);
    add(files, "--checkpoint", *config.checkpoint + "~");  // an earlier one is kept there
  }
  return files;
}

// Whether an output is this file, by whatever name, and not a device or a pipe.
bool is_same_file(const std::filesystem::path& output, const std::filesystem::path& file) {
  std::error_code none;
  const auto status = std::filesystem::status(output, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return false;
  if (std::filesystem::equivalent(output, file, none)) return true;
  const auto there = [&](std::filesystem::path path) {
    // weakly_canonical does not follow a link to a file that is still to be made.
    constexpr int most_links = 40;
    for (int link = 0; link < most_links && std::filesystem::is_symlink(path, none); ++link) {
      path = path.parent_path() / std::filesystem::read_symlink(path, none);
    }
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none);
  };
  return there(output) == there(file);
}

void expect_other_file(const UsedFile& output, const std::vector<UsedFile>& files) {
  for (const UsedFile& file : files) {
    if (!is_same_file(output.path, file.path)) continue;
    const bool is_option = file.name.starts_with('-') || file.name.starts_with("standard ");
    bad_input(output.name + ": " + output.path + " is " + (is_option ? "also " : "") + file.name +
              ", expected another path");
  }
}

// What is in the table folder by the name of a table.
void expect_no_table(const UsedFile& output, const Config& config) {
  std::string folder;
  try {
    folder = table_folder(config.table_directory);
  } catch (const Error&) {
    return;  // there is no folder
  }
  for (const std::filesystem::path& table : table_files(folder)) {
    expect_other_file(output, {{"a table", table.string()}});
  }
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
  const bool is_new = !std::filesystem::exists(there);
  const int flags = O_WRONLY | O_CLOEXEC | O_APPEND | (is_new ? O_CREAT | O_EXCL : 0);
  const int file = ::open(path.c_str(), flags, 0666);
  if (file < 0 && is_new && errno == EEXIST) return;  // a dangling link, or another run was faster
  if (file < 0) fail(errno);
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

// Options that name files and folders, never standard output.
void expect_no_stream(const Config& config) {
  for (const auto& [option, kind, path] :
       {std::tuple{"--trace", "file", config.trace},
        {"--record", "file", config.record},
        {"--checkpoint", "file", config.checkpoint},
        {"--log-dir", "folder", config.log_dir},
        {"--disk", "folder", config.disk},
        {"--pdb-dir", "folder", std::optional(config.table_directory)}}) {
    if (path == "-") bad_input(fmt::format("{}: expected a {}, not standard output", option, kind));
  }
}

}  // namespace

void expect_paths(const Config& config, CommandBit command) {
  // Standard input can be read only once.
  if (std::ranges::count(config.words, "-") > 1) {
    bad_input("FILE: - appears twice, but standard input can be read only once");
  }
  expect_no_stream(config);
  if ((command & (on_boards | on_moves | on_games)) == 0 &&
      std::ranges::count(config.words, "") > 0) {
    bad_input("an argument is empty");
  }
  std::vector<UsedFile> used = inputs_of(config, command);
  for (const UsedFile& output : outputs_of(config, command)) {
    expect_other_file(output, used);
    expect_no_table(output, config);
    expect_writable_file(output.path);
    used.push_back(output);
  }
  // The shell opened these, perhaps to append to a file that is read.
  expect_other_file({"standard output", "/dev/stdout"}, used);
  expect_other_file({"standard error", "/dev/stderr"}, used);
  if (config.record) {  // replaces an earlier file as a whole
    const std::filesystem::path folder = std::filesystem::path(*config.record).parent_path();
    expect_writable_folder(folder.empty() ? "." : folder.string());
  }
  if (config.log_dir) expect_writable_folder(*config.log_dir);
  if (config.disk) expect_writable_folder(*config.disk);
  if (command == on_census && config.checkpoint) expect_writable_folder(*config.checkpoint);
  // For other commands tables may also be read from it, and it need not be writable.
  const bool builds = command == on_pdb && !config.words.empty() && config.words[0] == "build";
  if (builds && !config.table_directory.empty()) expect_writable_folder(config.table_directory);
}

}  // namespace tessera
