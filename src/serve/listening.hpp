// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <string>

#include "tessera/serve/page_server.hpp"

namespace tessera {

/// What a server listens on: a port, or a Unix socket that its owner alone can open.
class Listening {
 public:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

  /// Throws Error(input), with what to do about it.
  Listening(boost::asio::io_context& context, const ServeOptions& options);
  /// Removes the Unix socket.
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  [[nodiscard]] Acceptor& acceptor() { return acceptor_; }
  /// 0 for a Unix socket.
  [[nodiscard]] int port() const { return port_; }

 private:
  void listen_on_port(const std::string& host, int port);
  void listen_on_socket(const std::string& path);

  boost::asio::io_context& context_;
  Acceptor acceptor_;
  int port_ = 0;
  std::string path_;  // of the Unix socket, once it is there
};

}  // namespace tessera
