// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace tessera {

/// Bytes that follow one another in a file.
using FileParts = std::span<const std::span<const std::uint8_t>>;

/// Writes a file whole or not at all: under another name beside it, forced to disk, then renamed.
/// Makes the folder where it is missing. Throws with the path and the reason, here as below:
/// Error(input) for a path that cannot be, Error(resource) where the system has no room.
void write_atomically(const std::filesystem::path& path, FileParts parts);

/// Gives a file another name, where it lives on when the first goes, and forces it to disk;
/// replaces what has that name. False where the file system or a border between two does not let
/// it. Throws where the disk does not take it.
[[nodiscard]] bool link_whole(const std::filesystem::path& from, const std::filesystem::path& to);

/// Finds out before a long work whether so many bytes can be written into a folder, which is made
/// where it is missing. Throws where not.
void expect_room(const std::filesystem::path& folder, std::uint64_t bytes);

/// A file in memory, read-only, its pages shared with every process that maps it.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws where it cannot be opened or read.
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

}  // namespace tessera
