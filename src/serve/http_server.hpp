// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/page_server.hpp"

namespace tessera {

/// A complete request.
struct HttpRequest {
  std::string method;          ///< GET, HEAD, POST or DELETE
  std::string path;            ///< as sent, not decoded
  std::string query;           ///< after the question mark, as sent
  std::string host;            ///< Host; empty if missing, like those below
  std::string origin;          ///< Origin
  std::string sec_fetch_site;  ///< Sec-Fetch-Site
  std::string sec_fetch_mode;  ///< Sec-Fetch-Mode
  std::string authorization;
  std::string body;

  /// A query parameter, decoded; `otherwise` if it is absent.
  [[nodiscard]] std::string parameter(std::string_view key, std::string otherwise) const;
};

/// Why a request is rejected, or empty. Another site's page could make a visitor's browser send
/// requests here; Origin would then be that site. Or it could point its own name here (DNS
/// rebinding); then Host would be that name. So Host must be an address, localhost, this host's
/// name (in full or its first part) or one of `names`, and Origin, if present, must match Host.
/// Links from other pages may lead to a page `of_links`.
[[nodiscard]] std::optional<std::string> refusal(const HttpRequest& request, bool of_links,
                                                 const std::vector<std::string>& names);

/// A body that is sent in parts. All functions except `changed` are called by the server's thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  /// `changed` must be called, from any thread, whenever there may be new data.
  virtual void start(std::function<void()> changed) = 0;
  /// New data; `overdue` if nothing was sent for longest_silence().
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
[[nodiscard]] HttpResponse error_response(unsigned status, const std::string& message,
                                          decltype(HttpResponse::headers) headers = {});

/// 128 random bits in hexadecimal, impossible to guess.
[[nodiscard]] std::string random_token();

/// Whether two texts are equal, in constant time.
[[nodiscard]] bool equal_secrets(std::string_view given, std::string_view secret);

/// Throws Error(input) if a token is unsuitable for an address or easy to guess.
void expect_token(const std::string& token);

class HttpConnection;

/// State shared by the connections of a server; used by its single thread only.
struct HttpService {
  const ServeLimits& limits;
  HttpHandler handler;
  /// Connections in order of arrival, without streaming ones: if there are too many, the oldest is
  /// closed.
  std::list<HttpConnection*> connections = {};
};

/// A single-threaded HTTP server: silent and slow clients cost it only a socket each, within
/// ServeLimits.
class HttpServer {
 public:
  /// Listens on the port of the options, or on a Unix socket that only its owner can open. Throws
  /// Error(input) with advice.
  HttpServer(const ServeOptions& options, HttpHandler handler);
  /// Removes the Unix socket.
  ~HttpServer();

  /// The actual port; 0 for a Unix socket.
  [[nodiscard]] int port() const { return port_; }
  /// Answers until `stop` is set.
  void run(const std::atomic<bool>& stop);
  /// Sends pending data, without waiting.
  void flush();

 private:
  void listen_on_port(const std::string& host, int port);
  void listen_on_socket(const std::string& path);
  void accept();
  void watch(const std::atomic<bool>& stop);

  HttpService service_;  // connections that end with the context leave its list
  boost::asio::io_context context_{1};
  boost::asio::steady_timer tick_{context_};
  boost::asio::steady_timer pause_{context_};
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol> acceptor_{context_};
  int port_ = 0;
  std::string path_;  // of the Unix socket, once created
};

}  // namespace tessera
