// SPDX-License-Identifier: MIT
#include "serve/arrival.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "tessera/base/text.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_target_bytes = 4096;
constexpr std::array<std::string_view, 4> methods{"GET", "HEAD", "POST", "DELETE"};
// What of a head is read (page_server.cpp).
constexpr std::array<std::string_view, 4> read_headers{"host", "origin", "sec-fetch-site",
                                                       "sec-fetch-mode"};

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; });
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

const char* phrase_of(int status) {
  switch (status) {
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Bad Request";
  }
}

}  // namespace

void Arrival::take(std::string_view bytes) {
  const std::size_t most = limits_->head_bytes + limits_->body_bytes;
  text_.append(bytes.substr(0, most - std::min(most, text_.size())));
  if (!body_begin_ && !refusal_) read_head();
}

void Arrival::read_head() {
  for (std::size_t end = 0; (end = text_.find('\n', line_begin_)) != std::string::npos;) {
    if (end >= limits_->head_bytes) break;
    std::string_view line(text_.data() + line_begin_, end - line_begin_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_first = line_begin_ == 0;
    line_begin_ = end + 1;
    if (is_first) read_first_line(line);
    else if (!line.empty()) read_header(line);
    else body_begin_ = line_begin_;
    if (body_begin_ || refusal_) return;
  }
  if (text_.size() >= limits_->head_bytes) {
    refuse(431, "the head is larger than " + std::to_string(limits_->head_bytes) + " bytes");
  }
}

void Arrival::read_first_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first >= last || has_controls(line)) return refuse(400, "the request cannot be read");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_token(method) || !target.starts_with('/') || target.find(' ') != target.npos ||
      !line.substr(last + 1).starts_with("HTTP/1.")) {
    return refuse(400, "the request cannot be read");
  }
  if (target.size() > most_target_bytes) {
    return refuse(414,
                  "the address is longer than " + std::to_string(most_target_bytes) + " bytes");
  }
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
    return refuse(405,
                  "there is no method " + quote(method) + ", expected GET, HEAD, POST or DELETE");
  }
  head_.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
}

void Arrival::read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string name = lower(line.substr(0, colon));
  if (colon == std::string_view::npos || !is_token(name) || has_controls(line)) {
    return refuse(400, "the request's head cannot be read");
  }
  const std::string value(trimmed(line.substr(colon + 1)));
  if (name == "content-length") {
    const auto bytes = parse_integer(value);
    if (body_bytes_ || !bytes || *bytes < 0) return refuse(400, "Content-Length cannot be read");
    if (static_cast<std::uint64_t>(*bytes) > limits_->body_bytes) {
      return refuse(413,
                    "the body is larger than " + std::to_string(limits_->body_bytes) + " bytes");
    }
    body_bytes_ = static_cast<std::size_t>(*bytes);
  } else if (name == "transfer-encoding") {
    refuse(411, "a body in parts is not taken, expected Content-Length");
  } else if (name == "content-encoding" && lower(value) != "identity") {
    refuse(415, "a body that is " + quote(value) + " is not taken, expected plain JSON");
  } else if (name == "expect" && lower(value) == "100-continue") {
    expects_word_ = true;
  } else if (std::find(read_headers.begin(), read_headers.end(), name) != read_headers.end()) {
    if (head_.find("\r\n" + name + ":") != std::string::npos) {
      return refuse(400, "the request's head has " + name + " twice");
    }
    head_.append(name).append(": ").append(value).append("\r\n");
  }
}

void Arrival::refuse(int status, std::string message) {
  refusal_ = Refusal{status, std::move(message)};
}

bool Arrival::take_expectation() {
  return body_begin_ && !whole() && std::exchange(expects_word_, false);
}

std::string Arrival::request() const {
  const std::string_view body =
      std::string_view(text_).substr(*body_begin_, body_bytes_.value_or(0));
  return head_ + "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string to_response(const Arrival::Refusal& refusal) {
  const std::string body = nlohmann::json{{"error", refusal.message}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string text = "HTTP/1.1 " + std::to_string(refusal.status) + " ";
  text.append(phrase_of(refusal.status)).append("\r\n");
  if (refusal.status == 405) text += "Allow: GET, HEAD, POST, DELETE\r\n";
  text +=
      "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n"
      "Cache-Control: no-store\r\nConnection: close\r\nContent-Length: ";
  return text + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace tessera
