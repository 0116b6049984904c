// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The search of a problem of metric multi. Throws Error(input) for what it has not.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem);

}  // namespace tessera
