// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.hpp"

namespace tessera {

/// An output stream that checks every write, so that a full disk or a closed pipe is an error
/// rather than a silently truncated file.
class Output {
 public:
  /// The process's standard output or standard error.
  static Output standard_output();
  static Output standard_error();
  /// Opens `path` for writing, locked. Throws Error(input) on failure, or if another run has it
  /// open, before any work is lost. An earlier
  /// file keeps its content until the first write, and a new one to which nothing is written is
  /// removed at the end.
  static Output file(const std::string& path);
  /// The same; `-` is standard output.
  static Output at(const std::string& path);

  ~Output();
  Output(Output&& other) noexcept = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  Output& operator=(Output&&) = delete;

  /// Writes unbuffered, if possible in a single system call. Throws Error(internal) with the name
  /// of the stream and the system's reason.
  void write(std::string_view text);
  /// Writes `text` followed by `end`, which the next call overwrites, so that the file is always
  /// complete. A stream that is not a file, such as a pipe, gets `end` when it is closed. Not to be
  /// mixed with `write`.
  void write_before(std::string_view end, std::string_view text);

 private:
  Output(int descriptor, std::string name, Descriptor owned = {})
      : descriptor_(descriptor), name_(std::move(name)), owned_(std::move(owned)) {}
  bool write_all(std::string_view text);  // false with errno
  void expect_kept() const;               // throws Error(internal) if its file was removed
  int descriptor_;
  std::string name_;
  Descriptor owned_;
  bool has_name_ = false;  // had one when it was opened
  // Of a file to which nothing has been written yet: earlier content, or it was created here.
  enum class Untouched : std::uint8_t { no, earlier, created } untouched_ = Untouched::no;
  std::unique_ptr<std::string> end_;  // still to be written
};

}  // namespace tessera
