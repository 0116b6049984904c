// SPDX-License-Identifier: MIT
#include "report/relayed_streams.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A pipe, written to by the process and read by its launcher.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void read(std::size_t bytes) const {
    std::string text(bytes, ' ');
    EXPECT_EQ(::read(ends[0], text.data(), bytes), static_cast<ssize_t>(bytes));
  }
  std::array<int, 2> ends{};
};

// Upper limits leave room for a machine that is busy.
Clock::duration time_of_turn(RelayedStreams& streams, int descriptor) {
  const auto begin = Clock::now();
  streams.wait_for_turn(descriptor);
  return Clock::now() - begin;
}

TEST(RelayedStreams, APipeIsReadBeforeTheOtherIsWritten) {
  const Pipe output, error;
  RelayedStreams streams(output.ends[1], error.ends[1]);
  for (const auto& [first, second] : {std::pair(&output, &error), std::pair(&error, &output)}) {
    first->write("two\nlines\n");
    EXPECT_LT(time_of_turn(streams, first->ends[1]), 500ms);  // its own bytes need not be read
    const auto begin = Clock::now();
    std::thread launcher([pipe = first] {
      std::this_thread::sleep_for(50ms);
      pipe->read(4);
      std::this_thread::sleep_for(50ms);
      pipe->read(6);
    });
    streams.wait_for_turn(second->ends[1]);
    const auto waited = Clock::now() - begin;
    launcher.join();
    EXPECT_GE(waited, 100ms);
    EXPECT_LT(waited, 900ms);
  }
}

TEST(RelayedStreams, ALauncherThatDoesNotReadHoldsNothingUp) {
  const Pipe output, error;
  RelayedStreams streams(output.ends[1], error.ends[1]);
  output.write("never read\n");
  const auto waited = time_of_turn(streams, error.ends[1]);
  EXPECT_GE(waited, 1s);
  EXPECT_LT(waited, 10s);
}

TEST(RelayedStreams, ATerminalIsGivenTimeAfterLongLines) {
  const int launcher = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(launcher, 0);
  ASSERT_EQ(grantpt(launcher) | unlockpt(launcher), 0);
  const int terminal = open(ptsname(launcher), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  const Pipe error;
  const auto delay_after = [&](RelayedStreams& streams, std::size_t bytes) {
    const auto begin = Clock::now();
    streams.written(terminal, bytes);
    streams.wait_for_turn(error.ends[1]);
    return Clock::now() - begin;
  };
  RelayedStreams first(terminal, error.ends[1]);
  EXPECT_LT(delay_after(first, 2000), 240ms);
  RelayedStreams second(terminal, error.ends[1]);
  EXPECT_GE(delay_after(second, 2000) + delay_after(second, 2000) + delay_after(second, 2000),
            250ms);                             // they pile up
  EXPECT_GE(delay_after(second, 3000), 250ms);  // one line in two pieces
  close(terminal);
  close(launcher);
}

TEST(RelayedStreams, FilesNeedNoTurns) {
  const Pipe output, error, other;
  RelayedStreams streams(output.ends[1], error.ends[1]);
  output.write("unread\n");
  EXPECT_LT(time_of_turn(streams, other.ends[1]), 500ms);
}

}  // namespace
}  // namespace tessera
