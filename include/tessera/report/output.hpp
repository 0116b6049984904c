// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/base/descriptor.hpp"

namespace tessera {

/// A stream that text goes to whole, so that a full disk or a closed pipe is an error and not a
/// silently shorter file.
class Output {
 public:
  /// The process's standard output or standard error.
  static Output standard_output();
  static Output standard_error();
  /// Opens `path` for writing. Throws Error(input) where that cannot be, before any work is lost.
  static Output file(const std::string& path);
  /// The same; `-` is standard output.
  static Output at(const std::string& path);

  ~Output();
  Output(Output&&) noexcept = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  Output& operator=(Output&&) = delete;

  /// Writes without a buffer, if possible in a single system call. Throws Error(internal) that
  /// names the stream and the system's reason.
  void write(std::string_view text);
  /// Writes `text` and behind it `end`, which the next call writes over, so that the file is whole
  /// at any time. What is not a file, such as a pipe, gets `end` when it is closed. Not mixed with
  /// `write`.
  void write_before(std::string_view end, std::string_view text);

 private:
  Output(int descriptor, std::string name, Descriptor owned = {})
      : descriptor_(descriptor), name_(std::move(name)), owned_(std::move(owned)) {}
  bool write_all(std::string_view text) const;  // false with errno
  int descriptor_;
  std::string name_;
  Descriptor owned_;
  std::unique_ptr<std::string> end_;  // that is to come
};

}  // namespace tessera
