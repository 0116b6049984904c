// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// What a request says of where it comes from; empty where a header is missing.
struct RequestOrigin {
  std::string host;            ///< Host
  std::string origin;          ///< Origin
  std::string sec_fetch_site;  ///< Sec-Fetch-Site
  std::string sec_fetch_mode;  ///< Sec-Fetch-Mode
};

/// Why a request is refused, or nothing. Another site's page could make a visitor's browser send
/// requests here; it would name itself in Origin. Or it could have its own name lead here (DNS
/// rebinding); then Host would be that name. So Host must be an address, localhost, this host's
/// name (in full or its first part) or one of `names`, and Origin, where there is one, must be
/// Host's.
[[nodiscard]] std::optional<std::string> refusal(const RequestOrigin& request,
                                                 const std::vector<std::string>& names);

}  // namespace tessera
