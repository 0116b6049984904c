// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/options.hpp"

namespace tessera {

/// Pages in roff's `man` macros. `date` is that of the build, such as 2026-11-21.
[[nodiscard]] std::string man_page(const std::string& date);
[[nodiscard]] std::string man_page(const CommandSpec& command, const std::string& date);

/// Scripts that complete commands, options, and values on Tab.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

}  // namespace tessera
