// SPDX-License-Identifier: MIT
#include "tessera/serve/page_server.hpp"

#include "serve/http_server.hpp"
#include "serve/interface.hpp"

namespace tessera {

class PageServer::Implementation {
 public:
  explicit Implementation(ServeOptions options)
      : options_(std::move(options)),
        interface_(options_),
        server_(options_,
                [this](const HttpRequest& request) { return interface_.respond(request); }) {}

  [[nodiscard]] int port() const { return server_.port(); }
  [[nodiscard]] std::string address() const {
    const bool is_v6 = options_.host.find(':') != std::string::npos;
    std::string address = "http://";
    address.append(is_v6 ? "[" : "").append(options_.host).append(is_v6 ? "]:" : ":");
    return address.append(std::to_string(port())).append("/");
  }

  void run(const std::atomic<bool>& stop) {
    server_.run(stop);
    interface_.stop();
    server_.flush();  // how the searches ended
  }

 private:
  const ServeOptions options_;
  Interface interface_;
  HttpServer server_;  // last: its connections follow searches
};

PageServer::PageServer(ServeOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
PageServer::~PageServer() = default;

int PageServer::port() const {
  return implementation_->port();
}
std::string PageServer::address() const {
  return implementation_->address();
}
void PageServer::run(const std::atomic<bool>& stop) {
  implementation_->run(stop);
}

}  // namespace tessera
