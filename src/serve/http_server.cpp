// SPDX-License-Identifier: MIT
#include "serve/http_server.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "serve/http_connection.hpp"

namespace tessera {
namespace {

using ErrorCode = boost::system::error_code;

std::string advice_on(const ErrorCode& error, int port) {
  if (error == asio::error::address_in_use) {
    return "the port is taken, try another --port (0: any free one)";
  }
  if (error == asio::error::access_denied) {
    return "ports below 1024 need privileges that you do not have, try --port " +
           std::to_string(port < 1024 ? 8000 + port : port);
  }
  if (error == boost::system::errc::address_not_available) {
    return "--host is not an address of this machine, try 127.0.0.1 or 0.0.0.0";
  }
  return error.message();
}

using Local = asio::local::stream_protocol;

// A killed server leaves its socket behind, without a listener. Nothing else is removed.
void remove_left_over(asio::io_context& context, const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) bad_input("--socket " + path + " is a file that is not a socket");
  Local::socket probe(context);
  ErrorCode error;
  probe.connect(Local::endpoint(path), error);
  if (!error) bad_input("--socket " + path + ": another server answers there");
  if (error == asio::error::connection_refused) ::unlink(path.c_str());
}

}  // namespace

HttpServer::HttpServer(const ServeOptions& options, HttpHandler handler)
    : service_{options.limits, std::move(handler)} {
  if (options.socket_path.empty()) listen_on_port(options.host, options.port);
  else listen_on_socket(options.socket_path);
}

HttpServer::~HttpServer() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void HttpServer::run(const std::atomic<bool>& stop) {
  accept();
  watch(stop);
  context_.run();
}

void HttpServer::flush() {
  context_.restart();
  context_.poll();
}

void HttpServer::accept() {
  acceptor_.async_accept([this](ErrorCode error, HttpConnection::Socket socket) {
    if (!error) {
      if (service_.connections.size() >= service_.limits.connections) {
        service_.connections.front()->close();
      }
      std::make_shared<HttpConnection>(service_, std::move(socket))->start();
      return accept();
    }
    // Out of descriptors: some will close soon.
    constexpr std::chrono::milliseconds pause{100};
    pause_.expires_after(pause);
    pause_.async_wait([this](ErrorCode /*never cancelled*/) { accept(); });
  });
}

// Polled, since a signal handler can only set a flag.
void HttpServer::watch(const std::atomic<bool>& stop) {
  if (stop) return context_.stop();
  constexpr std::chrono::milliseconds interval{20};
  tick_.expires_after(interval);
  tick_.async_wait([this, &stop](ErrorCode /*never cancelled*/) { watch(stop); });
}

void HttpServer::listen_on_port(const std::string& host, int port) {
  asio::ip::tcp::resolver resolver(context_);
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
      // Visitors of a name with several addresses would reach the other server.
      if (error == asio::error::address_in_use) break;
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

void HttpServer::listen_on_socket(const std::string& path) {
  constexpr std::size_t most_bytes = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > most_bytes) {
    bad_input("--socket: a path of " + std::to_string(path.size()) + " bytes, expected at most " +
              std::to_string(most_bytes));
  }
  remove_left_over(context_, path);
  const Local::endpoint endpoint(path);
  ErrorCode error;
  if (!acceptor_.open(endpoint.protocol(), error) && !acceptor_.bind(endpoint, error)) {
    path_ = path;
    // No client can connect before it listens, so the mode is set in time.
    if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) {
      error.assign(errno, boost::system::system_category());
    }
  }
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) bad_input("cannot listen on --socket " + path + ": " + error.message());
}

}  // namespace tessera
