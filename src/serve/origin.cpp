// SPDX-License-Identifier: MIT
#include "serve/origin.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tessera/base/machine.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

// "localhost:8015", "[::1]:8015", "127.0.0.1" without the port and brackets, in small letters.
std::string name_of(const std::string& host) {
  std::string name = host;
  if (name.starts_with('[')) {
    const std::size_t end = name.find(']');
    return end == std::string::npos ? "" : name.substr(1, end - 1);
  }
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) name.resize(colon);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

bool is_address(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

}  // namespace

std::optional<std::string> refusal(const RequestOrigin& request,
                                   const std::vector<std::string>& names) {
  const std::string name = name_of(request.host);
  const std::string own = name_of(host_name());
  const bool known = is_address(name) || name == "localhost" || name == own ||
                     name == own.substr(0, own.find('.')) ||
                     std::any_of(names.begin(), names.end(), [&](const std::string& allowed) {
                       return name == name_of(allowed);
                     });
  if (name.empty() || !known) {
    return "host " + quote(name) +
           " is not a name of this server; if it should be, start it with " +
           "tessera serve --allow-host " + (name.empty() ? "NAME" : name);
  }
  if (!request.origin.empty() && request.origin != "http://" + request.host &&
      request.origin != "https://" + request.host) {
    return "a page of " + quote(request.origin) + " may not ask here";
  }
  if (request.sec_fetch_site == "cross-site" || request.sec_fetch_site == "same-site") {
    return "a page of another origin may not ask here";
  }
  return {};
}

}  // namespace tessera
