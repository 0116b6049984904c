// SPDX-License-Identifier: MIT
#include "tessera/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tessera/base/descriptor.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;  // that of a bare file name: where the program runs
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::error_code no_path;
  if (error && !std::filesystem::is_directory(folder, no_path)) {
    throw Error(failure_kind(error.value()), folder.string() + ": cannot be written (" +
                                                 error.message() + "), expected a writable folder");
  }
}

}  // namespace

void write_atomically(const std::filesystem::path& path,
                      std::span<const std::span<const std::uint8_t>> parts) {
  make_folder(path.parent_path());
  struct stat there {};
  if (lstat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) {
    bad_input(path.string() + ": is not a regular file");  // a device would be replaced
  }
  const DraftFile draft(path);
  const auto give_up = [&](int reason) {
    unlink(draft.path.c_str());
    file_failure(path, "cannot be written", reason);
  };
  for (const std::span<const std::uint8_t> part : parts) {
    if (!write_all(draft.file.number(), part)) give_up(errno);
  }
  // A draft is its owner's alone; tables are for all.
  if (fchmod(draft.file.number(), 0644) != 0 || fsync(draft.file.number()) != 0) give_up(errno);
  if (rename(draft.path.c_str(), path.c_str()) != 0) give_up(errno);
}

bool link_whole(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (link(from.c_str(), to.c_str()) != 0) {
    if (errno == ENOSPC || errno == EDQUOT || errno == EEXIST) {
      file_failure(to, "cannot be written", errno);
    }
    return false;
  }
  const Descriptor file(open(to.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open() || fsync(file.number()) != 0) file_failure(to, "cannot be written", errno);
  return true;
}

void expect_room(const std::filesystem::path& folder, std::uint64_t bytes) {
  make_folder(folder);
  if (access(folder.c_str(), W_OK) != 0) file_failure(folder, "cannot be written", errno);
  struct statvfs system {};
  if (statvfs(folder.c_str(), &system) != 0) return;
  const std::uint64_t free = std::uint64_t{system.f_bavail} * system.f_frsize;
  if (free < bytes) {
    throw Error(ErrorKind::resource, folder.string() + ": " + std::to_string(free >> 20) +
                                         " MiB are free, " + std::to_string((bytes >> 20) + 1) +
                                         " MiB are needed");
  }
}

}  // namespace tessera
