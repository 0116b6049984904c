// SPDX-License-Identifier: MIT
#include "base/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/error.hpp"
#include "base/lock_file.hpp"

namespace tessera {
namespace {

constexpr std::size_t checksum_digits = 16;

std::string digits_of(std::uint64_t checksum) {
  return fmt::format("{:0{}x}", checksum, checksum_digits);
}

std::uint64_t checksum_of(std::string_view record, std::uint64_t before) {
  return XXH3_64bits_withSeed(record.data(), record.size(), before);
}

// The line of a record; `checksum` is that of the line before, and becomes its own.
std::string line_of(std::string_view record, std::uint64_t& checksum) {
  checksum = checksum_of(record, checksum);
  return digits_of(checksum) + " " + std::string(record) + "\n";
}

// Calls visit(line without its end, offset) for each whole line in this byte range of a file.
// Returns the end of the last one; empty, with errno set, if the file cannot be read.
template <class Visit>
std::optional<std::uint64_t> each_line(int file, std::uint64_t begin, std::uint64_t end,
                                       const Visit& visit) {
  std::string text;  // read but not visited, from `begin` on
  std::array<char, std::size_t{1} << 16> buffer{};
  for (std::uint64_t at = begin; at < end;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - at));
    const ssize_t count = pread(file, buffer.data(), wanted, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {};
    if (count == 0) break;
    at += static_cast<std::uint64_t>(count);
    std::size_t searched = text.size();
    std::size_t start = 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t stop = 0; (stop = text.find('\n', searched)) != std::string::npos;) {
      visit(std::string_view(text).substr(start, stop - start), begin);
      begin += stop + 1 - start;
      searched = start = stop + 1;
    }
    text.erase(0, start);
  }
  return begin;
}

std::string_view record_of(std::string_view line) {
  return line.substr(checksum_digits + 1);
}

}  // namespace

Journal::Journal(std::filesystem::path path, std::string_view kind, const Visit& visit)
    : path_(std::move(path)), kind_(kind) {
  if (!wait_to_take([&] { return open_locked(); })) {
    bad_input(path_.string() +
              ": another run has it open; wait until it ends, or name another file");
  }
  check(visit);
}

// False while another process holds it.
bool Journal::open_locked() {
  constexpr int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(open(path_.c_str(), flags, 0644));
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
  // Between opening and locking, another process may have replaced the file and released this one.
  if (!locked || !is_at(file, path_)) return false;
  file_ = std::move(file);
  return true;
}

void Journal::fail(const std::string& what, int reason) const {
  out_of_resources(path_.string() + ": " + what + ", " + std::strerror(reason));
}

void Journal::check(const Visit& visit) {
  const auto corrupt = [&](std::size_t number, const std::string& what) {
    bad_file(path_.string() + ":" + std::to_string(number) + ": " + what);
  };
  // What a kill leaves of the first line is a prefix of it, so no other file is ever overwritten.
  std::uint64_t checksum = 0;
  const std::string first = line_of(kind_, checksum);
  std::string begin(first.size(), '\0');
  const ssize_t there = pread(file_.number(), begin.data(), begin.size(), 0);
  if (there < 0) fail("cannot be read");
  begin.resize(static_cast<std::size_t>(there));
  if (!first.starts_with(begin)) corrupt(1, "is no " + kind_ + " file, or damaged");
  std::size_t number = 0;
  const auto check_line = [&](std::string_view line, std::uint64_t at) {
    ++number;
    const bool has_record = line.size() > checksum_digits && line[checksum_digits] == ' ';
    const std::string_view record = has_record ? record_of(line) : "";
    checksum_ = checksum_of(record, checksum_);
    if (!has_record || !line.starts_with(digits_of(checksum_)))
      corrupt(number, "is damaged; delete it to start over");
    if (number > 1 && visit) visit({record, number, at, at + line.size() + 1});
  };
  constexpr auto whole = std::numeric_limits<std::uint64_t>::max();
  const auto good = each_line(file_.number(), 0, whole, check_line);
  struct stat status {};
  if (!good || fstat(file_.number(), &status) != 0) fail("cannot be read");
  size_ = *good;
  dropped_ = size_ < static_cast<std::uint64_t>(status.st_size);
  if (dropped_ && ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) fail("cannot be cut");
  if (size_ == 0) append({kind_}, false);
}

void Journal::read(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
  const auto visit_line = [&](std::string_view line, std::uint64_t at) {
    visit({record_of(line), 0, at, at + line.size() + 1});
  };
  if (each_line(file_.number(), begin, end, visit_line) != end) fail("cannot be read");
}

void Journal::append(const std::vector<std::string>& records, bool sync) {
  std::uint64_t checksum = checksum_;
  std::string text;
  for (const std::string& record : records) text += line_of(record, checksum);
  if (!write_all(file_.number(), raw_bytes(text)) || (sync && fdatasync(file_.number()) != 0)) {
    const int reason = errno;
    (void)!ftruncate(file_.number(), static_cast<off_t>(size_));
    fail("cannot be written", reason);
  }
  checksum_ = checksum;
  size_ += text.size();
}

bool Journal::is_in_place() const {
  struct stat status {};
  return is_at(file_, path_) && fstat(file_.number(), &status) == 0 &&
         static_cast<std::uint64_t>(status.st_size) >= size_;
}

void Journal::expect_in_place() const {
  if (is_in_place()) return;
  out_of_resources(path_.string() + ": was removed, replaced or cut by another program");
}

void Journal::rename_to(const std::filesystem::path& path) {
  expect_in_place();
  if (rename(path_.c_str(), path.c_str()) != 0) fail("cannot be renamed");
  path_ = path;
}

void Journal::retain(const std::function<bool(const Record&)>& keep) {
  constexpr std::size_t room = std::size_t{1} << 16;
  DraftFile draft(path_);
  const int file = draft.file.number();
  std::uint64_t checksum = 0;
  std::string text = line_of(kind_, checksum);
  std::uint64_t written = 0;
  std::size_t number = 0;
  // Locked before it gets the name, so that no other process can intervene.
  bool whole = flock(file, LOCK_EX | LOCK_NB) == 0;
  const auto flush = [&] {
    whole = whole && write_all(file, raw_bytes(text));
    written += text.size();
    text.clear();
  };
  const auto take = [&](std::string_view old_line, std::uint64_t /*at*/) {
    const std::string_view record = record_of(old_line);
    const std::uint64_t at = written + text.size();
    if (++number == 1 || !keep({record, number, at, at + old_line.size() + 1})) return;
    text += line_of(record, checksum);
    if (text.size() >= room) flush();
  };
  const bool read = each_line(file_.number(), 0, size_, take) == size_;
  whole = whole && read;
  flush();
  expect_in_place();
  if (!whole || fchmod(file, 0644) != 0 || fdatasync(file) != 0 ||
      rename(draft.path.c_str(), path_.c_str()) != 0) {
    fail("cannot be rewritten");
  }
  file_ = std::move(draft.file);
  size_ = written;
  checksum_ = checksum;
}

}  // namespace tessera
