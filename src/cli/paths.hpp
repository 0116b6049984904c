// SPDX-License-Identifier: MIT
#pragma once

#include "cli/config.hpp"
#include "cli/options.hpp"

namespace tessera {

/// Before anything is written. Throws Error(input) where a file or folder that options name for
/// output cannot be written, or where a command would write over a file that it reads, or two
/// outputs into one (devices and pipes may be named twice). Leaves all there as it was.
void expect_paths(const Config& config, CommandBit command);

}  // namespace tessera
