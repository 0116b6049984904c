// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// A warning for each environment variable that begins with TESSERA_ and sets no option, such as
/// TESSERA_THREDS: "TESSERA_THREDS sets no option, did you mean TESSERA_THREADS?"
[[nodiscard]] std::vector<std::string> unknown_variables();

}  // namespace tessera
