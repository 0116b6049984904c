// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/lock_file.hpp"
#include "base/machine.hpp"
#include "base/ranks.hpp"

namespace tessera {

/// The names of files and folders in a folder, as far as they can be listed.
[[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

/// A locked sub-folder of `folder` with a unique name, private to this user; the destructor removes
/// it and the spill files in it.
class PrivateSpillFolder {
 public:
  /// Throws as file_failure does.
  PrivateSpillFolder(const std::filesystem::path& folder, const std::string& host, int rank);
  ~PrivateSpillFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<LockFile> lock_;
};

/// The folder of disk mode: one that all ranks share, or one on each host under the same path. Each
/// rank works in its own locked sub-folder, private to its user, and removes it at the end. Nothing
/// else in the folder is touched, except sub-folders that killed searches of the same user on these
/// hosts left, recognized by their free locks. All calls are collective; they throw CommonError.
class SpillFolder {
 public:
  /// Throws if a rank cannot write there. `host`: this rank's.
  SpillFolder(std::filesystem::path folder, Ranks& ranks, const std::string& host = host_name());
  ~SpillFolder();

  /// This rank's sub-folder, and the names of files in it.
  [[nodiscard]] const std::filesystem::path& own_folder() const { return own_->path(); }
  [[nodiscard]] static std::string file_name(std::uint64_t number);

  /// Throws, with the numbers, if a folder has less room than the ranks that share it need in
  /// total. `what` needs it: "depth 31".
  void expect(std::uint64_t bytes, const std::string& what) const;

 private:
  // Removes what killed searches left, on the first rank of each host that uses the folder.
  void clean() const;

  std::filesystem::path path_;
  Ranks& ranks_;
  const std::vector<std::string> hosts_;  // by rank
  std::optional<PrivateSpillFolder> own_;
  std::vector<std::uint64_t> leaders_;  // by rank: the first rank with the same folder
};

}  // namespace tessera
