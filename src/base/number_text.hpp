// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t number);

/// "12.3 GiB", in a suitable unit from KiB up.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace tessera
