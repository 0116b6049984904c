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

/// All files that are mapped now (MappedFile). A file that is replaced by renaming another stays as
/// it was for who has it mapped; one that is overwritten in place changes there too, and to read
/// what was cut off ends the process by SIGBUS.

/// Throws Error(corrupt) with the path where a file's size or time of modification is no longer
/// that at its opening: to be called by each process whose mapped files led to a result, before it
/// is given to anyone.
void expect_unchanged_mapped_files();

/// The path of the mapped file that holds this address, or null: for a handler of SIGBUS, so it
/// takes no lock and no memory. Of more than 512 mapped files the last are not known.
[[nodiscard]] const char* mapped_path_at(const void* address);

}  // namespace tessera
