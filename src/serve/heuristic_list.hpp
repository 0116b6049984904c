// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/serve/page_server.hpp"

namespace tessera {

/// Throws Error(input) where heuristic_list does not offer that name: so no request
/// names a file, and none makes the server build a partition of the client's own.
void expect_offered(const std::string& name, Size size, Metric metric);

/// The tables of a heuristic. Throws Error(input) where building one that is missing takes more
/// memory than ServeLimits allows.
[[nodiscard]] std::vector<TableRequest> tables_of(const NamedHeuristic& heuristic,
                                                  const Board& goal, const ServeOptions& options);

/// The heuristics to choose among for boards of that goal, as a JSON array (docs/serve.md): the
/// registry's, and partitions for databases; each with its memory and whether its tables lie ready.
[[nodiscard]] std::string heuristic_list(const Board& goal, Metric metric,
                                         const ServeOptions& options);

}  // namespace tessera
