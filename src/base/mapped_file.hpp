// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace tessera {

/// A read-only memory-mapped file; all processes that map it share its pages.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws if it cannot be opened or read.
  explicit MappedFile(const std::filesystem::path& path);

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {data_.get(), data_ ? data_.get_deleter().bytes : 0};
  }
  /// False once a change was noticed: who needs the file must map it again.
  [[nodiscard]] bool is_unchanged() const;

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(const std::uint8_t* data) const;
  };
  std::unique_ptr<const std::uint8_t[], Unmap> data_;
};

/// Looks for changes of mapped files.
void notice_file_changes();
/// How many this process has noticed.
[[nodiscard]] std::uint64_t noticed_file_changes();

/// The path of a file whose size or modification time has changed while it was mapped; empty if
/// there is none. If a file is replaced by a rename, its mappings keep the old contents; if it is
/// overwritten in place, they change too, and reading a part that was truncated kills the process
/// with SIGBUS.
///
/// The first `earlier` noticed changes do not count. A search passes how many there were before it
/// opened its files: it uses no mapping of a file that was known to have changed.
[[nodiscard]] std::string changed_mapped_file(std::uint64_t earlier);
/// Throws Error(corrupt) with that path. Every process whose mapped files contributed to a result
/// calls this before the result is published.
void expect_unchanged_mapped_files(std::uint64_t earlier);

/// The path of the mapped file that contains this address, or null. Async-signal-safe for a SIGBUS
/// handler: takes no lock and allocates nothing.
[[nodiscard]] const char* mapped_path_at(const void* address);

}  // namespace tessera
