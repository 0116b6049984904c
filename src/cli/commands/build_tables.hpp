// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options/config.hpp"
#include "cli/process/context.hpp"

namespace tessera {

/// `pdb build`: builds the tables of --partition that are not there and names all of them. Returns
/// the exit code.
[[nodiscard]] int build_tables(const Config& config, Context& context);

}  // namespace tessera
