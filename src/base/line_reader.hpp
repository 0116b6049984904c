// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace tessera {

/// The lines of a file, a pipe or standard input, each as soon as it is there.
class LineReader {
 public:
  /// `-` is standard input. Throws Error(input) if the file cannot be opened.
  explicit LineReader(const std::string& path);

  /// The next line without its line break, of which at most `most_bytes` are kept; empty at the
  /// end, or if `may_continue`, which is asked several times per second, ends the wait. Throws
  /// Error(input) if it cannot be read.
  [[nodiscard]] std::optional<std::string> next(std::size_t most_bytes,
                                                const std::function<bool()>& may_continue);

  /// Whether more of it is there already. Throws Error(input) if it cannot be read.
  [[nodiscard]] bool has_more();

 private:
  [[nodiscard]] bool fill(const std::function<bool()>& may_continue);

  std::string name_;
  Descriptor owned_;
  int file_;
  std::string block_;  // what was read
  std::size_t at_ = 0;
  bool is_cut_ = false;  // a part of a line was read and not given
};

}  // namespace tessera
