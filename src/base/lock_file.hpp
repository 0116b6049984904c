// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.hpp"

namespace tessera {

/// Whether the path names this open file: other programs may have removed or replaced it. True if
/// that cannot be found out.
[[nodiscard]] bool is_at(const Descriptor& file, const std::filesystem::path& path);

/// Calls `take` until it returns true, for two seconds: ranks whose mpirun was killed run on for
/// one, and hold their files.
[[nodiscard]] bool wait_to_take(const std::function<bool()>& take);

/// A file that one process at a time locks (flock) and that names this process. The file is removed
/// with the lock, and the lock is released when its process ends.
class LockFile {
 public:
  /// Called about ten times per second while another process holds the lock, with that process as
  /// "process 123 on host"; return false to give up.
  using Waiting = std::function<bool(const std::string& holder)>;

  /// Some file systems have no locks. Where several processes may do the same work, they all do.
  enum class Unsupported : std::uint8_t { fails, ignored };

  /// Empty if `waiting` gave up. Throws Error(input) or Error(resource) if locking is impossible:
  /// no permission, a file system without locks, or a path that is a link, not a regular file, or
  /// not a lock file of ours.
  [[nodiscard]] static std::optional<LockFile> take(const std::filesystem::path& path,
                                                    const Waiting& waiting,
                                                    Unsupported unsupported = Unsupported::fails);
  /// Empty if another process holds it.
  [[nodiscard]] static std::optional<LockFile> take_if_free(const std::filesystem::path& path);
  /// Removes a killed process's lock; does nothing if it is held or is not a lock file of ours.
  static void remove_if_free(const std::filesystem::path& path) noexcept;
  /// Removes the drafts of `file` (DraftFile) that killed holders of this lock left. Does nothing
  /// where locks are not supported: others may be writing.
  void remove_drafts_of(const std::filesystem::path& file) const noexcept;
  /// The lock for writing `file`: a hidden file beside it.
  [[nodiscard]] static std::filesystem::path beside(const std::filesystem::path& file);
  ~LockFile();
  LockFile(LockFile&& other) noexcept = default;
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    std::swap(is_held_, other.is_held_);
    return *this;
  }

 private:
  LockFile(std::filesystem::path path, Descriptor file, bool is_held);

  std::filesystem::path path_;
  Descriptor file_;
  bool is_held_;  // false: locks are not supported
};

}  // namespace tessera
