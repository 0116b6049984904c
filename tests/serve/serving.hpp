// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cli/program.hpp"
#include "serve/client.hpp"
#include "serve/page_server.hpp"

namespace tessera::serve {

/// `tessera serve` on a port of its own, ended with the object.
class Serving {
 public:
  explicit Serving(const std::vector<std::string>& arguments = {});

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] Client client() const { return Client(port_); }
  [[nodiscard]] cli::Running& program() { return *program_; }
  /// Its standard output.
  [[nodiscard]] std::string printed() const { return output_.content(); }
  /// Its resident memory.
  [[nodiscard]] double mebibytes() const;
  [[nodiscard]] int threads() const;
  [[nodiscard]] std::uint64_t address_space_bytes() const;

 private:
  /// A line of /proc/PID/status.
  [[nodiscard]] double status(const char* key) const;
  cli::TemporaryFile output_{""};
  std::unique_ptr<cli::Running> program_;
  int port_ = 0;
};

/// A server within the test, with limits of its own; ended with the object.
class ServingHere {
 public:
  explicit ServingHere(const ServeLimits& limits) {
    ServeOptions options;
    options.port = 0;
    options.limits = limits;
    server_ = make_page_server(options);
    running_ = std::jthread([this] { server_->run(stop_); });
  }
  ~ServingHere() { stop_ = true; }
  ServingHere(const ServingHere&) = delete;
  ServingHere& operator=(const ServingHere&) = delete;

  [[nodiscard]] int port() const { return server_->port(); }
  [[nodiscard]] Client client() const { return Client(port()); }

 private:
  std::unique_ptr<PageServer> server_;
  std::atomic<bool> stop_{false};
  std::jthread running_;
};

/// An answer's JSON; the test fails where there is none or another status.
nlohmann::json json_of(const Answer& answer, int status);

/// Posts JSON.
Answer post(const Client& client, const std::string& path, const nlohmann::json& body);

/// Asks for a search and waits for its end; the summary.
nlohmann::json solved(const Client& client, const nlohmann::json& body);

/// A board that takes Manhattan distance longer than any test: the first of Korf's 24-puzzles.
nlohmann::json endless();

}  // namespace tessera::serve
