// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tessera/base/lock_file.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// The files and folders in a folder, as far as they can be listed.
[[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

/// A locked sub-folder of `folder` with a name of its own, private to this user; it goes with the
/// object, with the spill files in it.
class PrivateSpillFolder {
 public:
  /// Throws as file_failure does.
  PrivateSpillFolder(const std::filesystem::path& folder, int rank);
  ~PrivateSpillFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<LockFile> lock_;
};

/// The folder of disk mode as the ranks have it: one that they share, or each host one of its own
/// under the same path. Each rank works in a locked sub-folder that it made itself, private to its
/// user, and removes that at the end. Nothing else in the folder is touched but sub-folders of the
/// same user and host whose search was killed, as their lock is free. All calls are collective;
/// they throw CommonError.
class SpillFolder {
 public:
  /// Throws where a rank cannot write there.
  SpillFolder(std::filesystem::path folder, Exchange& exchange);
  ~SpillFolder();

  /// This rank's sub-folder, and what files in it are called.
  [[nodiscard]] const std::filesystem::path& own_folder() const { return own_->path(); }
  [[nodiscard]] static std::string file_name(std::uint64_t number);

  /// Throws, with the figures, where a folder has less room than the ranks that share it need
  /// together. `what` needs it: "depth 31".
  void expect(std::uint64_t bytes, const std::string& what) const;

 private:
  std::filesystem::path path_;
  Exchange& exchange_;
  std::optional<PrivateSpillFolder> own_;
  std::vector<std::uint64_t> leaders_;  // by rank: the first who has the same folder
  std::vector<std::string> hosts_;      // by rank
};

}  // namespace tessera
