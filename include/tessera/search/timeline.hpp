// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

/// What a thread does, or what happened to it. A rank's search threads search, share and wait; its
/// main thread does all else.
enum class Activity : std::uint8_t {
  search,   ///< a subtree; subject: its place among the execution's items, amount: nodes expanded
  share,    ///< gives branches of its subtree to those that have nothing to do; amount: how many
  wait,     ///< has nothing to do while an execution runs: at its end, the idle tail
  between,  ///< no execution runs: the main thread cuts the tree, or searches a short iteration
  split,    ///< cuts the tree
  recover,  ///< looks for the way to a solution that was counted
  deal,     ///< the task and the first subtrees travel
  attend,   ///< answers messages and watches limits while the search threads work
  settle,   ///< waits for messages that are under way
  reduce,   ///< figures are summed over ranks
  steal,    ///< from a request to its answer; subject: the rank asked, amount: subtrees that came.
            ///< May overlap anything of its thread.
  // Moments
  give,      ///< an answer to a thief; subject: its rank, amount: subtrees, 0 a refusal
  tell,      ///< finished subtrees sent to rank 0; amount: how many
  solution,  ///< met a goal
  over,      ///< learnt that the execution is over; subject: an Ending
};
[[nodiscard]] std::string_view to_string(Activity activity);
[[nodiscard]] constexpr bool is_moment(Activity activity) {
  return activity >= Activity::give;
}

/// Why an execution is over.
enum class Ending : std::uint8_t { exhausted, solution, stopped };
[[nodiscard]] std::string_view to_string(Ending ending);

/// Times are nanoseconds of the host's steady clock.
struct Span {
  Activity activity = Activity::search;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int32_t subject = -1;
  std::int32_t from = -1;  ///< search: the thread whose queue it was taken from; -1: its own
  std::uint64_t amount = 0;
  std::uint32_t merged = 1;  ///< how many became this one
  std::int64_t busy = 0;     ///< end - begin less the gaps between those
};

[[nodiscard]] inline std::int64_t nanoseconds(std::chrono::steady_clock::time_point moment) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
}
[[nodiscard]] inline std::int64_t nanoseconds_now() {
  return nanoseconds(std::chrono::steady_clock::now());
}

/// What one thread did, as it is passed on.
struct Track {
  static constexpr int main_thread = -1;
  int rank = 0;
  int thread = main_thread;
  std::vector<Span> spans;
  std::uint64_t dropped = 0;  ///< short waits, shares and messages that there was no room for
};

/// Records what one thread does, in bounded memory: where spans become too many, neighbouring
/// subtrees are merged into one span and what is short is dropped, ever longer ones until half the
/// room is free. So no search is lost, and waits worth looking at stay. Not thread-safe: the
/// thread's own, or guarded.
class Timeline {
 public:
  /// Room for `room` spans; 0: nothing is recorded.
  void start(std::size_t room) { room_ = room; }
  [[nodiscard]] bool records() const { return room_ > 0; }

  void note(Span span);
  void note(Activity activity, std::int64_t begin, std::int64_t end, std::uint64_t amount = 0,
            int subject = -1) {
    note({.activity = activity, .begin = begin, .end = end, .subject = subject, .amount = amount});
  }
  /// From a moment to now.
  void note_since(std::int64_t begin, Activity activity, std::uint64_t amount = 0,
                  int subject = -1) {
    if (records()) note(activity, begin, nanoseconds_now(), amount, subject);
  }
  /// A moment that is now.
  void note_moment(Activity activity, std::uint64_t amount = 0, int subject = -1) {
    const std::int64_t now = records() ? nanoseconds_now() : 0;
    note(activity, now, now, amount, subject);
  }

  /// What was recorded since the last call.
  [[nodiscard]] Track take(int rank, int thread);

 private:
  void thin();

  std::size_t room_ = 0;
  std::vector<Span> spans_;
  std::int64_t least_ = first_least;  // ns; what is shorter goes when there is no room
  std::uint64_t dropped_ = 0;
  static constexpr std::int64_t first_least = 100'000;
};

}  // namespace tessera
