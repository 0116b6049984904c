// SPDX-License-Identifier: MIT
#include "serve/token.hpp"

#include <algorithm>
#include <cctype>
#include <random>

#include "tessera/base/error.hpp"

namespace tessera {

std::string random_token() {
  std::random_device device;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (int word = 0; word < 4; ++word) {
    auto bits = static_cast<std::uint32_t>(device());
    for (int i = 0; i < 8; ++i, bits >>= 4) token += digits[bits & 15];
  }
  return token;
}

bool equal_secrets(std::string_view given, std::string_view secret) {
  volatile unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char own = secret.empty() ? '\0' : secret[i % secret.size()];
    difference = difference | static_cast<unsigned>(static_cast<unsigned char>(given[i] ^ own));
  }
  return difference == 0;
}

void expect_token(const std::string& token) {
  constexpr std::size_t least = 8;
  constexpr std::size_t most = 256;
  const bool is_plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-._~").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (!is_plain || token.size() < least || token.size() > most) {
    bad_input("--token: must be auto, or 8 to 256 letters, digits and any of -._~");
  }
}

}  // namespace tessera
