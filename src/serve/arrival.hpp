// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tessera/serve/page_server.hpp"

namespace tessera {

/// A request as its bytes arrive: never more of them than a request may have. What goes on to the
/// HTTP library is the whole request, and of its head only what this server reads. So the library
/// meets no endless head, no chunked or compressed body that grows as it is read, and no ranges.
class Arrival {
 public:
  explicit Arrival(const ServeLimits& limits) : limits_(&limits) {}

  /// What is answered to a request that is refused.
  struct Refusal {
    int status = 0;
    std::string message;
  };

  /// More of it; what follows a whole request is left aside.
  void take(std::string_view bytes);

  [[nodiscard]] bool begun() const { return !text_.empty(); }
  [[nodiscard]] bool whole() const { return body_begin_ && text_.size() >= end(); }
  [[nodiscard]] const std::optional<Refusal>& refusal() const { return refusal_; }
  /// Whether the client waits for a word before it sends the body; true once.
  [[nodiscard]] bool take_expectation();
  /// The request as the library gets it. Only of one that is whole.
  [[nodiscard]] std::string request() const;

 private:
  void read_head();
  void read_first_line(std::string_view line);
  void read_header(std::string_view line);
  void refuse(int status, std::string message);
  [[nodiscard]] std::size_t end() const { return *body_begin_ + body_bytes_.value_or(0); }

  const ServeLimits* limits_;
  std::string text_;
  std::size_t line_begin_ = 0;
  std::string head_;  // rebuilt
  std::optional<std::size_t> body_begin_;
  std::optional<std::size_t> body_bytes_;
  bool expects_word_ = false;
  std::optional<Refusal> refusal_;
};

/// An answer in full, as the bytes that are sent.
[[nodiscard]] std::string to_response(const Arrival::Refusal& refusal);

}  // namespace tessera
