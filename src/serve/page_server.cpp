// SPDX-License-Identifier: MIT
#include "tessera/serve/page_server.hpp"

#include "serve/http.hpp"
#include "serve/http_server.hpp"
#include "serve/interface.hpp"

namespace tessera {

class PageServer::Implementation {
 public:
  explicit Implementation(ServeOptions options)
      : options_(with_token(std::move(options))),
        interface_(options_),
        server_(options_,
                [this](const HttpRequest& request) { return interface_.respond(request); }) {}

  [[nodiscard]] int port() const { return server_.port(); }
  [[nodiscard]] std::string address() const {
    if (!options_.socket_path.empty()) return "unix:" + options_.socket_path;
    const bool is_v6 = options_.host.find(':') != std::string::npos;
    std::string address = "http://";
    address.append(is_v6 ? "[" : "").append(options_.host).append(is_v6 ? "]:" : ":");
    address.append(std::to_string(port())).append("/");
    return options_.token.empty() ? address : address + "?token=" + options_.token;
  }

  void run(const std::atomic<bool>& stop) {
    server_.run(stop);
    interface_.stop();
    server_.flush();  // how the searches ended
  }

 private:
  static ServeOptions with_token(ServeOptions options) {
    if (options.token == "auto") options.token = random_token();
    else if (!options.token.empty()) expect_token(options.token);
    return options;
  }

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
