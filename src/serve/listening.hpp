// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <string>

#include "tessera/serve/page_server.hpp"

namespace tessera {

/// The socket that a server listens on.
class Listening {
 public:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

  /// Throws Error(input), with what to do about it.
  Listening(boost::asio::io_context& context, const ServeOptions& options);
  [[nodiscard]] Acceptor& acceptor() { return acceptor_; }
  [[nodiscard]] int port() const { return port_; }

 private:
  void listen(const std::string& host, int port);

  Acceptor acceptor_;
  int port_ = 0;
};

}  // namespace tessera
