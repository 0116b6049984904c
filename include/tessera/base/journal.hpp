// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/descriptor.hpp"

namespace tessera {

/// A text file that only grows, a record a line behind a checksum that also covers the lines
/// before, so that a kill at any byte costs the last record at most and no damage goes unnoticed.
/// One process at a time has it. Records are read as a stream, so that the file may be larger than
/// memory.
class Journal {
 public:
  /// A record and the bytes of the file that its line takes.
  struct Record {
    std::string_view text;
    std::size_t line = 0;  ///< from 1 on, the first is `kind`
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  using Visit = std::function<void(const Record&)>;

  /// Opens the file, or makes it, checks it, and visits all records but the first. `kind` is the
  /// first record of every such file: "tessera.checkpoint/1". A last line that was not written to
  /// its end is dropped. Throws Error(corrupt) with the line where it is damaged or no such file,
  /// Error(input) where it cannot be opened or another process has it.
  Journal(std::filesystem::path path, std::string_view kind, const Visit& visit = {});

  /// Whether an incomplete last record was dropped.
  [[nodiscard]] bool dropped() const { return dropped_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Bytes in the file.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Visits the records in these bytes of the file, which were those of whole lines, without
  /// checking them or counting lines again. Throws Error(resource) where they cannot be read.
  void read(std::uint64_t begin, std::uint64_t end, const Visit& visit) const;
  /// Adds records, which hold no line breaks, in one write. Safe from then on against the death of
  /// the process, with `sync` also against that of the machine. Throws Error(resource); the file
  /// then holds what it held before.
  void append(const std::vector<std::string>& records, bool sync);
  /// Drops the records for which `keep`, which sees them where they will stand, is false: whole or
  /// not at all. Throws Error(resource).
  void retain(const std::function<bool(const Record&)>& keep);

 private:
  void check(const Visit& visit);
  [[nodiscard]] std::string line(std::string_view record);
  [[noreturn]] void fail(const std::string& what, int reason = errno) const;

  std::filesystem::path path_;
  std::string kind_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t checksum_ = 0;  // of the last line
  bool dropped_ = false;
};

}  // namespace tessera
