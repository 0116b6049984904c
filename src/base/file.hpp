// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace tessera {

/// Byte ranges that are written to a file one after another.
using FileParts = std::span<const std::span<const std::uint8_t>>;

/// Writes a file atomically: under a temporary name beside it, flushed to disk, then renamed.
/// Creates the folder if it is missing. Throws with the path and the reason, like the functions
/// below: Error(input) for an invalid path, Error(resource) if the system has no space left.
void write_atomically(const std::filesystem::path& path, FileParts parts);

/// Adds a hard link to a file and flushes it to disk; the data survives the removal of `from`.
/// False if the file system does not support links or the paths are on different file systems.
/// Throws if `to` exists or on a disk error.
[[nodiscard]] bool link_whole(const std::filesystem::path& from, const std::filesystem::path& to);

/// Checks before a long computation whether this many bytes can be written into a folder, which is
/// created if it is missing. Throws if not.
void expect_room(const std::filesystem::path& folder, std::uint64_t bytes);

/// A read-only memory-mapped file; all processes that map it share its pages.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws if it cannot be opened or read.
  explicit MappedFile(const std::filesystem::path& path);

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {data_.get(), data_ ? data_.get_deleter().bytes : 0};
  }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(const std::uint8_t* data) const;
  };
  std::unique_ptr<const std::uint8_t[], Unmap> data_;
};

/// Throws Error(corrupt) with the path if the size or modification time of a mapped file has
/// changed since it was opened. Every process whose mapped files contributed to a result calls this
/// before the result is published. If a file is replaced by a rename, its mappings keep the old
/// contents; if it is overwritten in place, they change too, and reading a part that was truncated
/// kills the process with SIGBUS.
void expect_unchanged_mapped_files();

/// The path of the mapped file that contains this address, or null. Async-signal-safe for a SIGBUS
/// handler: takes no lock and allocates nothing.
[[nodiscard]] const char* mapped_path_at(const void* address);

}  // namespace tessera
