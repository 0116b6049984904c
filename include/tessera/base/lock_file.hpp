// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tessera/base/descriptor.hpp"

namespace tessera {

/// A file that one process at a time has locked (flock) and that names it; the file goes with the
/// lock, and the lock falls with its process.
class LockFile {
 public:
  /// Called about ten times per second while another process holds the lock, whose description is
  /// "process 123 on host"; false gives up.
  using Waiting = std::function<bool(const std::string& holder)>;

  /// Empty where `waiting` gave up. Throws Error(input) or Error(resource) where the lock cannot be
  /// had at all: without rights, on a file system without locks, where the path is a link, not a
  /// regular file or a file that was not made as a lock.
  [[nodiscard]] static std::optional<LockFile> take(const std::filesystem::path& path,
                                                    const Waiting& waiting);
  /// Empty where another process holds it.
  [[nodiscard]] static std::optional<LockFile> take_if_free(const std::filesystem::path& path);
  /// Removes the lock that a killed process left; nothing where one holds it or it is not ours.
  static void remove_if_free(const std::filesystem::path& path) noexcept;
  /// The lock of who writes `file`: hidden, beside it.
  [[nodiscard]] static std::filesystem::path beside(const std::filesystem::path& file);
  ~LockFile();
  LockFile(LockFile&& other) noexcept = default;
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
  }

 private:
  LockFile(std::filesystem::path path, Descriptor file);

  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace tessera
