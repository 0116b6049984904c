// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace tessera::serve {

struct Answer {
  int status = 0;  ///< 0: there was none
  std::string body;
  std::map<std::string, std::string> headers;  ///< by their names in small letters
};

using Headers = std::map<std::string, std::string>;

/// An HTTP client; each request gets a connection of its own.
class Client {
 public:
  explicit Client(int port) : port_(port) {}

  [[nodiscard]] Answer get(const std::string& path, const Headers& headers = {}) const;
  /// Posts JSON.
  [[nodiscard]] Answer post(const std::string& path, const std::string& body,
                            const Headers& headers = {}) const;
  [[nodiscard]] Answer remove(const std::string& path) const;

 private:
  int port_;
};

}  // namespace tessera::serve
