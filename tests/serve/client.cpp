// SPDX-License-Identifier: MIT
#include "serve/client.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cctype>

namespace tessera::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

Answer exchange(int port, http::verb method, const std::string& path, const std::string& body,
                const Headers& headers) {
  http::request<http::string_body> request(method, path, 11, body);
  request.set(http::field::host, "127.0.0.1:" + std::to_string(port));
  request.set(http::field::content_type, "application/json");
  for (const auto& [name, value] : headers) request.set(name, value);
  request.prepare_payload();
  asio::io_context context;
  beast::tcp_stream stream(context);
  http::response_parser<http::string_body> parser;
  boost::system::error_code error;
  stream.connect({asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)}, error);
  // A body that is too large is refused before all of it is sent.
  if (!error) http::write(stream, request, error);
  beast::flat_buffer buffer;
  http::read(stream, buffer, parser, error);
  Answer answer;
  if (error) return answer;
  answer.status = static_cast<int>(parser.get().result_int());
  answer.body = parser.get().body();
  for (const auto& field : parser.get()) {
    std::string name(field.name_string().data(), field.name_string().size());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    answer.headers[name] = std::string(field.value().data(), field.value().size());
  }
  return answer;
}

}  // namespace

Answer Client::get(const std::string& path, const Headers& headers) const {
  return exchange(port_, http::verb::get, path, "", headers);
}

Answer Client::post(const std::string& path, const std::string& body,
                    const Headers& headers) const {
  return exchange(port_, http::verb::post, path, body, headers);
}

Answer Client::remove(const std::string& path) const {
  return exchange(port_, http::verb::delete_, path, "", {});
}

}  // namespace tessera::serve
