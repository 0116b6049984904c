// SPDX-License-Identifier: MIT
#include "report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <string_view>

#include "base/machine.hpp"
#include "base/text.hpp"
#include "model/effort.hpp"
#include "report/estimate.hpp"
#include "report/tables.hpp"

namespace tessera {

namespace {

// Whether standard error is a terminal that can erase a line.
bool can_redraw() {
  const std::string_view type = environment("TERM");
  return isatty(STDERR_FILENO) != 0 && !type.empty() && type != "dumb";
}

// Asked each time: windows are resized.
std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const auto count = parse_integer(environment("COLUMNS"));
  constexpr std::int64_t widest = 10'000;
  return count && *count > 0 && *count < widest ? static_cast<std::size_t>(*count) : 80;
}

// The start of a text that fits into so many columns; other characters than ASCII may take two.
std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xC0U) == 0x80;  // a character of UTF-8
    if (!continues) used += byte < 0x80 ? 1 : 2;
    if (used > columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine(Output& output, ProgressStyle style)
    : output_(output),
      redraw_(style == ProgressStyle::automatic && can_redraw()),
      shown_(style != ProgressStyle::none),
      interval_(redraw_ ? 0.2 : 30),
      next_seconds_(interval_) {}

bool ProgressLine::due(double now) {
  if (!shown_ || now < next_seconds_) return false;
  next_seconds_ = now + interval_;
  return true;
}

void ProgressLine::show(const std::string& text) {
  // A line that wraps, or that fills the last column on some terminals, could not be erased.
  output_.write(redraw_ ? "\r\x1b[K" + std::string(fitting(text, terminal_columns() - 1))
                        : text + "\n");
  drawn_ = redraw_;
}

void ProgressLine::clear() {
  if (drawn_) output_.write("\r\x1b[K");
  drawn_ = false;
}

void ProgressLine::write_above(const std::string& text) {
  Output::standard_error().write((can_redraw() ? "\r\x1b[K" : "") + text + "\n");
}

ProgressObserver::ProgressObserver(Output& output, ProgressStyle style, bool bound_rows)
    : output_(output), line_(output, style), bound_rows_(bound_rows) {}

void ProgressObserver::board_started(std::string id) {
  id_ = std::move(id);
  since_board_ = Stopwatch();
  iterations_.clear();
  upper_.reset();
  line_.restart();
}

void ProgressObserver::iteration_started(int) {
  since_iteration_ = Stopwatch();
}

void ProgressObserver::iteration_finished(const IterationReport& report) {
  iterations_.push_back(report);
  clear();
  if (bound_rows_) output_.write(bound_row(report));
}

void ProgressObserver::bracket(const Bracket& bracket) {
  if (!bound_rows_ || bracket.upper == upper_) return;
  upper_ = bracket.upper;
  clear();
  output_.write(fmt::format("{}: at most {} moves, at least {}\n", id_, *upper_, bracket.lower));
}

void ProgressObserver::progress(const Progress& progress) {
  if (!due()) return;
  Counts counts = progress.counts;  // of this bound
  for (const IterationReport& report : iterations_) counts = counts - report.counts;
  const double seconds = since_iteration_.seconds();
  const auto left = forecast(iterations_, static_cast<double>(counts.expanded), seconds);
  line_.show(fmt::format(
      "board {}: bound {}, {}/{} subtrees, {} generated, {:.1f} M/s, {:.0f} s{}", id_,
      progress.bound, progress.items_done, progress.items, with_commas(progress.counts.generated),
      static_cast<double>(counts.generated) / seconds / 1e6, since_board_.seconds(),
      left ? fmt::format(", about {:.0f} % of this bound, {} left", 100 * left->part_done,
                         rough_time(left->seconds_left))
           : ""));
}

void ProgressObserver::beam_progress(const BeamProgress& progress) {
  if (!due()) return;
  line_.show(
      fmt::format("board {}: beam of {} boards, layer {}, {} evaluated, {:.1f} M/s, {:.0f} s", id_,
                  with_commas(progress.width), progress.layer, with_commas(progress.evaluated),
                  progress.evaluated_per_second() / 1e6, since_board_.seconds()));
}

void ProgressObserver::part_done(double done) {
  // The start, where few placements of a table are known, is a bad predictor of the end.
  std::optional<double> left;
  if (done > 0.02) left = since_board_.seconds() / done * (1 - done);
  part_done(done, left);
}

void ProgressObserver::part_done(double done, std::optional<double> seconds_left) {
  if (!due()) return;
  const std::string left = seconds_left ? fmt::format(", about {:.0f} s left", *seconds_left) : "";
  // 100 % only at the end.
  line_.show(fmt::format("{}: {:.0f} %, {:.0f} s{}", id_, std::floor(100 * done),
                         since_board_.seconds(), left));
}

void ProgressObserver::doing(const std::string& what) {
  if (due()) line_.show(fmt::format("{}: {}, {:.0f} s", id_, what, since_board_.seconds()));
}

}  // namespace tessera
