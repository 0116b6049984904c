// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
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

}  // namespace tessera
