// SPDX-License-Identifier: MIT
#include "tessera/base/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "tessera/base/error.hpp"

namespace tessera {
namespace {

// A wrong path is the caller's to mend, a full disk is not.
ErrorKind kind_of(int reason) {
  switch (reason) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case ENAMETOOLONG:
      return ErrorKind::input;
    default:
      return ErrorKind::resource;
  }
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  const int reason = errno;
  throw Error(kind_of(reason), path.string() + ": " + what + ", " + std::strerror(reason));
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;  // that of a bare file name: where the program runs
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::error_code no_path;
  if (error && !std::filesystem::is_directory(folder, no_path)) {
    throw Error(kind_of(error.value()), folder.string() + ": cannot be written (" +
                                            error.message() + "), expected a writable folder");
  }
}

}  // namespace

void write_atomically(const std::filesystem::path& path,
                      std::span<const std::span<const std::uint8_t>> parts) {
  make_folder(path.parent_path());
  struct stat there {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    bad_input(path.string() + ": is no file");  // a device would be replaced
  }
  std::string draft = (path.parent_path() / ".").string();
  draft += path.filename().string() + ".XXXXXX";
  const int descriptor = mkstemp(draft.data());
  if (descriptor < 0) fail(path, "cannot be written");
  const auto give_up = [&] {
    const int reason = errno;
    close(descriptor);
    unlink(draft.c_str());
    errno = reason;
    fail(path, "cannot be written");
  };
  constexpr std::size_t at_once = std::size_t{64} << 20;
  for (const std::span<const std::uint8_t> part : parts) {
    for (std::size_t done = 0; done < part.size();) {
      const ssize_t count =
          write(descriptor, part.data() + done, std::min(at_once, part.size() - done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) give_up();
      done += static_cast<std::size_t>(count);
    }
  }
  // mkstemp lets only the owner read; tables are for all.
  if (fchmod(descriptor, 0644) != 0 || fsync(descriptor) != 0) give_up();
  close(descriptor);
  if (rename(draft.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    unlink(draft.c_str());
    errno = reason;
    fail(path, "cannot be written");
  }
}

bool link_whole(const std::filesystem::path& from, const std::filesystem::path& to) {
  unlink(to.c_str());
  if (link(from.c_str(), to.c_str()) != 0) {
    if (errno == ENOSPC || errno == EDQUOT) fail(to, "cannot be written");
    return false;
  }
  const int descriptor = open(to.c_str(), O_RDONLY | O_CLOEXEC);
  const bool forced = descriptor >= 0 && fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  errno = reason;
  if (!forced) fail(to, "cannot be written");
  return true;
}

void expect_room(const std::filesystem::path& folder, std::uint64_t bytes) {
  make_folder(folder);
  if (access(folder.c_str(), W_OK) != 0) fail(folder, "cannot be written");
  struct statvfs system {};
  if (statvfs(folder.c_str(), &system) != 0) return;
  const std::uint64_t free = std::uint64_t{system.f_bavail} * system.f_frsize;
  if (free < bytes) {
    throw Error(ErrorKind::resource, folder.string() + ": " + std::to_string(free >> 20) +
                                         " MiB are free, " + std::to_string((bytes >> 20) + 1) +
                                         " MiB are needed");
  }
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(kind_of(errno), path.string() + ": cannot be read (" + std::strerror(errno) +
                                    "), expected a readable file");
  }
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    bad_input(path.string() + ": is no file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* const memory = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    const int reason = errno;
    close(descriptor);
    errno = reason;
    if (memory == MAP_FAILED) fail(path, "cannot be mapped");
    data_ = static_cast<const std::uint8_t*>(memory);
  } else {
    close(descriptor);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::uint8_t*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileLock::FileLock(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace tessera
