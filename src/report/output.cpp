// SPDX-License-Identifier: MIT
#include "tessera/report/output.hpp"

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
  if (owned_ && stream_ != nullptr) std::fclose(stream_);
}

Output::Output(Output&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      name_(std::move(other.name_)),
      owned_(other.owned_) {}

void Output::write(std::string_view text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stream_) == text.size() && std::fflush(stream_) == 0;
  // Remarks for a person who no longer listens are no reason to lose the answer.
  if (!written && stream_ != stderr) {
    throw Error(ErrorKind::internal, name_ + ": cannot be written (" + std::strerror(errno) + ")");
  }
}

}  // namespace tessera
