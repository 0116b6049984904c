// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// Searches with another kernel and sleeps the rest of the time that a machine of
/// the problem's emulated speed would take. Many more ranks than there are cores then do the
/// same work, messages and waiting as on so many such machines, as long as all of them together
/// are slower than the kernel.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_emulated_search(
    const Problem& problem, std::unique_ptr<SubtreeSearch> search);

}  // namespace tessera
