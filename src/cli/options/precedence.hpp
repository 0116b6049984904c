// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/options/options.hpp"

namespace tessera {

/// Adds values of lower precedence. Boards come from one source, so any source on a higher level
/// overrides all lower ones, and so do heuristics and other options that set the same.
void add_defaults(OptionValues& values, OptionValues defaults, bool has_board);

/// Drops defaults that were not typed and do not apply to this command with these operands and
/// options, such as --csv for a plan. Boards and checkpoints are never dropped: a command that
/// cannot use them refuses them.
void drop_useless_defaults(OptionValues& values, const std::set<std::string>& typed,
                           const CommandSpec& command, const std::vector<std::string>& words);

/// Several numbers of threads are those of --workers.
[[nodiscard]] bool has_list_of_threads(const OptionValues& values);

}  // namespace tessera
