// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A text file that only grows, a record a line behind a checksum that also covers the lines
/// before, so that a kill at any byte costs the last record at most and no damage goes unnoticed.
/// One process at a time has it.
class Journal {
 public:
  /// Opens the file, or makes it, and reads what it holds. `kind` is the first record of every
  /// such file: "tessera.checkpoint/1". A last line that was not written to its end is dropped.
  /// Throws Error(corrupt) with the line where it is damaged or no such file, Error(input) where it
  /// cannot be opened or another process has it.
  Journal(std::filesystem::path path, std::string_view kind);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// As read at the start, without the first.
  [[nodiscard]] const std::vector<std::string>& records() const { return records_; }
  /// Whether an incomplete last record was dropped.
  [[nodiscard]] bool dropped() const { return dropped_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Bytes in the file.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Adds records, which hold no line breaks, in one write. Safe from then on against the death of
  /// the process, with `sync` also against that of the machine. Throws Error(resource); the file
  /// then holds what it held before.
  void append(const std::vector<std::string>& records, bool sync);
  /// Puts these records in the place of all others, whole or not at all. Throws Error(resource).
  void replace(const std::vector<std::string>& records);

 private:
  void read();
  [[nodiscard]] std::string line(std::string_view record);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  std::string kind_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t checksum_ = 0;  // of the last line
  std::vector<std::string> records_;
  bool dropped_ = false;
};

}  // namespace tessera
