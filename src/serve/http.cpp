// SPDX-License-Identifier: MIT
#include "serve/http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/split.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

// https://url.spec.whatwg.org/#urlencoded-parsing; invalid escapes are kept as they are.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(i, 3);
    unsigned char byte = 0;
    if (code.size() == 3 && code[0] == '%' &&
        std::from_chars(code.data() + 1, code.data() + 3, byte, 16).ptr == code.data() + 3) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

// The host without port and brackets, in lower case: "localhost:8015", "[::1]:8015", "127.0.0.1".
std::string name_of(const std::string& host) {
  std::string name = host;
  if (name.starts_with('[')) {
    const std::size_t end = name.find(']');
    return end == std::string::npos ? "" : name.substr(1, end - 1);
  }
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) name.resize(colon);
  return boost::to_lower_copy(name);
}

bool is_address(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

}  // namespace

std::string HttpRequest::parameter(std::string_view key, std::string otherwise) const {
  std::vector<std::string> pairs;
  boost::split(pairs, query, [](char c) { return c == '&'; });
  for (const std::string& pair : pairs) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (decoded(pair.substr(0, equals)) == key) {
      return decoded(pair.substr(std::min(equals + 1, pair.size())));
    }
  }
  return otherwise;
}

HttpResponse error_response(unsigned status, const std::string& message,
                            decltype(HttpResponse::headers) headers) {
  return {.status = status,
          .body = to_line(nlohmann::json{{"error", message}}),
          .headers = std::move(headers)};
}

std::optional<std::string> refusal(const HttpRequest& request, bool of_links,
                                   const std::vector<std::string>& names) {
  const std::string name = name_of(request.host);
  const std::string own = name_of(host_name());
  const bool known = is_address(name) || name == "localhost" || name == own ||
                     name == own.substr(0, own.find('.')) ||
                     std::ranges::find(names, name, name_of) != names.end();
  if (name.empty() || !known) {
    return fmt::format(
        "host {} is not a name of this server; if it should be, start it with tessera serve "
        "--allow-host {}",
        quote(name), name.empty() ? "NAME" : name);
  }
  if (!request.origin.empty() && request.origin != "http://" + request.host &&
      request.origin != "https://" + request.host) {
    return "requests from pages of " + quote(request.origin) + " are refused";
  }
  const bool foreign =
      request.sec_fetch_site == "cross-site" || request.sec_fetch_site == "same-site";
  if (foreign && !(of_links && request.sec_fetch_mode == "navigate")) {
    return "requests from pages of another origin are refused";
  }
  return {};
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int word = 0; word < 4; ++word) token += fmt::format("{:08x}", device());
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
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  const bool is_plain = token.find_first_not_of(allowed) == token.npos;
  if (!is_plain || token.size() < least || token.size() > most) {
    bad_input("--token: must be auto, or 8 to 256 letters, digits and any of -._~");
  }
}

}  // namespace tessera
