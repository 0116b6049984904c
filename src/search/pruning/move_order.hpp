// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "puzzle/metric.hpp"

namespace tessera {

/// Paths are tile letters from the start. In metric multi a run of equal letters is one move, so
/// the node of "LL" is not below that of "L".

/// Whether the node of `path` is the node of `ancestor` or below it.
[[nodiscard]] bool leads_to(std::string_view ancestor, std::string_view path, Metric metric);

/// Whether depth-first search visits the node of `a` before that of `b`.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b, Metric metric);

}  // namespace tessera
