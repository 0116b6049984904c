// SPDX-License-Identifier: MIT
#include "census/disk/spill_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <regex>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/file.hpp"

namespace tessera {
namespace {

constexpr const char* lock_name = "lock";

// Whether it is this user's and private: others may plant a folder or a link with such a name.
bool is_private_folder(const std::filesystem::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

void remove_spill_files(const std::filesystem::path& folder) {
  static const std::regex form(R"(spill-[0-9]+\.blocks)");  // SpillFolder::file_name
  for (const std::string& name : names_in(folder)) {
    if (std::regex_match(name, form)) unlink((folder / name).c_str());
  }
}

// A lock on a network file system may hold within a host only: ignore folders of other hosts.
std::string host_folder_prefix(const std::string& host) {
  return "tessera-spill-" + host + "-";
}

// The name of a folder of any rank on this host; hosts may be called "node" and "node-2".
bool is_folder_of(const std::string& host, const std::string& name) {
  static const std::regex rank_and_ending("[0-9]+-[A-Za-z0-9]{6}");
  const std::string prefix = host_folder_prefix(host);
  return name.starts_with(prefix) && std::regex_match(name.substr(prefix.size()), rank_and_ending);
}

// Removes what killed searches of this user left on a host.
void remove_abandoned_folders(const std::filesystem::path& folder, const std::string& host) {
  for (const std::string& name : names_in(folder)) {
    const std::filesystem::path path = folder / name;
    if (!is_folder_of(host, name) || !is_private_folder(path)) continue;
    struct stat status {};
    if (lstat((path / lock_name).c_str(), &status) != 0) {
      // Its search was killed before it took the lock or after it released it, so the folder is
      // empty. A search that is about to take the lock makes another folder.
      rmdir(path.c_str());
      continue;
    }
    try {
      const auto lock = LockFile::take_if_free(path / lock_name);
      if (!lock) continue;
      remove_spill_files(path);
    } catch (const Error&) {
      continue;  // whatever it is, it is not ours
    }
    rmdir(path.c_str());
  }
}

}  // namespace

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

PrivateSpillFolder::PrivateSpillFolder(const std::filesystem::path& folder, const std::string& host,
                                       int rank) {
  expect_room(folder, 0);
  constexpr int most_attempts = 10;
  for (int attempt = 1; !lock_; ++attempt) {
    std::string name =
        (folder / (host_folder_prefix(host) + std::to_string(rank))).string() + "-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) file_failure(folder, "cannot be written", errno);
    path_ = name;
    try {
      lock_ = LockFile::take_if_free(path_ / lock_name);
    } catch (const Error&) {
      // Another search removes folders that have no lock yet.
      const bool is_removed = rmdir(path_.c_str()) != 0 && errno == ENOENT;
      if (!is_removed || attempt == most_attempts) throw;
    }
  }
}

PrivateSpillFolder::~PrivateSpillFolder() {
  remove_spill_files(path_);
  lock_.reset();
  rmdir(path_.c_str());
}

SpillFolder::SpillFolder(std::filesystem::path folder, Ranks& ranks, const std::string& host)
    : path_(std::move(folder)), ranks_(ranks), hosts_(gather(ranks, host)) {
  const auto rank = static_cast<std::size_t>(ranks.rank());
  ranks.agree("spill-folder", [&] { own_.emplace(path_, host, ranks.rank()); });
  const std::vector<std::string> names = gather(ranks, own_folder().filename().string());
  std::error_code none;
  std::size_t leader = 0;
  while (leader < rank && !std::filesystem::exists(path_ / names[leader], none)) ++leader;
  leaders_ = by_rank(ranks, leader);
  // On all ranks before any of them checks the free space.
  ranks.agree("spill-folder", [&] { clean(); });
}

// Again at the end: at the start, ranks of a killed job may have run on for a second.
SpillFolder::~SpillFolder() {
  clean();
}

void SpillFolder::clean() const {
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  for (std::size_t other = 0; other < rank; ++other) {
    if (leaders_[other] == leaders_[rank] && hosts_[other] == hosts_[rank]) return;
  }
  remove_abandoned_folders(path_, hosts_[rank]);
}

std::string SpillFolder::file_name(std::uint64_t number) {
  return "spill-" + std::to_string(number) + ".blocks";
}

void SpillFolder::expect(std::uint64_t bytes, const std::string& what) const {
  std::error_code unknown;  // then there is no limit
  const auto free = by_rank(ranks_, std::filesystem::space(path_, unknown).available);
  std::vector<std::uint64_t> needed(free.size());  // by leader
  needed[leaders_[static_cast<std::size_t>(ranks_.rank())]] = bytes;
  ranks_.sum(needed);
  for (std::size_t first = 0; first < needed.size(); ++first) {
    if (needed[first] <= free[first]) continue;
    const auto sharing = std::ranges::count(leaders_, first);
    throw CommonError(ErrorKind::resource,
                      fmt::format("{}{}: {} MiB are free, {} MiB are needed{}{}", path_.string(),
                                  leaders_.back() != 0 ? " on " + hosts_[first] : "",
                                  free[first] >> 20, (needed[first] >> 20) + 1,
                                  sharing > 1 ? fmt::format(" by {} ranks", sharing) : "",
                                  what.empty() ? "" : " for " + what));
  }
}

}  // namespace tessera
