// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// 128 random bits in hexadecimal: not to be guessed.
[[nodiscard]] std::string random_token();

/// Whether two texts are equal, in a time that does not depend on where they differ.
[[nodiscard]] bool equal_secrets(std::string_view given, std::string_view secret);

/// Throws Error(input) where a token could not stand in an address or is easily guessed.
void expect_token(const std::string& token);

}  // namespace tessera
