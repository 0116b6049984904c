// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/crew.hpp"

namespace tessera {

/// Reads --incumbent's value: none, beam:WIDTH or, where it is offered, auto. Throws Error(input).
[[nodiscard]] IncumbentChoice parse_incumbent(const std::string& value, bool offers_auto);

/// Throws Error(input) where a beam search is asked for that the other options exclude.
void check_incumbent(const Config& config);

/// How beam searches take part in solving boards of that size; tables take so many bytes.
[[nodiscard]] IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup,
                                                 Size size, std::uint64_t table_bytes);

/// The memory that a beam search of the width that was asked for takes, for a person; empty where
/// none was. Throws Error(resource), with the figures, where that is more than it may take.
[[nodiscard]] std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                                           const BeamExecutor& executor);

}  // namespace tessera
