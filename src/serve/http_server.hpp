// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <string>

#include "serve/http.hpp"
#include "tessera/serve/page_server.hpp"

namespace tessera {

class HttpConnection;

/// What the connections of a server share; used by its one thread alone.
struct HttpService {
  const ServeLimits& limits;
  HttpHandler handler;
  /// Connections in order of arrival, without those that stream: where there are too many the
  /// oldest is closed.
  std::list<HttpConnection*> connections = {};
};

/// An HTTP server of one thread: silent and slow clients cost it a socket each, and no more than
/// ServeLimits says.
class HttpServer {
 public:
  /// Listens on the port of the options, or on a Unix socket that its owner alone can open. Throws
  /// Error(input), with what to do about it.
  HttpServer(const ServeOptions& options, HttpHandler handler);
  /// Removes the Unix socket.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The port that it got; 0 for a Unix socket.
  [[nodiscard]] int port() const { return port_; }
  /// Answers until `stop` is set.
  void run(const std::atomic<bool>& stop);
  /// Sends what is ready to be sent, without waiting.
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
  std::string path_;  // of the Unix socket, once it is there
};

}  // namespace tessera
