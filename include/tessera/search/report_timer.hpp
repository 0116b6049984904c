// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/base/clock.hpp"

namespace tessera {

/// When finished subtrees are reported: running searches are asked for their part a moment before.
class ReportTimer {
 public:
  /// `every` seconds; 0: never.
  explicit ReportTimer(double every) : every_(every) {}
  /// True once per interval.
  bool ask() {
    if (asked_ || every_ <= 0 || since_.seconds() < every_ - moment) return false;
    return asked_ = true;
  }
  /// True once per interval, a moment later.
  bool due() {
    if (!asked_ || since_.seconds() < every_) return false;
    asked_ = false;
    since_.lap();
    return true;
  }

 private:
  static constexpr double moment = 0.1;  // seconds; longer than nearly every piece of work
  double every_;
  bool asked_ = false;
  Stopwatch since_;
};

}  // namespace tessera
