// SPDX-License-Identifier: MIT
// A cable with latency, for kernels without netem: two network interfaces in two network
// namespaces, every frame that goes into one comes out of the other MICROSECONDS later.
//   delay-line NAMESPACE INTERFACE NAMESPACE INTERFACE MICROSECONDS
// The namespaces are files, the interfaces are made here and gone with the process. Prints "ready".
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Frame {
  Clock::time_point due;
  std::vector<char> bytes;
};

// What entered at one end and has not yet left at the other; the delay is one, so in order.
struct Direction {
  int from;
  int to;
  std::deque<Frame> frames;
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

int make_interface(const char* space, const char* name) {
  const int descriptor = open(space, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || setns(descriptor, CLONE_NEWNET) != 0) fail(space);
  close(descriptor);
  const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (tap < 0 || ioctl(tap, TUNSETIFF, &request) != 0) fail(name);
  return tap;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr,
                 "delay-line: expected NAMESPACE INTERFACE NAMESPACE INTERFACE MICROSECONDS\n");
    return 2;
  }
  const int a = make_interface(argv[1], argv[2]);
  const int b = make_interface(argv[3], argv[4]);
  const std::chrono::microseconds delay(std::atol(argv[5]));
  std::array<Direction, 2> cable{Direction{a, b, {}}, Direction{b, a, {}}};
  std::puts("ready");
  std::fflush(stdout);

  std::array<char, 65536> frame{};
  while (true) {
    std::array<pollfd, 2> inputs{pollfd{a, POLLIN, 0}, pollfd{b, POLLIN, 0}};
    timespec wait{3600, 0};
    for (const Direction& direction : cable) {
      if (direction.frames.empty()) continue;
      const auto left =
          std::chrono::nanoseconds(direction.frames.front().due - Clock::now()).count();
      if (left < wait.tv_sec * 1'000'000'000 + wait.tv_nsec) {
        wait = {left > 0 ? left / 1'000'000'000 : 0, left > 0 ? left % 1'000'000'000 : 0};
      }
    }
    (void)ppoll(inputs.data(), inputs.size(), &wait, nullptr);
    for (Direction& direction : cable) {
      ssize_t size = 0;
      while ((size = read(direction.from, frame.data(), frame.size())) > 0) {
        direction.frames.push_back({Clock::now() + delay, {frame.data(), frame.data() + size}});
      }
      while (!direction.frames.empty() && direction.frames.front().due <= Clock::now()) {
        // An interface that is down takes nothing: the frame is lost, as in a cable.
        const std::vector<char>& bytes = direction.frames.front().bytes;
        if (write(direction.to, bytes.data(), bytes.size()) < 0) {
        }
        direction.frames.pop_front();
      }
    }
  }
}
