// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <list>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/version.hpp"
#include "serve/http_server.hpp"

namespace tessera {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

/// A connection for one request: reads it whole, answers, and waits for the client to close.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
  using ErrorCode = boost::system::error_code;

  /// A handler that calls `next` while a request arrives, or answers with an error.
  template <class Next>
  auto unless_refused(Next next) {
    return [self = shared_from_this(), next](ErrorCode error, std::size_t /*bytes*/) {
      if (!self->failed(error)) next();
    };
  }

  /// A handler that calls `next`, or closes the connection after an error.
  template <class Next>
  auto unless_failed(Next next) {
    return [self = shared_from_this(), next](ErrorCode error, std::size_t /*bytes*/) {
      if (error) self->close();
      else next();
    };
  }

 public:
  using Socket = asio::generic::stream_protocol::socket;

  HttpConnection(HttpService& service, Socket socket)
      : service_(service),
        socket_(std::move(socket)),
        deadline_(socket_.get_executor()),
        buffer_(service.limits.head_bytes + service.limits.body_bytes) {
    parser_.header_limit(static_cast<std::uint32_t>(service.limits.head_bytes));
    parser_.body_limit(service.limits.body_bytes);
    ErrorCode ignored;  // a Unix socket has no such option
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    place_ = service_.connections.insert(service_.connections.end(), this);
  }

  ~HttpConnection() { unlist(); }

  void start() {
    arm(service_.limits.arrival, &HttpConnection::end_arrival);
    http::async_read_header(socket_, buffer_, parser_, unless_refused([this] {
                              if (auto refusal = refusal_of_head()) answer(std::move(*refusal));
                              else read_body();
                            }));
  }

  void close() {
    unlist();
    deadline_.cancel();
    ErrorCode ignored;
    socket_.close(ignored);
  }

 private:
  using Body = http::string_body;

  /// Calls `overdue` after `time`, unless armed again before.
  void arm(std::chrono::milliseconds time, void (HttpConnection::*overdue)()) {
    overdue_ = overdue;
    deadline_.expires_after(time);
    deadline_.async_wait([self = shared_from_this()](ErrorCode error) {
      // If it had expired before it was armed again, or the connection closed, it arrives without
      // an error.
      if (error || !self->socket_.is_open() ||
          self->deadline_.expiry() > std::chrono::steady_clock::now()) {
        return;
      }
      (self.get()->*self->overdue_)();
    });
  }

  void end_arrival() {
    late_ = true;
    socket_.cancel();  // the read ends, and the client gets an answer
  }

  void break_silence() { stream_next(/*overdue=*/true); }

  void read_body() {
    const auto read = [this] {
      http::async_read(socket_, buffer_, parser_,
                       unless_refused([this] { answer(service_.handler(request())); }));
    };
    if (parser_.is_done() || !beast::iequals(parser_.get()[http::field::expect], "100-continue")) {
      return read();
    }
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(go_on), unless_refused(read));
  }

  /// Whether a read failed; if so, the connection has been answered or closed.
  bool failed(ErrorCode error) {
    if (!error) return false;
    const ServeLimits& limits = service_.limits;
    const bool begun = parser_.got_some() || buffer_.size() > 0;
    if (late_ && begun) {
      answer(error_response(408, "the request has not arrived within " +
                                     std::to_string(limits.arrival.count()) + " seconds"));
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      answer(error_response(
          431, "the head is larger than " + std::to_string(limits.head_bytes) + " bytes"));
    } else if (error == http::error::body_limit) {
      answer(error_response(
          413, "the body is larger than " + std::to_string(limits.body_bytes) + " bytes"));
    } else if (error != http::error::end_of_stream && error != http::error::partial_message &&
               error.category() == make_error_code(http::error::bad_method).category()) {
      answer(error_response(400, "the request cannot be read: " + error.message()));
    } else {  // the client is gone, or a browser opened the connection in advance
      close();
    }
    return true;
  }

  [[nodiscard]] std::optional<HttpResponse> refusal_of_head() const {
    const auto& head = parser_.get();
    const std::string method(head.method_string());
    constexpr std::array<std::string_view, 4> methods{"GET", "HEAD", "POST", "DELETE"};
    constexpr std::size_t most_target_bytes = 4096;
    if (!head.target().starts_with('/'))
      return error_response(400, "the request's address is not a path");
    if (head.target().size() > most_target_bytes) {
      return error_response(
          414, "the address is longer than " + std::to_string(most_target_bytes) + " bytes");
    }
    if (std::ranges::find(methods, method) == methods.end()) {
      return error_response(
          405, "method " + quote(method) + " is not supported, expected GET, HEAD, POST or DELETE",
          {{"Allow", "GET, HEAD, POST, DELETE"}});
    }
    for (const char* name : {"Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"}) {
      if (head.count(name) > 1 || head[name].find(' ') != beast::string_view::npos) {
        return error_response(400, "the request's " + std::string(name) + " cannot be read");
      }
    }
    if (head.count(http::field::transfer_encoding) > 0) {
      return error_response(411, "chunked bodies are not supported, expected Content-Length");
    }
    const std::string encoding(head[http::field::content_encoding]);
    if (!encoding.empty() && !beast::iequals(encoding, "identity")) {
      return error_response(
          415, "content encoding " + quote(encoding) + " is not supported, expected plain JSON");
    }
    return {};
  }

  [[nodiscard]] HttpRequest request() const {
    const auto& message = parser_.get();
    const std::string target(message.target());
    const std::size_t question = std::min(target.find('?'), target.size());
    return {.method = std::string(message.method_string()),
            .path = target.substr(0, question),
            .query = target.substr(std::min(question + 1, target.size())),
            .host = std::string(message[http::field::host]),
            .origin = std::string(message[http::field::origin]),
            .sec_fetch_site = std::string(message["Sec-Fetch-Site"]),
            .sec_fetch_mode = std::string(message["Sec-Fetch-Mode"]),
            .authorization = std::string(message[http::field::authorization]),
            .body = message.body()};
  }

  void answer(HttpResponse response) {
    set_head(response);
    const bool only_head = parser_.is_header_done() && parser_.get().method() == http::verb::head;
    stream_ = only_head ? nullptr : std::move(response.stream);
    if (stream_) unlist();
    serializer_.emplace(response_);
    arm(service_.limits.slow_client, &HttpConnection::close);
    const auto written = unless_failed([this] {
      if (!stream_) return leave();
      stream_->start(waker());
      stream_next(/*overdue=*/false);
    });
    if (stream_ || only_head) http::async_write_header(socket_, *serializer_, written);
    else http::async_write(socket_, *serializer_, written);
  }

  void set_head(HttpResponse& response) {
    response_.result(response.status);
    response_.keep_alive(false);
    response_.set(http::field::content_type, response.type);
    response_.set(http::field::server, "tessera/" + version());
    response_.set(http::field::cache_control, "no-store");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Content-Security-Policy",
                  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                  "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    if (response.stream) {
      constexpr int http_1_1 = 11;
      response_.chunked(parser_.get().version() >= http_1_1);  // a proxy may speak HTTP/1.0
    } else {
      response_.body() = std::move(response.body);
      response_.prepare_payload();
    }
  }

  /// A function, for any thread, that makes this connection check its stream.
  [[nodiscard]] std::function<void()> waker() {
    return [weak = weak_from_this(), executor = socket_.get_executor()] {
      asio::post(executor, [weak] {
        const auto self = weak.lock();
        const bool silent = self && self->overdue_ == &HttpConnection::break_silence;
        if (silent) self->stream_next(/*overdue=*/false);
      });
    };
  }

  void stream_next(bool overdue) {
    part_ = stream_->next(overdue);
    if (part_.empty() && !stream_->finished())
      return arm(stream_->longest_silence(), &HttpConnection::break_silence);
    arm(service_.limits.slow_client, &HttpConnection::close);
    if (part_.empty()) return stream_end();
    const auto sent = unless_failed([this] {
      if (stream_->finished()) stream_end();
      else stream_next(/*overdue=*/false);
    });
    if (response_.chunked()) {
      asio::async_write(socket_, http::make_chunk(asio::buffer(part_)), sent);
    } else {
      asio::async_write(socket_, asio::buffer(part_), sent);
    }
  }

  void stream_end() {
    if (!response_.chunked()) return leave();
    asio::async_write(socket_, http::make_chunk_last(), unless_failed([this] { leave(); }));
  }

  // Unread bytes would cause a reset that discards the answer, so they are read until the client
  // closes.
  void leave() {
    stream_.reset();
    ErrorCode ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    if (!place_) place_ = service_.connections.insert(service_.connections.end(), this);
    arm(service_.limits.arrival, &HttpConnection::close);
    buffer_.clear();
    read_away();
  }

  void read_away() {
    constexpr std::size_t block = 16 * 1024;
    socket_.async_read_some(buffer_.prepare(block), unless_failed([this] { read_away(); }));
  }

  void unlist() {
    if (place_) service_.connections.erase(*place_);
    place_.reset();
  }

  HttpService& service_;
  Socket socket_;
  asio::steady_timer deadline_;
  void (HttpConnection::*overdue_)() = nullptr;  // called if the deadline passes
  bool late_ = false;                            // the request has not arrived in time
  beast::flat_buffer buffer_;
  http::request_parser<Body> parser_;
  http::response<Body> response_;
  std::optional<http::response_serializer<Body>> serializer_;
  std::unique_ptr<BodyStream> stream_;
  std::string part_;  // of the stream, while it is sent
  std::optional<std::list<HttpConnection*>::iterator> place_;
};

}  // namespace tessera
