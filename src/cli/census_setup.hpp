// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/config.hpp"
#include "cli/context.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// What a rank may take, in bytes: --memory, else its share of nine tenths of what is free on rank
/// 0's host.
[[nodiscard]] std::uint64_t memory_for_rank(const Config& config, const Context& context);

/// What a rank of a search on disk does with so much memory.
[[nodiscard]] CensusDiskPlan disk_plan(const CensusTask& task, const Config& config,
                                       const Context& context, int ranks,
                                       std::uint64_t memory_bytes);

/// Decides whether frontiers stay in memory or, where that does not serve and --disk names a
/// folder, go there. Throws Error(resource), with the figures and the number of ranks that would
/// do, where a rank needs more memory, or the folder has less room.
void choose_storage(CensusTask& task, const Config& config, const Context& context);

}  // namespace tessera
