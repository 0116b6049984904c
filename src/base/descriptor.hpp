// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tessera {

/// The kind of error for an errno: input for a path that the user must correct, resource if the
/// system has run out of something.
[[nodiscard]] ErrorKind failure_kind(int reason);
/// Throws an Error of that kind with the path, what failed and the reason.
[[noreturn]] void file_failure(const std::filesystem::path& path, const std::string& what,
                               int reason);

/// A file descriptor, closed by the destructor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Opens a regular file for reading; rejects anything else without blocking on it. Throws
/// Error(input).
[[nodiscard]] Descriptor open_regular(const std::filesystem::path& path);

/// A new hidden file with a random name beside `path`, mode 0600, to be renamed to it later; else
/// the destructor removes it. Throws as file_failure does.
struct DraftFile {
  explicit DraftFile(const std::filesystem::path& path);
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  Descriptor file;
  std::filesystem::path path;
};

/// The bytes of a string, or of an array of trivially copyable values.
[[nodiscard]] std::span<const std::uint8_t> raw_bytes(const auto& values) {
  return {reinterpret_cast<const std::uint8_t*>(std::data(values)),
          std::size(values) * sizeof *std::data(values)};
}

/// Writes all bytes; false, with errno set, if that fails. Waits if the descriptor is non-blocking,
/// as the functions below do.
[[nodiscard]] bool write_all(int file, std::span<const std::uint8_t> bytes);

enum class Pipes : std::uint8_t { refused, read };
/// Reads a whole regular file. Throws Error(input) if it cannot be read, is larger than
/// `most_bytes` or is not a regular file. Pipes::read also accepts a pipe, such as a shell's
/// <(command), and waits until it has a writer.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::uint64_t most_bytes,
                                    Pipes pipes = Pipes::refused);
/// The same for an open descriptor; messages call it `name`.
[[nodiscard]] std::string read_descriptor(int file, const std::string& name,
                                          std::uint64_t most_bytes);

}  // namespace tessera
