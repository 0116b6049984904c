// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/config.hpp"

namespace tessera {

/// Where tables are kept: --pdb-dir, else the user's cache folder.
[[nodiscard]] std::string table_folder(const Config& config);

/// `pdb list`: the tables in the folder, for a person and as JSON (tessera.tables/1). Returns
/// exit_corrupt where one of them is damaged.
int list_tables(const Config& config);

/// `pdb list --collections`: the named collections of each size (docs/decisions/0019), for a person
/// and as JSON (tessera.collections/1).
int list_collections(const Config& config);

}  // namespace tessera
