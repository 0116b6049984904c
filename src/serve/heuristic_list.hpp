// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tessera/serve/page_server.hpp"

namespace tessera {

/// The heuristics to choose among for boards of that goal, as a JSON array (docs/serve.md): the
/// registry's, and partitions for databases; each with its memory and whether its tables lie ready.
[[nodiscard]] std::string heuristic_list(const Board& goal, Metric metric,
                                         const ServeOptions& options);

}  // namespace tessera
