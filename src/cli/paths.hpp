// SPDX-License-Identifier: MIT
#pragma once

#include "cli/config.hpp"
#include "cli/options.hpp"

namespace tessera {

/// Throws Error(input) where a file or folder that options name for output cannot be written,
/// before anything is. Leaves all there as it was.
void expect_writable_paths(const Config& config, CommandBit command);

/// Throws Error(input) where a command would write over a file that it reads, or write two outputs
/// into one. Devices and pipes may be named twice.
void expect_distinct_paths(const Config& config, CommandBit command);

}  // namespace tessera
