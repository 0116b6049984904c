// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"

namespace tessera {

/// An append-only text file, one record per line. Each line starts with a checksum that also covers
/// the lines before it, so a kill at any byte loses the last record at most and any damage is
/// detected. One process at a time holds the file. Records are streamed: the file may exceed
/// memory.
class Journal {
 public:
  /// A record and the byte range of its line in the file.
  struct Record {
    std::string_view text;
    std::size_t line = 0;  ///< from 1 on, the first is `kind`
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  using Visit = std::function<void(const Record&)>;

  /// Opens or creates the file, checks it, and visits all records except the first. `kind` is the
  /// first record of every such file: "tessera.checkpoint/1". An incomplete last line is dropped.
  /// Throws Error(corrupt) with the line if the file is damaged or of another kind, Error(input) if
  /// it cannot be opened or another process holds it for two seconds.
  Journal(std::filesystem::path path, std::string_view kind, const Visit& visit = {});

  /// Whether an incomplete last record was dropped.
  [[nodiscard]] bool dropped() const { return dropped_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Bytes in the file.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Visits the records in this byte range, which must consist of whole lines, without verifying
  /// them or counting lines again. Throws Error(resource) if they cannot be read.
  void read(std::uint64_t begin, std::uint64_t end, const Visit& visit) const;
  /// Appends records, which must not contain line breaks, in one write. They then survive a crash
  /// of the process, with `sync` also one of the machine. Throws Error(resource); the file is then
  /// unchanged.
  void append(const std::vector<std::string>& records, bool sync);
  /// Drops the records for which `keep` is false, atomically. `keep` sees the byte ranges that
  /// records will have afterwards. Throws Error(resource), or what `keep` throws; the file is then
  /// unchanged.
  void retain(const std::function<bool(const Record&)>& keep);
  /// Gives the file another name, to begin a new one. Throws Error(resource).
  void rename_to(const std::filesystem::path& path);
  /// Whether the path still names this file, with all that was written: other programs ignore the
  /// lock. `retain` and `rename_to` overwrite nothing else.
  [[nodiscard]] bool is_in_place() const;
  /// Throws Error(resource) if it is not.
  void expect_in_place() const;

 private:
  [[nodiscard]] bool open_locked();
  void check(const Visit& visit);
  [[noreturn]] void fail(const std::string& what, int reason = errno) const;

  std::filesystem::path path_;
  std::string kind_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t checksum_ = 0;  // of the last line
  bool dropped_ = false;
};

}  // namespace tessera
