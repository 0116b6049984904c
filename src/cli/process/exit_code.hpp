// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.hpp"

namespace tessera {

/// What the process reports to its caller; a contract with scripts.
enum ExitCode : int {
  exit_answered = 0,
  exit_internal = 1,
  exit_bad_input = 2,
  exit_stopped_with_checkpoint = 3,
  exit_stopped = 4,
  exit_resource = 5,
  exit_corrupt = 6,
};

struct ExitMeaning {
  ExitCode code;
  const char* meaning;
};

/// For man pages; docs/exit-codes.md has the details.
inline constexpr ExitMeaning exit_meanings[] = {
    {exit_answered, "Answered: a solution, or proven unsolvable, which the output says"},
    {exit_internal, "Internal failure, a failed verify, output that failed during a run"},
    {exit_bad_input, "Usage, configuration or bad input"},
    {exit_stopped_with_checkpoint, "Stopped by a limit or a signal; a checkpoint is written"},
    {exit_stopped, "Stopped by a limit or a signal before the answer was proven; no checkpoint"},
    {exit_resource, "Not enough memory, disk or threads"},
    {exit_corrupt, "A table or checkpoint is corrupt or belongs to something else"},
};

[[nodiscard]] constexpr ExitCode exit_code(ErrorKind kind) {
  // In the order of ErrorKind.
  constexpr ExitCode codes[] = {exit_internal, exit_bad_input, exit_resource, exit_corrupt};
  return codes[static_cast<int>(kind)];
}

}  // namespace tessera
