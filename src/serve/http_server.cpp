// SPDX-License-Identifier: MIT
#include "serve/http_server.hpp"

#include <boost/asio/io_context.hpp>

#include "serve/http_connection.hpp"
#include "serve/listening.hpp"

namespace tessera {

class HttpServer::Implementation {
 public:
  Implementation(const ServeOptions& options, HttpHandler handler)
      : service_{options.limits, std::move(handler)},
        tick_(context_),
        listening_(context_, options) {}

  [[nodiscard]] int port() const { return listening_.port(); }

  void run(const std::atomic<bool>& stop) {
    accept();
    watch(stop);
    context_.run();
  }

  void flush() {
    context_.restart();
    context_.poll();
  }

 private:
  using ErrorCode = boost::system::error_code;

  void accept() {
    listening_.acceptor().async_accept([this](ErrorCode error, HttpConnection::Socket socket) {
      if (!error) {
        if (service_.connections.size() >= service_.limits.connections) {
          service_.connections.front()->close();
        }
        std::make_shared<HttpConnection>(service_, std::move(socket))->start();
        return accept();
      }
      // No descriptor to be had: some close before long.
      constexpr std::chrono::milliseconds pause{100};
      pause_.expires_after(pause);
      pause_.async_wait([this](ErrorCode /*never cancelled*/) { accept(); });
    });
  }

  // A signal handler can do no more than set a flag.
  void watch(const std::atomic<bool>& stop) {
    if (stop) return context_.stop();
    constexpr std::chrono::milliseconds interval{20};
    tick_.expires_after(interval);
    tick_.async_wait([this, &stop](ErrorCode /*never cancelled*/) { watch(stop); });
  }

  HttpService service_;  // connections that end with the context leave its list
  boost::asio::io_context context_{1};
  boost::asio::steady_timer tick_;
  boost::asio::steady_timer pause_{context_};
  Listening listening_;
};

HttpServer::HttpServer(const ServeOptions& options, HttpHandler handler)
    : implementation_(std::make_unique<Implementation>(options, std::move(handler))) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const {
  return implementation_->port();
}
void HttpServer::run(const std::atomic<bool>& stop) {
  implementation_->run(stop);
}
void HttpServer::flush() {
  implementation_->flush();
}

}  // namespace tessera
