// SPDX-License-Identifier: MIT
#include "serve/http.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "tessera/base/json_object.hpp"

namespace tessera {
namespace {

int hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t at = digits.find(static_cast<char>(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// https://url.spec.whatwg.org/#urlencoded-parsing; what is no escape stays as it is.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      plain += static_cast<char>(16 * hex_digit(text[i + 1]) + hex_digit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

}  // namespace

std::string HttpRequest::parameter(std::string_view key, std::string otherwise) const {
  for (std::string_view rest = query; !rest.empty();) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (decoded(pair.substr(0, equals)) == key) {
      return decoded(pair.substr(std::min(equals + 1, pair.size())));
    }
  }
  return otherwise;
}

HttpResponse error_response(unsigned status, const std::string& message) {
  return {.status = status, .body = to_line(nlohmann::json{{"error", message}})};
}

}  // namespace tessera
