// SPDX-License-Identifier: MIT
#include "base/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace tessera {
namespace {

void expect_regular(int file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) file_failure(path, "cannot be read", errno);
  if (!S_ISREG(status.st_mode)) bad_input(path.string() + ": is not a regular file");
}

[[noreturn]] void unreadable(const std::string& name, int reason) {
  throw Error(failure_kind(reason),
              name + ": cannot be read (" + std::strerror(reason) + "), expected a readable file");
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;  // a bare file name: the working directory
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::error_code no_path;
  if (error && !std::filesystem::is_directory(folder, no_path)) {
    throw Error(failure_kind(error.value()), folder.string() + ": cannot be written (" +
                                                 error.message() + "), expected a writable folder");
  }
}

// After a read or write that returned -1: whether to try it again. Standard streams may be
// non-blocking, as the parent process left them; then this waits until they are ready.
bool may_retry(int file, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd ready{file, events, 0};
  return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

// The caller can correct a wrong path, but not a full disk.
ErrorKind failure_kind(int reason) {
  constexpr int of_paths[] = {ENOENT, ENOTDIR, EISDIR, EACCES,      EPERM,
                              EROFS,  ELOOP,   ENXIO,  ENAMETOOLONG};
  const bool is_of_path = std::ranges::find(of_paths, reason) != std::end(of_paths);
  return is_of_path ? ErrorKind::input : ErrorKind::resource;
}

void file_failure(const std::filesystem::path& path, const std::string& what, int reason) {
  throw Error(failure_kind(reason), path.string() + ": " + what + ", " + std::strerror(reason));
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor open_regular(const std::filesystem::path& path) {
  // Opening a pipe would block, and opening a device may have side effects.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) unreadable(path.string(), errno);
  expect_regular(file.number(), path);
  return file;
}

DraftFile::DraftFile(const std::filesystem::path& whole) {
  std::string name = (whole.parent_path() / ".").string();
  name += whole.filename().string() + ".XXXXXX";
  file = Descriptor(mkostemp(name.data(), O_CLOEXEC | O_APPEND));
  if (!file.is_open()) file_failure(whole, "cannot be written", errno);
  path = name;
}

DraftFile::~DraftFile() {
  unlink(path.c_str());  // there is none under this name once it is renamed
}

bool write_all(int file, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t at_once = std::size_t{64} << 20;
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), std::min(at_once, bytes.size()));
    if (count < 0 && may_retry(file, POLLOUT)) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::string read_descriptor(int file, const std::string& name, std::uint64_t most_bytes) {
  std::string text;
  std::array<char, 65536> block;
  while (true) {
    const ssize_t count = read(file, block.data(), block.size());
    if (count < 0 && may_retry(file, POLLIN)) continue;
    if (count < 0) unreadable(name, errno);
    if (count == 0) return text;
    if (text.size() + static_cast<std::size_t>(count) > most_bytes) {
      bad_input(name + ": is larger than " + std::to_string(most_bytes) + " bytes");
    }
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::filesystem::path& path, std::uint64_t most_bytes, Pipes pipes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) unreadable(path.string(), errno);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) unreadable(path.string(), errno);
  if (S_ISDIR(status.st_mode)) unreadable(path.string(), EISDIR);
  if (pipes == Pipes::read && S_ISFIFO(status.st_mode)) {
    // Waits for a writer's first bytes or its end; from then on a read waits for the rest.
    pollfd writer{file.number(), POLLIN, 0};
    while (poll(&writer, 1, -1) < 0 && errno == EINTR) {
    }
    if (fcntl(file.number(), F_SETFL, 0) != 0) unreadable(path.string(), errno);
  } else {
    expect_regular(file.number(), path);
  }
  return read_descriptor(file.number(), path.string(), most_bytes);
}

void write_atomically(const std::filesystem::path& path, FileParts parts) {
  make_folder(path.parent_path());
  struct stat there {};
  if (lstat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) {
    bad_input(path.string() + ": is not a regular file");  // a device would be replaced
  }
  const DraftFile draft(path);
  const int file = draft.file.number();
  const bool whole = std::ranges::all_of(parts, [&](auto part) { return write_all(file, part); });
  // Drafts are private to their owner; tables are for all users.
  if (!whole || fchmod(file, 0644) != 0 || fsync(file) != 0 ||
      rename(draft.path.c_str(), path.c_str()) != 0) {
    file_failure(path, "cannot be written", errno);
  }
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
  std::error_code unknown;  // on failure, no limit
  const std::uint64_t free = std::filesystem::space(folder, unknown).available;
  if (free < bytes) {
    out_of_resources(folder.string() + ": " + std::to_string(free >> 20) + " MiB are free, " +
                     std::to_string((bytes >> 20) + 1) + " MiB are needed");
  }
}

}  // namespace tessera
