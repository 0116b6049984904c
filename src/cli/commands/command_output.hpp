// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "cli/options/config.hpp"
#include "report/csv.hpp"
#include "report/output.hpp"

namespace tessera {

/// What a command prints and writes. Text answers go to standard output; if that is used for JSON
/// or CSV, to standard error, and nowhere with --quiet.
class CommandOutput {
 public:
  /// Opens the files of --json, --csv and --summary. Throws Error(input) if one cannot be written
  /// or two are standard output.
  explicit CommandOutput(const Config& config)
      : quiet_(config.quiet),
        only_data_((config.quiet || config.stream) && writes_data(config)),
        answers_(writes_data(config) ? Output::standard_error() : Output::standard_output()) {
    const char* other = nullptr;  // on standard output
    for (const auto& [option, path, output] :
         {std::tuple("--json", &config.json, &json_), std::tuple("--csv", &config.csv, &csv_),
          std::tuple("--summary", &config.summary, &summary_)}) {
      if (*path == "-" && other != nullptr) {
        bad_input(std::string(other) + " - and " + option +
                  " -: both use standard output, expected a file for one of them");
      }
      if (*path == "-") other = option;
      if (*path) output->emplace(Output::at(**path));
    }
  }

  /// Whether JSON or CSV goes to standard output.
  static bool writes_data(const Config& config) {
    return config.json == "-" || config.csv == "-" || config.summary == "-";
  }
  [[nodiscard]] Output& errors() { return errors_; }
  /// Reports an error in one line, whatever a path or other foreign text in it contains.
  static void complain(std::string line) {
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20; }, '?');
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
  /// A row with these columns (csv.hpp), after their heading if it is the first.
  void write_csv(std::string_view columns, const nlohmann::ordered_json& row) {
    const std::string heading = std::exchange(has_csv_heading_, true) ? "" : csv_heading(columns);
    write_csv(heading + csv_line(columns, row));
  }
  /// After the last row: a run without rows leaves none of an earlier one.
  void end_rows(std::string_view columns = "") {
    if (json_) json_->write("");
    if (csv_ && !has_csv_heading_) csv_->write(csv_heading(columns));
  }
  void write_summary(const std::string& line) {
    if (summary_) summary_->write(line + "\n");
  }

 private:
  bool quiet_;
  bool only_data_;
  Output errors_ = Output::standard_error();
  Output answers_;
  std::optional<Output> json_;
  std::optional<Output> csv_;
  bool has_csv_heading_ = false;
  std::optional<Output> summary_;
};

}  // namespace tessera
