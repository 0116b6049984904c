// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tessera {

/// A self-contained HTML page of plots and board replays made from result files. Asks no network
/// for anything; its one script is allowed by its hash, so nothing that a file holds can ever run.
class ResultPage {
 public:
  ResultPage();
  ~ResultPage();

  /// Takes in one file's text. Its kind is recognized from the text alone: lines of
  /// `tessera.result/1`, `tessera.compare/1` and `tessera.census/1` in any mixture, or one trace.
  /// Each solution is replayed. Throws Error(input) with "NAME:LINE: what is wrong".
  void add(std::string_view text, const std::string& name);

  /// What it holds, for a person: "3 boards, 1 comparison".
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string html() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace tessera
