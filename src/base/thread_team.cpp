// SPDX-License-Identifier: MIT
#include "base/thread_team.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

// Polls before a thread sleeps, about 50 us: levels of small sizes follow one another faster than a
// sleeping thread wakes up. After the first polls the thread yields its CPU: if there are more
// threads than CPUs, possibly to the thread that it waits for.
constexpr int polls = 100;
constexpr int polls_before_yield = 20;

template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < polls; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    if (i >= polls_before_yield) std::this_thread::yield();
#if defined(__x86_64__)
    else __builtin_ia32_pause();
#endif
  }
  value.wait(old);
}

}  // namespace

ThreadTeam::ThreadTeam(int threads)
    : failures_(static_cast<std::size_t>(std::max(1, threads))),
      others_(
          threads - 1, [this](int number, const std::stop_token&) { serve(number + 1); },
          [this] {
            over_ = true;
            ++round_;
            round_.notify_all();
          }) {}

void ThreadTeam::serve(int thread) {
  for (unsigned seen = 0;;) {
    wait_while(round_, seen);
    seen = round_.load();
    if (over_) return;
    try {
      (*work_)(thread);
    } catch (...) {
      failures_[static_cast<std::size_t>(thread)] = std::current_exception();
    }
    if (--busy_ == 0) busy_.notify_one();
  }
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  work_ = &work;
  busy_ = threads() - 1;
  ++round_;
  round_.notify_all();
  try {
    work(0);
  } catch (...) {
    failures_[0] = std::current_exception();
  }
  for (int left = busy_; left != 0; left = busy_) wait_while(busy_, left);
  // The first stands for all: none may be left for the next run.
  std::exception_ptr failure;
  for (std::exception_ptr& own : failures_) {
    if (const auto taken = std::exchange(own, nullptr); !failure) failure = taken;
  }
  if (failure) std::rethrow_exception(failure);
}

void ThreadTeam::share(std::size_t items, const std::function<void(std::size_t, int)>& work,
                       const std::function<void()>& meanwhile, std::function<std::size_t()> next) {
  std::atomic<std::size_t> taken{0};
  if (!next) next = [&] { return taken++; };
  const std::function<void(int)> take = [&](int thread) {
    for (std::size_t item = next(); item < items; item = next()) {
      work(item, thread);
      if (thread == 0 && meanwhile) meanwhile();
    }
  };
  constexpr std::size_t few = 4;  // not worth waking any thread
  if (items <= few) take(0);
  else run(take);
}

}  // namespace tessera
