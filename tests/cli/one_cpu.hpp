// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

namespace tessera::cli {

/// While it exists, this thread and the programs that it starts have one CPU.
class OneCpu {
 public:
  OneCpu() {
    EXPECT_EQ(sched_getaffinity(0, sizeof allowed_, &allowed_), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed_)) ++cpu;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  }
  ~OneCpu() { EXPECT_EQ(sched_setaffinity(0, sizeof allowed_, &allowed_), 0); }
  OneCpu(const OneCpu&) = delete;
  OneCpu& operator=(const OneCpu&) = delete;

 private:
  cpu_set_t allowed_;
};

}  // namespace tessera::cli
