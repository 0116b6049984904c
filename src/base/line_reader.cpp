// SPDX-License-Identifier: MIT
#include "base/line_reader.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void unreadable(const std::string& name) {
  throw Error(failure_kind(errno), name + ": cannot be read (" + std::strerror(errno) +
                                       "), expected a readable file or pipe");
}

}  // namespace

// Opening a pipe without a writer would block.
LineReader::LineReader(const std::string& path)
    : name_(path),
      owned_(path == "-"
                 ? Descriptor()
                 : Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))),
      file_(path == "-" ? STDIN_FILENO : owned_.number()) {
  if (file_ < 0 || read(file_, nullptr, 0) < 0) unreadable(name_);
}

std::optional<std::string> LineReader::next(std::size_t most_bytes,
                                            const std::function<bool()>& may_continue) {
  std::string line;
  bool begun = false;
  while (at_ < block_.size() || fill(may_continue)) {
    begun = true;
    const std::size_t end = std::min(block_.find('\n', at_), block_.size());
    const std::size_t room = most_bytes - line.size();
    line.append(block_, at_, std::min(end - at_, room));
    at_ = end + 1;
    if (end < block_.size()) return line;
  }
  if (begun && may_continue()) return line;
  is_cut_ = begun;
  return {};
}

bool LineReader::has_more() {
  bool asked = false;
  return is_cut_ || at_ < block_.size() || fill([&] { return !std::exchange(asked, true); });
}

bool LineReader::fill(const std::function<bool()>& may_continue) {
  constexpr int interval_milliseconds = 100;
  constexpr std::size_t most = 65536;
  while (may_continue()) {
    pollfd ready{file_, POLLIN, 0};
    const int found = poll(&ready, 1, interval_milliseconds);
    if (found < 0 && errno != EINTR) unreadable(name_);
    if (found <= 0) continue;
    block_.resize(most);
    at_ = 0;
    const ssize_t count = read(file_, block_.data(), most);
    block_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (count >= 0) return count > 0;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) unreadable(name_);
  }
  return false;
}

}  // namespace tessera
