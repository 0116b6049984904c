// SPDX-License-Identifier: MIT
#include "tessera/report/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tessera/base/error.hpp"

namespace tessera {

Output Output::standard_output() {
  return {stdout, "standard output", false};
}
Output Output::standard_error() {
  return {stderr, "standard error", false};
}

Output Output::file(const std::string& path) {
  std::FILE* stream = std::fopen(path.c_str(), "we");
  if (stream == nullptr) {
    bad_input(path + ": cannot be written (" + std::strerror(errno) +
              "), expected a writable path");
  }
  return {stream, path, true};
}

Output::~Output() {
  if (stream_ == nullptr) return;
  if (!end_.empty()) std::fwrite(end_.data(), 1, end_.size(), stream_);
  if (owned_) std::fclose(stream_);
}

Output::Output(Output&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      name_(std::move(other.name_)),
      owned_(other.owned_),
      offset_(other.offset_),
      end_(std::exchange(other.end_, {})) {}

void Output::write(std::string_view text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stream_) == text.size() && std::fflush(stream_) == 0;
  // Remarks for a person who no longer listens are no reason to lose the answer.
  if (!written && stream_ != stderr) {
    const char* const why = errno == EBADF ? "it is closed" : std::strerror(errno);
    throw Error(ErrorKind::internal, name_ + ": cannot be written (" + why + ")");
  }
}

void Output::write_before(std::string_view end, std::string_view text) {
  struct stat status {};
  const int file = fileno(stream_);
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    write(text);
    end_ = end;
    return;
  }
  std::string all(text);
  all += end;
  // One call of the system, so that no kill leaves a half of it.
  for (std::size_t done = 0; done < all.size();) {
    const ssize_t written = pwrite(file, all.data() + done, all.size() - done,
                                   offset_ + static_cast<std::int64_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error(ErrorKind::internal,
                  name_ + ": cannot be written (" + std::strerror(errno) + ")");
    }
    done += static_cast<std::size_t>(written);
  }
  offset_ += static_cast<std::int64_t>(text.size());
}

}  // namespace tessera
