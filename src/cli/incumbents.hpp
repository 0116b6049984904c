// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/crew.hpp"

namespace tessera {

/// Reads --incumbent's value: auto, none or beam:WIDTH. Throws Error(input).
[[nodiscard]] IncumbentChoice parse_incumbent(const std::string& value);

/// Throws Error(input) where a beam search is asked for that the other options exclude.
void check_incumbent(const Config& config);

/// How beam searches take part in solving boards of that size; tables take so many bytes.
[[nodiscard]] IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup,
                                                 Size size, std::uint64_t table_bytes);

/// Throws Error(resource), with the figures, where a beam search of the width that was asked for
/// needs more memory than it may take.
void expect_beam_memory(const Problem& problem, const IncumbentOptions& options, int ranks);

}  // namespace tessera
