// SPDX-License-Identifier: MIT
#include "base/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"

namespace tessera {
namespace {

// Another user's lock may be read-only, which suffices for flock.
Descriptor open_lock(const std::filesystem::path& path) {
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | flags, 0644));
  if (!file.is_open() && errno == EACCES) file = Descriptor(open(path.c_str(), O_RDONLY | flags));
  if (!file.is_open()) file_failure(path, "the lock cannot be opened", errno);
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    bad_input(path.string() + ": is not a regular file, expected a lock");
  }
  return file;
}

std::string content_of(const Descriptor& file) {
  std::array<char, 300> text{};
  const ssize_t count = pread(file.number(), text.data(), text.size(), 0);
  return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

constexpr std::string_view mark = "process ";

// An empty file is a lock whose holder has not written yet, or was killed before.
void expect_lock(const std::filesystem::path& path, const std::string& content) {
  if (content.empty() || content.starts_with(mark)) return;
  bad_input(path.string() + ": is not a lock of tessera, remove it or choose another folder");
}

std::string holder_of(const std::string& content) {
  const std::string holder = content.substr(0, content.find('\n'));
  return holder.empty() ? "another process" : holder;
}

}  // namespace

bool is_at(const Descriptor& file, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  if (fstat(file.number(), &opened) != 0) return true;
  if (stat(path.c_str(), &named) != 0) return errno != ENOENT && errno != ENOTDIR;
  return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool wait_to_take(const std::function<bool()>& take) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (!take()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

LockFile::LockFile(std::filesystem::path path, Descriptor file, bool is_held)
    : path_(std::move(path)), file_(std::move(file)), is_held_(is_held) {
  const std::string text =
      std::string(mark) + std::to_string(getpid()) + " on " + host_name() + "\n";
  // For messages only: a file that may only be read is locked all the same.
  (void)!ftruncate(file_.number(), 0);
  (void)!pwrite(file_.number(), text.data(), text.size(), 0);
}

std::optional<LockFile> LockFile::take(const std::filesystem::path& path, const Waiting& waiting,
                                       Unsupported unsupported) {
  constexpr std::chrono::milliseconds pause{100};
  while (true) {
    Descriptor file = open_lock(path);
    const std::string content = content_of(file);
    expect_lock(path, content);
    if (flock(file.number(), LOCK_EX | LOCK_NB) == 0) {
      // Between opening and locking, the previous holder may have removed the file.
      if (is_at(file, path)) return LockFile(path, std::move(file), true);
      continue;
    }
    if (errno == EINTR) continue;
    const bool has_locks = errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP;
    if (!has_locks && unsupported == Unsupported::ignored) {
      return LockFile(path, std::move(file), false);
    }
    if (errno != EWOULDBLOCK) file_failure(path, "cannot be locked", errno);
    if (!waiting(holder_of(content))) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

std::optional<LockFile> LockFile::take_if_free(const std::filesystem::path& path) {
  return take(path, [](const std::string&) { return false; });
}

void LockFile::remove_if_free(const std::filesystem::path& path) noexcept {
  try {
    if (std::filesystem::exists(std::filesystem::symlink_status(path))) (void)take_if_free(path);
  } catch (const std::exception&) {
    // another user's lock, who can remove it
  }
}

void LockFile::remove_drafts_of(const std::filesystem::path& file) const noexcept {
  if (!is_held_) return;
  std::error_code none;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const std::string begin = "." + file.filename().string() + ".";
  std::filesystem::directory_iterator entry(folder, none);
  for (; !none && entry != std::filesystem::directory_iterator(); entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    const bool is_draft =
        name.size() == begin.size() + 6 && name.starts_with(begin) &&
        std::all_of(name.end() - 6, name.end(), [](unsigned char c) { return std::isalnum(c); });
    std::error_code unknown;
    if (is_draft && std::filesystem::is_regular_file(entry->symlink_status(unknown))) {
      std::filesystem::remove(entry->path(), unknown);
    }
  }
}

std::filesystem::path LockFile::beside(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  name.insert(0, 1, '.').append(".lock");
  return file.parent_path() / name;
}

LockFile::~LockFile() {
  // While it is held, so that waiting processes notice that this file is no longer the lock.
  if (file_.is_open()) unlink(path_.c_str());
}

}  // namespace tessera
