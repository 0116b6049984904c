// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tessera/compare/comparison.hpp"

namespace tessera {

/// At most three sentences on a comparison: which configuration is faster than the next one, by how
/// much and why; then the same against threads or ranks as many, the serial search or the slowest,
/// or what has no time. Only if no board was timed, one line for each board.
[[nodiscard]] std::vector<std::string> summary_of(const Comparison& comparison);

}  // namespace tessera
