// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// Limits for requests, so that none can overload the server.
struct ServeLimits {
  std::size_t head_bytes = 64 * 1024;
  std::size_t body_bytes = 64 * 1024;
  std::size_t running = 4;        ///< searches running at a time
  std::size_t waiting = 64;       ///< searches waiting to start
  std::size_t remembered = 256;   ///< finished searches that can still be queried
  std::size_t unheard = 4096;     ///< the same, while their end was not queried yet
  std::size_t connections = 512;  ///< beyond, the oldest is closed; without following ones
  std::size_t following = 192;    ///< connections that follow a search or wait for it
  std::uint64_t build_bytes = std::uint64_t{2} << 30;         ///< memory to build one table
  std::uint64_t large_build_bytes = std::uint64_t{64} << 20;  ///< larger builds run one at a time
  std::uint64_t idle_table_bytes = std::uint64_t{1} << 30;    ///< unused tables kept open
  std::chrono::seconds default_time{60};
  std::chrono::seconds most_time{3600};
  /// A search that has run this long is stopped if another one is waiting.
  std::chrono::seconds contended_time{60};
  /// A search without a request for this long is stopped; background tabs poll once a minute.
  std::chrono::seconds unwatched{90};
  std::chrono::seconds arrival{10};     ///< to receive a request
  std::chrono::seconds slow_client{5};  ///< for a client to accept an answer, or a part of a stream
};

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8015;                         ///< 0: any that is free
  std::string socket_path;                 ///< a Unix socket in place of host and port
  std::vector<std::string> allowed_hosts;  ///< additional names accepted in the Host header
  std::string token;                       ///< required in requests; "auto": generate one
  int threads = 1;                         ///< per search
  std::string table_directory;
  ServeLimits limits = {};
};

/// The page for playing and the JSON interface below it (docs/serve.md), over HTTP.
class PageServer {
 public:
  virtual ~PageServer() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// "http://127.0.0.1:8015/", or "unix:PATH" for a socket; with the token if there is one, for a
  /// socket only if `auto` made it.
  [[nodiscard]] virtual std::string address() const = 0;
  /// Answers requests until `stop` is set, then stops all searches and closes all connections.
  virtual void run(const std::atomic<bool>& stop) = 0;
};

/// Binds the port or socket. Throws Error(input) on failure.
[[nodiscard]] std::unique_ptr<PageServer> make_page_server(ServeOptions options);

}  // namespace tessera
