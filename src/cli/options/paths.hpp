// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/config.hpp"
#include "cli/options/options.hpp"

namespace tessera {

/// Checks the paths of a command before anything is written. Throws Error(input) if a file or
/// folder that options name for output cannot be written, an output is a file that the command
/// reads, or two outputs are one file (devices and pipes may be named twice). Changes nothing.
void expect_paths(const Config& config, CommandBit command);

}  // namespace tessera
