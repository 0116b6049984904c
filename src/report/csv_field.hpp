// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// A field of CSV, quoted as in RFC 4180 where it has to be.
[[nodiscard]] inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace tessera
