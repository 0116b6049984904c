// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

/// What a thread does, or an event. A rank's search threads search, share and wait; its main thread
/// does everything else.
enum class Activity : std::uint8_t {
  search,   ///< a subtree; subject: its index in the execution, amount: nodes expanded
  share,    ///< gives branches of its subtree to idle threads; amount: how many
  wait,     ///< idle while an execution runs: at its end, the idle tail
  between,  ///< no execution runs: the main thread cuts the tree, or searches a short iteration
  split,    ///< cuts the tree
  recover,  ///< recovers the path to a solution that was counted
  deal,     ///< sends the task and the first subtrees
  attend,   ///< answers messages and watches limits while the search threads work
  settle,   ///< waits for messages in transit
  reduce,   ///< sums values over ranks
  steal,    ///< from a request to its answer; subject: the victim, amount: subtrees received.
            ///< May overlap any other activity of the thread.
  // Moments
  give,      ///< an answer to a thief; subject: its rank, amount: subtrees, 0: a refusal
  tell,      ///< finished subtrees sent to rank 0; amount: how many
  solution,  ///< found a goal
  over,      ///< learned that the execution is over; subject: an Ending
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
  std::uint32_t merged = 1;  ///< number of spans merged into this one
  std::int64_t busy = 0;     ///< end - begin without the gaps between them
};

[[nodiscard]] inline std::int64_t nanoseconds(std::chrono::steady_clock::time_point moment) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
}
[[nodiscard]] inline std::int64_t nanoseconds_now() {
  return nanoseconds(std::chrono::steady_clock::now());
}

/// What one thread did, for passing on.
struct Track {
  static constexpr int main_thread = -1;
  int rank = 0;
  int thread = main_thread;
  std::vector<Span> spans;
  std::uint64_t dropped = 0;  ///< short waits, shares and messages dropped for lack of room
};

/// Records what one thread does, in bounded memory. When it is full, neighboring subtrees are
/// merged into one span and short spans are dropped, with a rising limit, until half of the room is
/// free. So no search is lost, and significant waits remain. Not thread-safe: used by its own
/// thread, or guarded.
class Timeline {
 public:
  /// Makes room for `room` spans; 0: records nothing.
  void start(std::size_t room) { room_ = room; }
  [[nodiscard]] bool records() const { return room_ > 0; }

  void note(Span span);
  void note(Activity activity, std::int64_t begin, std::int64_t end, std::uint64_t amount = 0,
            int subject = -1) {
    note({.activity = activity, .begin = begin, .end = end, .subject = subject, .amount = amount});
  }
  /// A span from `begin` to now.
  void note_since(std::int64_t begin, Activity activity, std::uint64_t amount = 0,
                  int subject = -1) {
    if (records()) note(activity, begin, nanoseconds_now(), amount, subject);
  }
  /// An instantaneous event.
  void note_moment(Activity activity, std::uint64_t amount = 0, int subject = -1) {
    const std::int64_t now = records() ? nanoseconds_now() : 0;
    note(activity, now, now, amount, subject);
  }

  /// Returns what was recorded since the last call.
  [[nodiscard]] Track take(int rank, int thread);

 private:
  void thin();

  std::size_t room_ = 0;
  std::vector<Span> spans_;
  std::int64_t least_ = first_least;  // ns; shorter spans are dropped when there is no room
  std::uint64_t dropped_ = 0;
  static constexpr std::int64_t first_least = 100'000;
};

}  // namespace tessera
