// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <optional>

#include "serve/http.hpp"
#include "tessera/serve/page_server.hpp"

namespace tessera {

class HttpConnection;

/// What the connections of a server share; used by its one thread alone.
struct HttpService {
  const ServeLimits& limits;
  HttpHandler handler;
  /// Connections in order of arrival, without those that stream: where there are too many the
  /// oldest is closed.
  std::list<HttpConnection*> connections = {};
};

/// One connection, which takes one request: read it whole, answer, wait for the client to close.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol>;

  HttpConnection(HttpService& service, Socket socket);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void start();
  void close();

 private:
  using ErrorCode = boost::system::error_code;
  using Body = boost::beast::http::string_body;
  enum class State { arriving, answering, streaming, leaving };

  void arm(State state, std::chrono::milliseconds time);
  void overdue();
  void read_body();
  /// Whether a read failed; answered or closed then.
  bool failed(ErrorCode error);
  [[nodiscard]] std::optional<HttpResponse> refusal_of_head() const;
  [[nodiscard]] HttpRequest request() const;
  void answer(HttpResponse response);
  void set_head(HttpResponse& response);
  /// Makes this connection look at its stream; for any thread.
  [[nodiscard]] std::function<void()> waker();
  void stream_next(bool overdue);
  void stream_end();
  void leave();
  void read_away();
  void unlist();

  HttpService& service_;
  Socket socket_;
  boost::asio::steady_timer deadline_;
  State state_ = State::arriving;
  bool late_ = false;  // the request has not arrived in time
  boost::beast::flat_buffer buffer_;
  boost::beast::http::request_parser<Body> parser_;
  boost::beast::http::response<Body> response_;
  std::optional<boost::beast::http::response_serializer<Body>> serializer_;
  std::unique_ptr<BodyStream> stream_;
  std::string part_;  // of the stream, while it is sent
  std::optional<std::list<HttpConnection*>::iterator> place_;
};

}  // namespace tessera
