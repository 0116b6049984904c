// SPDX-License-Identifier: MIT
#pragma once

#include <httplib.h>

#include <memory>

#include "serve/connections.hpp"
#include "serve/gate.hpp"

namespace tessera {

/// httplib's server behind a gate: it meets whole requests only, one a connection.
class HttpServer : public httplib::Server {
 public:
  explicit HttpServer(const ServeLimits& limits);

  /// Answers until stop(). Threads that are still in an answer then are left behind; they keep
  /// `owner`.
  void serve(std::weak_ptr<void> owner);

 private:
  bool process_and_close_socket(socket_t socket) override;
  void answer(socket_t socket, std::string request);

  const ServeLimits& limits_;
  std::weak_ptr<void> owner_;
  Connections connections_;
  Gate gate_;
};

}  // namespace tessera
