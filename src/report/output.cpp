// SPDX-License-Identifier: MIT
#include "report/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace tessera {

Output Output::standard_output() {
  return {STDOUT_FILENO, "standard output"};
}
Output Output::standard_error() {
  return {STDERR_FILENO, "standard error"};
}

Output Output::at(const std::string& path) {
  return path == "-" ? standard_output() : file(path);
}

Output Output::file(const std::string& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  Descriptor file(open(path.c_str(), flags | O_EXCL, 0666));
  const bool created = file.is_open();
  if (!created && errno == EEXIST) file = Descriptor(open(path.c_str(), flags, 0666));
  if (!file.is_open()) {
    bad_input(path + ": cannot be written (" + std::strerror(errno) +
              "), expected a writable path");
  }
  const int descriptor = file.number();
  struct stat status {};
  const bool is_regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  // Two runs would write over each other's rows. Where locks are not supported, they may.
  if (is_regular && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    bad_input(path + ": another run writes it; wait until it ends, or name another file");
  }
  Output output(descriptor, path, std::move(file));
  if (is_regular) output.untouched_ = created ? Untouched::created : Untouched::earlier;
  return output;
}

Output::Output(Output&& other) noexcept
    : descriptor_(other.descriptor_),
      name_(std::move(other.name_)),
      owned_(std::move(other.owned_)),
      untouched_(std::exchange(other.untouched_, Untouched::no)),
      end_(std::move(other.end_)) {}

Output::~Output() {
  if (end_) write_all(*end_);
  if (untouched_ == Untouched::created && is_in_place_and_empty()) unlink(name_.c_str());
}

// Unless another program has put something there since.
bool Output::is_in_place_and_empty() const {
  struct stat open {};
  struct stat named {};
  return fstat(descriptor_, &open) == 0 && open.st_size == 0 && lstat(name_.c_str(), &named) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

bool Output::write_all(std::string_view text) {
  errno = 0;
  const Untouched before = std::exchange(untouched_, Untouched::no);
  if (before == Untouched::earlier && ftruncate(descriptor_, 0) != 0) return false;
  return tessera::write_all(descriptor_, raw_bytes(text));
}

void Output::write(std::string_view text) {
  // If a user's terminal is gone, failing remarks are no reason to lose the answer.
  if (!write_all(text) && descriptor_ != STDERR_FILENO) {
    const char* const why = errno == EBADF ? "it is closed" : std::strerror(errno);
    internal_failure(name_ + ": cannot be written (" + why + ")");
  }
}

void Output::write_before(std::string_view end, std::string_view text) {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    write(text);
    end_ = std::make_unique<std::string>(end);
    return;
  }
  // One system call, so that a kill cannot leave half of it.
  write(std::string(text).append(end));
  lseek(descriptor_, -static_cast<off_t>(end.size()), SEEK_CUR);
}

}  // namespace tessera
