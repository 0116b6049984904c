// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>

#include "serve/http.hpp"
#include "tessera/serve/page_server.hpp"

namespace tessera {

/// An HTTP server of one thread: silent and slow clients cost it a socket each, and no more than
/// ServeLimits says.
class HttpServer {
 public:
  /// Listens on the port or the socket of the options. Throws Error(input).
  HttpServer(const ServeOptions& options, HttpHandler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The port that it got; 0 for a Unix socket.
  [[nodiscard]] int port() const;
  /// Answers until `stop` is set.
  void run(const std::atomic<bool>& stop);
  /// Sends what is ready to be sent, without waiting.
  void flush();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;  // Boost.Asio stays out of this header
};

}  // namespace tessera
