// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tessera {

/// A self-contained HTML page with plots and board replays from result files. It makes no network
/// requests; its only script is allowed by its hash, so nothing in a file can be executed.
class ResultPage {
 public:
  ResultPage();
  ~ResultPage();

  /// Adds a file. Its kind is recognized from the text alone: lines of JSON in any mixture, such as
  /// those of `tessera.result/1` and `tessera.compare/1` (docs/report.md has all), or one trace.
  /// Each solution is replayed. Throws Error(input) with "NAME:LINE: what is wrong".
  void add(std::string_view text, const std::string& name);

  /// A summary of its contents: "3 boards, 1 comparison".
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string html() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace tessera
