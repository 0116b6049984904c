// SPDX-License-Identifier: MIT
#include "report/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "base/lock_file.hpp"

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

namespace {

// An open file description lock: it does not clash with flock(1), by which jobs of a script wait
// for one another. True where locks are not supported.
bool take_lock(const Descriptor& file) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(file.number(), F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

struct OpenedFile {
  Descriptor file;
  bool is_new = false;
  bool is_regular = false;
  bool has_name = false;  // not so where /dev/stdout is a file without one
};

// Empty while another run writes it: two would write over each other's rows.
std::optional<OpenedFile> opened(const std::string& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  OpenedFile opened{Descriptor(open(path.c_str(), flags | O_EXCL, 0666))};
  opened.is_new = opened.file.is_open();
  if (!opened.is_new && errno == EEXIST) {
    opened.file = Descriptor(open(path.c_str(), flags, 0666));
  }
  if (!opened.file.is_open()) {
    bad_input(path + ": cannot be written (" + std::strerror(errno) +
              "), expected a writable path");
  }
  struct stat status {};
  opened.is_regular = fstat(opened.file.number(), &status) == 0 && S_ISREG(status.st_mode);
  opened.has_name = opened.is_regular && status.st_nlink > 0;
  // Between opening and locking, the other run may have removed it.
  if (opened.is_regular && (!take_lock(opened.file) || !is_at(opened.file, path))) return {};
  return opened;
}

}  // namespace

Output Output::file(const std::string& path) {
  std::optional<OpenedFile> file;
  if (!wait_to_take([&] { return (file = opened(path)).has_value(); })) {
    bad_input(path + ": another run writes it; wait until it ends, or name another file");
  }
  const int descriptor = file->file.number();
  Output output(descriptor, path, std::move(file->file));
  output.has_name_ = file->has_name;
  if (file->is_regular) output.untouched_ = file->is_new ? Untouched::created : Untouched::earlier;
  return output;
}

Output::~Output() {
  if (end_) write_all(*end_);
  struct stat status {};
  // Unless it was moved, or another program has put something there since.
  if (untouched_ == Untouched::created && fstat(owned_.number(), &status) == 0 &&
      status.st_size == 0 && is_at(owned_, name_)) {
    unlink(name_.c_str());
  }
}

bool Output::write_all(std::string_view text) {
  errno = 0;
  const Untouched before = std::exchange(untouched_, Untouched::no);
  if (before == Untouched::earlier && ftruncate(descriptor_, 0) != 0) return false;
  return tessera::write_all(descriptor_, raw_bytes(text));
}

void Output::expect_kept() const {
  struct stat status {};
  if (has_name_ && fstat(descriptor_, &status) == 0 && status.st_nlink == 0) {
    internal_failure(name_ + ": was removed by another program, and what was written is lost");
  }
}

void Output::write(std::string_view text) {
  expect_kept();
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
