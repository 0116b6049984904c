// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/config.hpp"
#include "tessera/report/output.hpp"

namespace tessera {

/// The answer of a command in both forms: `text` for a person and one line of JSON for --json. With
/// --json - the text goes to standard error, and nowhere with --quiet.
class JsonOutput {
 public:
  explicit JsonOutput(const Config& config)
      : text_(config.json == "-" ? Output::standard_error() : Output::standard_output()),
        silent_(config.quiet && config.json == "-") {
    if (config.json == "-") json_.emplace(Output::standard_output());
    if (config.json && config.json != "-") json_.emplace(Output::file(*config.json));
  }

  void write(std::string_view text, const std::string& json) {
    if (!silent_) text_.write(text);
    if (json_) json_->write(json + "\n");
  }

 private:
  Output text_;
  std::optional<Output> json_;
  bool silent_;
};

}  // namespace tessera
