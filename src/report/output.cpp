// SPDX-License-Identifier: MIT
#include "tessera/report/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "report/relayed_streams.hpp"
#include "tessera/base/error.hpp"

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
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    bad_input(path + ": cannot be written (" + std::strerror(errno) +
              "), expected a writable path");
  }
  return {descriptor, path, Descriptor(descriptor)};
}

Output::~Output() {
  if (end_) write_all(*end_);
}

bool Output::write_all(std::string_view text) const {
  errno = 0;
  return tessera::write_all(descriptor_, raw_bytes(text));
}

void Output::write(std::string_view text) {
  RelayedStreams* const relayed = RelayedStreams::of_process();
  if (relayed != nullptr) relayed->wait_for_turn(descriptor_);
  // If a user's terminal is gone, failing remarks are no reason to lose the answer.
  if (!write_all(text) && descriptor_ != STDERR_FILENO) {
    const char* const why = errno == EBADF ? "it is closed" : std::strerror(errno);
    internal_failure(name_ + ": cannot be written (" + why + ")");
  }
  if (relayed != nullptr) relayed->written(descriptor_, text.size());
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
