// SPDX-License-Identifier: MIT
#include "serve/listening.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cstring>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;

std::string advice_on(const ErrorCode& error, int port) {
  if (error == asio::error::address_in_use) {
    return "the port is taken, try another --port (0: any free one)";
  }
  if (error == asio::error::access_denied) {
    return "ports below 1024 need rights that you do not have, try --port " +
           std::to_string(port < 1024 ? 8000 + port : port);
  }
  if (error == boost::system::errc::address_not_available) {
    return "--host is not an address of this machine, try 127.0.0.1 or 0.0.0.0";
  }
  return error.message();
}

}  // namespace

Listening::Listening(asio::io_context& context, const ServeOptions& options) : acceptor_(context) {
  listen(options.host, options.port);
}

void Listening::listen(const std::string& host, int port) {
  asio::ip::tcp::resolver resolver(acceptor_.get_executor());
  ErrorCode error;
  const auto places = resolver.resolve(
      host, std::to_string(port),
      asio::ip::tcp::resolver::passive | asio::ip::tcp::resolver::numeric_service, error);
  if (error) {
    bad_input("--host " + quote(host) + " cannot be resolved (" + error.message() +
              "), expected an address of this machine such as 127.0.0.1");
  }
  for (const auto& place : places) {
    acceptor_.close(error);
    const asio::generic::stream_protocol::endpoint endpoint(place.endpoint());
    // Not SO_REUSEPORT: two servers on one port would share its visitors.
    if (acceptor_.open(endpoint.protocol(), error) ||
        acceptor_.set_option(asio::socket_base::reuse_address(true), error) ||
        acceptor_.bind(endpoint, error) ||
        acceptor_.listen(asio::socket_base::max_listen_connections, error)) {
      continue;
    }
    break;
  }
  if (error) {
    bad_input("cannot listen on " + host + " port " + std::to_string(port) + ": " +
              advice_on(error, port));
  }
  asio::ip::tcp::endpoint own;
  const auto bound = acceptor_.local_endpoint();
  own.resize(bound.size());
  std::memcpy(own.data(), bound.data(), bound.size());
  port_ = own.port();
}

}  // namespace tessera
