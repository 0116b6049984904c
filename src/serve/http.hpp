// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// A request that has arrived whole.
struct HttpRequest {
  std::string method;  ///< GET, HEAD, POST or DELETE
  std::string path;    ///< as sent: nothing is decoded
  std::string query;   ///< behind the question mark, as sent
  RequestOrigin origin;
  std::string authorization;
  std::string body;

  /// A parameter of the query, decoded; `otherwise` where it is absent.
  [[nodiscard]] std::string parameter(std::string_view key, std::string otherwise) const;
};

/// A body that is sent part by part. All functions but `changed` are called by the server's thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  /// `changed` is to be called, from any thread, whenever there may be something new.
  virtual void start(std::function<void()> changed) = 0;
  /// What is new; `overdue` where nothing was sent for longest_silence().
  [[nodiscard]] virtual std::string next(bool overdue) = 0;
  [[nodiscard]] virtual bool finished() const = 0;
  [[nodiscard]] virtual std::chrono::milliseconds longest_silence() const = 0;
};

struct HttpResponse {
  unsigned status = 200;
  std::string body = {};
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::unique_ptr<BodyStream> stream = {};  ///< instead of a body
};

/// A file of the page, part of the program.
struct PageFile {
  std::string_view path;  ///< "/main.js"
  std::string_view type;
  std::string_view content;
};

[[nodiscard]] std::span<const PageFile> page_files();

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// {"error": message}
[[nodiscard]] HttpResponse error_response(unsigned status, const std::string& message);

/// 128 random bits in hexadecimal: not to be guessed.
[[nodiscard]] std::string random_token();

/// Whether two texts are equal, in a time that does not depend on where they differ.
[[nodiscard]] bool equal_secrets(std::string_view given, std::string_view secret);

/// Throws Error(input) where a token could not stand in an address or is easily guessed.
void expect_token(const std::string& token);

}  // namespace tessera
