// SPDX-License-Identifier: MIT
#include "tessera/base/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tessera/base/descriptor.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

constexpr std::size_t checksum_digits = 16;

std::string hexadecimal(std::uint64_t value) {
  std::string text(checksum_digits, '0');
  for (std::size_t i = checksum_digits; i-- > 0; value >>= 4)
    text[i] = "0123456789abcdef"[value & 15];
  return text;
}

std::uint64_t checksum_of(std::string_view record, std::uint64_t before) {
  return XXH3_64bits_withSeed(record.data(), record.size(), before);
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Journal::Journal(std::filesystem::path path, std::string_view kind)
    : path_(std::move(path)), kind_(kind) {
  constexpr int ways = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(open(path_.c_str(), ways, 0644));
  struct stat status {};
  if (!file.is_open() && errno == ELOOP) {
    bad_input(path_.string() + ": is a symbolic link, expected a regular file");
  }
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    bad_input(path_.string() + ": cannot be opened, " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) bad_input(path_.string() + ": is not a regular file");
  const bool locked = flock(file.number(), LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno != EWOULDBLOCK) file_failure(path_, "cannot be locked", errno);
  struct stat named {};
  // Between the opening and the lock another one may have replaced the file and let this one go.
  if (!locked || stat(path_.c_str(), &named) != 0 || named.st_ino != status.st_ino) {
    bad_input(path_.string() + ": another run has it open");
  }
  descriptor_ = file.number();
  read();
  (void)file.release();
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::fail(const std::string& what) const {
  throw Error(ErrorKind::resource, path_.string() + ": " + what + ", " + std::strerror(errno));
}

std::string Journal::line(std::string_view record) {
  checksum_ = checksum_of(record, checksum_);
  return hexadecimal(checksum_) + " " + std::string(record) + "\n";
}

void Journal::read() {
  std::string text;
  std::array<char, std::size_t{1} << 16> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be read");
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto corrupt = [&](std::size_t number, const char* what) {
    throw Error(ErrorKind::corrupt, path_.string() + ":" + std::to_string(number) + ": " + what);
  };
  // What a kill leaves of the first line, so that no other file is ever overwritten.
  const std::string first = hexadecimal(checksum_of(kind_, 0)) + " " + kind_ + "\n";
  if (!text.starts_with(first) && !first.starts_with(text)) {
    corrupt(1, ("is no " + kind_ + " file, or damaged").c_str());
  }
  std::size_t good = 0;
  for (std::size_t number = 1; good < text.size(); ++number) {
    const std::size_t end = text.find('\n', good);
    if (end == std::string::npos) break;
    const std::string_view whole = std::string_view(text).substr(good, end - good);
    if (whole.size() <= checksum_digits || whole[checksum_digits] != ' ') {
      corrupt(number, "is damaged");
    }
    const std::string_view record = whole.substr(checksum_digits + 1);
    const std::uint64_t checksum = checksum_of(record, checksum_);
    if (whole.substr(0, checksum_digits) != hexadecimal(checksum)) corrupt(number, "is damaged");
    checksum_ = checksum;
    if (number > 1) records_.emplace_back(record);
    good = end + 1;
  }
  dropped_ = good < text.size();
  if (dropped_ && ftruncate(descriptor_, static_cast<off_t>(good)) != 0) fail("cannot be cut");
  size_ = good;
  if (size_ == 0) append({kind_}, false);
}

void Journal::append(const std::vector<std::string>& records, bool sync) {
  const std::uint64_t before = checksum_;
  std::string text;
  for (const std::string& record : records) text += line(record);
  if (!write_all(descriptor_, bytes_of(text)) || (sync && fdatasync(descriptor_) != 0)) {
    const int reason = errno;
    checksum_ = before;
    (void)!ftruncate(descriptor_, static_cast<off_t>(size_));
    errno = reason;
    fail("cannot be written");
  }
  size_ += text.size();
}

void Journal::replace(const std::vector<std::string>& records) {
  DraftFile draft(path_);
  const std::uint64_t before = std::exchange(checksum_, 0);
  std::string text = line(kind_);
  for (const std::string& record : records) text += line(record);
  const int file = draft.file.number();
  // Locked before it takes the name, so that no other process can come between.
  if (flock(file, LOCK_EX | LOCK_NB) != 0 || !write_all(file, bytes_of(text)) ||
      fchmod(file, 0644) != 0 || fdatasync(file) != 0 ||
      rename(draft.path.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    checksum_ = before;
    unlink(draft.path.c_str());
    errno = reason;
    fail("cannot be written anew");
  }
  close(std::exchange(descriptor_, draft.file.release()));
  size_ = text.size();
}

}  // namespace tessera
