// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/base/error.hpp"

namespace tessera {

/// What the process says to its caller; the contract with scripts.
enum ExitCode : int {
  exit_answered = 0,
  exit_internal = 1,
  exit_bad_input = 2,
  exit_stopped_with_checkpoint = 3,
  exit_stopped = 4,
  exit_resource = 5,
  exit_corrupt = 6,
};

[[nodiscard]] constexpr ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input:
      return exit_bad_input;
    case ErrorKind::resource:
      return exit_resource;
    case ErrorKind::corrupt:
      return exit_corrupt;
    case ErrorKind::internal:
      break;
  }
  return exit_internal;
}

}  // namespace tessera
