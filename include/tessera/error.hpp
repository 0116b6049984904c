// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace tessera::api {

/// What went wrong.
enum class ErrorKind {
  internal,  ///< a failure that no input causes
  input,     ///< a bad board, name or combination of options
  resource,  ///< not enough memory or disk
  corrupt,   ///< a file that is damaged or belongs to something else
};

/// The only exception of this library. `what()` is one line, written for the user of a program, in
/// the words of the command line: "heuristic 'manhatten' is unknown, did you mean manhattan?".
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace tessera::api
