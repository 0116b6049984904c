// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/config.hpp"
#include "tessera/base/error.hpp"
#include "tessera/report/output.hpp"

namespace tessera {

/// What a command prints and writes. Text answers go to standard output; if that is used for JSON
/// or CSV, to standard error, and nowhere with --quiet.
class CommandOutput {
 public:
  /// Opens the files of --json and --csv. Throws Error(input) if one cannot be written or both are
  /// standard output.
  explicit CommandOutput(const Config& config)
      : quiet_(config.quiet),
        only_data_(config.quiet && (config.json == "-" || config.csv == "-")),
        answers_(config.json == "-" || config.csv == "-" ? Output::standard_error()
                                                         : Output::standard_output()) {
    if (config.json == "-" && config.csv == "-") {
      bad_input("--json - and --csv -: both use standard output, expected a file for one of them");
    }
    if (config.json) json_.emplace(Output::at(*config.json));
    if (config.csv) csv_.emplace(Output::at(*config.csv));
  }

  [[nodiscard]] Output& errors() { return errors_; }
  /// Reports an error, in one line.
  static void complain(const std::string& line) {
    Output::standard_error().write("tessera: " + line + "\n");
  }
  /// Text that --quiet suppresses.
  void remark(std::string_view text) {
    if (!quiet_) errors_.write(text);
  }
  void answer(std::string_view text) {
    if (!only_data_) answers_.write(text);
  }
  void write_json(const std::string& line) {
    if (json_) json_->write(line + "\n");
  }
  void write_csv(const std::string& text) {
    if (csv_) csv_->write(text);
  }

 private:
  bool quiet_;
  bool only_data_;
  Output errors_ = Output::standard_error();
  Output answers_;
  std::optional<Output> json_;
  std::optional<Output> csv_;
};

}  // namespace tessera
