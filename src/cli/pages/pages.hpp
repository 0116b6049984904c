// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/options/options.hpp"

namespace tessera {

/// Pages in roff's `man` macros. `date` is the build date, such as 2026-11-21.
[[nodiscard]] std::string man_page(const std::string& date);
[[nodiscard]] std::string man_page(const CommandSpec& command, const std::string& date);

}  // namespace tessera
