// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/mpi/communicator.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "cluster/messages/mail.hpp"

namespace tessera {

struct Notice;

/// The message of a rank; that of rank 0 needs no number.
[[nodiscard]] std::string with_rank(int rank, const std::string& message);

/// After which silence a rank is reported; tests set less.
inline std::chrono::milliseconds longest_silence = std::chrono::seconds(30);

/// Called on rank 0 with the ranks that have not answered for as long as `longest_silence`, being
/// stopped or very slow, and with none once they all have.
using ReportSilence = std::function<void(const std::vector<int>&)>;

/// What every rank of a job needs to know at any time: that a signal arrived, that the current
/// command is to stop, that a rank has failed. The first rank to learn it notifies its neighbors in
/// a binary tree, and they notify theirs, so all ranks know it after about log2(ranks) polls. Rank
/// 0 also asks the others, some times per minute, whether they still poll.
///
/// Long waits and computations call poll(), which costs one probe. See decision 17.
class JobState {
 public:
  using Clock = std::chrono::steady_clock;

  explicit JobState(const boost::mpi::communicator& world, ReportSilence report = {});
  JobState(const JobState&) = delete;
  JobState& operator=(const JobState&) = delete;

  /// `interrupted` is the flag that signal handlers set on this rank. It is also set when a signal
  /// has reached another rank.
  void listen(std::atomic<bool>& interrupted) { interrupted_ = &interrupted; }

  /// Receives what other ranks report and passes it on. Throws JobFailed if a rank has failed.
  void poll();
  /// The same for code that must not throw: false if the command is to stop or a rank has failed.
  [[nodiscard]] bool may_continue();

  /// Rank 0's commands are numbered, so that a late stop is not mistaken for one of the next
  /// command.
  void begin_command(std::uint64_t number) { command_ = number; }
  [[nodiscard]] std::uint64_t command() const { return command_; }
  /// Tells all ranks to stop the current command.
  void stop_command();

  /// Reports that this rank has failed, at `since`, during a collective operation: the job ends.
  /// Only the first failure of a rank is recorded. Its message names every rank but rank 0.
  void fail(const Failure& failure, Clock::time_point since = Clock::now());
  /// The same, then throws JobFailed.
  [[noreturn]] void fail_and_throw(const Failure& failure, Clock::time_point since = Clock::now());
  /// Whether some rank has failed.
  [[nodiscard]] bool failed() const { return failure_.has_value(); }

  struct RankFailure {
    int rank = 0;
    Failure failure;
    bool all_closed = false;  ///< else some rank did not reach `close` in time
  };
  /// Ends the job; all ranks come here after everything else. Returns the failure of the lowest
  /// rank that failed. If there is one, waits for the other ranks until five seconds have passed
  /// since it.
  [[nodiscard]] std::optional<RankFailure> close();

  /// Keeps buffers that MPI may still read or write alive until the process ends.
  void retain(std::shared_ptr<void> buffers);
  /// Whether this rank left an operation unfinished, so that MPI may be unable to finalize.
  [[nodiscard]] bool has_retained() const { return has_retained_; }

 private:
  static constexpr int nobody = -1;

  /// Exchanges notices, unless it did so a moment ago.
  void poll_if_due();
  void exchange();
  void handle_notice(const Notice& notice, int from);
  /// Rank 0 asks the others whether they poll, and reports those that do not answer.
  void watch_ranks();
  /// Sends a notice to the neighbors in the tree, except the one that it came from.
  void forward_notice(const Notice& notice, int from);

  int rank_;
  int ranks_;
  std::vector<int> neighbors_;  // the parent first, unless this is rank 0
  bool has_retained_ = false;
  Mail mail_;

  std::atomic<bool>* interrupted_ = nullptr;
  bool interruption_known_ = false;
  std::uint64_t command_ = 0;
  std::uint64_t stopped_ = 0;  // the last command that was told to stop
  std::optional<RankFailure> failure_;
  bool own_failure_ = false;
  Clock::time_point ends_at_;
  Clock::time_point next_poll_;
  std::size_t finished_ = 0;  // children that have reached the end
  bool closed_ = false;

  ReportSilence report_silence_;
  std::set<int> unanswered_;  // ranks that have not answered since asked_
  Clock::time_point asked_;
  Clock::time_point watched_;  // when this rank last looked for answers
  bool reported_ = false;
};

}  // namespace tessera
