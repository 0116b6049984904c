// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <tessera/error.hpp>

namespace tessera {

using api::Error;
using api::ErrorKind;  // cli/process/exit_code.hpp maps each kind to an exit code

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
