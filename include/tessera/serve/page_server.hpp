// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/puzzle/board.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera {

/// A heuristic as a person names it, and as the search reads it.
struct NamedHeuristic {
  std::string name;
  std::string spec;
};

/// What no request may go beyond, so that none can take the server down.
struct ServeLimits {
  std::size_t head_bytes = 64 * 1024;
  std::size_t body_bytes = 64 * 1024;
  std::size_t running = 4;        ///< searches at a time
  std::size_t waiting = 64;       ///< searches that wait for their turn
  std::size_t remembered = 256;   ///< searches that have ended and can still be asked about
  std::size_t unheard = 4096;     ///< those among them whose end nobody has asked for yet
  std::size_t connections = 512;  ///< beyond, the oldest is closed; without those that follow
  std::size_t following = 192;    ///< connections that follow a search or wait for it
  std::uint64_t build_bytes = std::uint64_t{2} << 30;         ///< memory to build one table
  std::uint64_t large_build_bytes = std::uint64_t{64} << 20;  ///< such builds run one at a time
  std::uint64_t idle_table_bytes = std::uint64_t{1} << 30;    ///< tables kept open without a search
  std::chrono::seconds usual_time{60};
  std::chrono::seconds most_time{3600};
  /// A search that has run so long is stopped where another waits for its place.
  std::chrono::seconds contended_time{60};
  /// A search that nobody asks about so long is stopped; a tab in the background asks each minute.
  std::chrono::seconds unwatched{90};
  std::chrono::seconds arrival{10};     ///< until a request is there
  std::chrono::seconds slow_client{5};  ///< until an answer, or a part of a stream, is taken
};

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8015;                         ///< 0: any that is free
  std::string socket_path;                 ///< a Unix socket in place of host and port
  std::vector<std::string> allowed_hosts;  ///< further names in requests' Host
  std::string token;                       ///< what requests must show; "auto": one is made
  int threads = 1;                         ///< of each search
  std::string table_directory;
  /// What a heuristic's name, `auto` too, stands for. Throws Error(input). Called from any thread.
  std::function<NamedHeuristic(const std::string& name, const Board& goal, Metric metric)> choose;
  ServeLimits limits = {};
};

/// The page to play on and the JSON interface beneath it (docs/serve.md), over HTTP.
class PageServer {
 public:
  virtual ~PageServer() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// "http://127.0.0.1:8015/", with the token where there is one; "unix:PATH" for a socket.
  [[nodiscard]] virtual std::string address() const = 0;
  /// Answers until `stop` is set, then stops all searches and closes all connections.
  virtual void run(const std::atomic<bool>& stop) = 0;
};

/// Takes the port or socket. Throws Error(input) where it cannot be had.
[[nodiscard]] std::unique_ptr<PageServer> make_page_server(ServeOptions options);

}  // namespace tessera
