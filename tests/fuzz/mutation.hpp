// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"

namespace tessera::fuzz {

/// One of the seeds after one to eight random changes: bits, bytes, numbers and pieces replaced,
/// cut out, repeated or taken from another seed.
[[nodiscard]] std::string mutated(const std::vector<std::string>& seeds, Random& random);

}  // namespace tessera::fuzz
