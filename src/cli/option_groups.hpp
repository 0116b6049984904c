// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "cli/options.hpp"

namespace tessera {

/// The headings of help, in their order. Those of `expert_group` are shown by --help-all alone.
constexpr std::string_view expert_group = "Expert";
constexpr std::string_view option_groups[] = {"Options", "Boards", "Search",    "Parallel",
                                              "Limits",  "Output", expert_group};

/// The heading of a command's option: one of `option_groups` for the commands that search boards,
/// "Options" for the others, which have few.
[[nodiscard]] std::string_view group_of(const OptionSpec& option, const CommandSpec& command);

}  // namespace tessera
