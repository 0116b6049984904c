// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// What went wrong, as far as callers distinguish cases; cli/ maps each kind to an exit code.
enum class ErrorKind {
  internal,  ///< a failure that no input causes (exit code 1)
  input,     ///< usage, configuration or bad input (2)
  resource,  ///< not enough memory or disk (5)
  corrupt,   ///< a file that is damaged or belongs to something else (6)
};

/// The only exception type of the core: its message is one line, written for the user.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// One throwing function per kind.
[[noreturn]] inline void internal_failure(const std::string& message) {
  throw Error(ErrorKind::internal, message);
}
[[noreturn]] inline void bad_input(const std::string& message) {
  throw Error(ErrorKind::input, message);
}
[[noreturn]] inline void out_of_resources(const std::string& message) {
  throw Error(ErrorKind::resource, message);
}
[[noreturn]] inline void bad_file(const std::string& message) {
  throw Error(ErrorKind::corrupt, message);
}

/// Calls `work`; prefixes the message of its Error with `place`, such as "FILE:LINE: ".
template <class Work>
auto with_error_prefix(const std::string& place, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), place + error.what());
  }
}

}  // namespace tessera
