// SPDX-License-Identifier: MIT
#include "tessera/report/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

constexpr double redraw_seconds = 0.2;
constexpr double plain_seconds = 30;

}  // namespace

ProgressObserver::ProgressObserver(Output& output, ProgressStyle style, bool bound_rows)
    : output_(output),
      redraw_(style == ProgressStyle::automatic && isatty(STDERR_FILENO) != 0),
      shown_(style != ProgressStyle::none),
      bound_rows_(bound_rows) {}

void ProgressObserver::board_started(std::string id) {
  id_ = std::move(id);
  since_board_ = Stopwatch();
  next_seconds_ = redraw_ ? redraw_seconds : plain_seconds;
}

void ProgressObserver::clear() {
  if (drawn_) output_.write("\r\x1b[K");
  drawn_ = false;
}

void ProgressObserver::iteration_finished(const IterationReport& report) {
  clear();
  if (bound_rows_) output_.write(bound_row(report));
}

void ProgressObserver::progress(const Progress& progress) {
  if (!shown_) return;
  const double now = since_board_.seconds();
  if (now < next_seconds_) return;
  next_seconds_ = now + (redraw_ ? redraw_seconds : plain_seconds);
  if (redraw_) {
    output_.write("\r\x1b[K" + line(progress));
    drawn_ = true;
  } else {
    output_.write(line(progress) + "\n");
  }
}

std::string ProgressObserver::line(const Progress& progress) const {
  const double seconds = since_board_.seconds();
  return fmt::format("board {}: bound {}, {}/{} subtrees, {} generated, {:.1f} M/s, {:.0f} s", id_,
                     progress.bound, progress.items_done, progress.items,
                     with_commas(progress.counts.generated),
                     static_cast<double>(progress.counts.generated) / seconds / 1e6, seconds);
}

}  // namespace tessera
