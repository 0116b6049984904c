// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace tessera {

/// One command from its arguments to its exit code. Every failure becomes one line on standard
/// error here, and nowhere else.
int run_command(const std::vector<std::string>& arguments, Context& context);

}  // namespace tessera
