// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/mpi/communicator.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "tessera/base/failure.hpp"

namespace tessera {

struct Notice;

/// What every rank of a job is to know at any time: that a signal came, that the command under way
/// is to stop, that a rank has failed. Whichever rank learns it first notifies its neighbors in a
/// binary tree, and these theirs, so that all ranks know it after some log2(ranks) polls.
///
/// Whoever waits or works for long polls: it costs one probe. See decision 17.
class JobState {
 public:
  using Clock = std::chrono::steady_clock;

  /// Collective.
  explicit JobState(const boost::mpi::communicator& world);
  ~JobState();
  JobState(const JobState&) = delete;
  JobState& operator=(const JobState&) = delete;

  /// `interrupted` is what signals set on this rank. It is set, too, where a signal reached another
  /// rank.
  void listen(std::atomic<bool>& interrupted) { interrupted_ = &interrupted; }

  /// Takes in what other ranks report and passes it on. Throws JobFailed where one has failed.
  void poll();
  /// The same for work that no exception may leave: false where the command is to stop or a rank
  /// has failed.
  [[nodiscard]] bool goes_on();

  /// Commands of rank 0 are numbered, so that a stop that arrives late is not taken for one of the
  /// next.
  void begin_command(std::uint64_t number) { command_ = number; }
  [[nodiscard]] std::uint64_t command() const { return command_; }
  /// All ranks are to stop the command under way.
  void stop_command();

  /// This rank has failed, at `since`, in the midst of what ranks do together: the job ends. The
  /// first failure of a rank counts.
  void fail(const Failure& failure, Clock::time_point since = Clock::now());
  /// Whether some rank has.
  [[nodiscard]] bool failed() const { return failure_.has_value(); }

  struct RankFailure {
    int rank = 0;
    Failure failure;
    bool all_met = false;  ///< else some rank did not come to `close` in time
  };
  /// The end of the job, where all ranks come after they have left everything else. Returns the
  /// failure of the lowest rank that failed. Where there is one, the ranks are waited for until
  /// five seconds have passed since.
  [[nodiscard]] std::optional<RankFailure> close();

  /// Retains what MPI may still read or write until the process ends.
  void retain(std::shared_ptr<void> buffers) { retained_.push_back(std::move(buffers)); }
  /// Whether this rank has left something in the midst, so that MPI may not be able to end.
  [[nodiscard]] bool has_retained() const { return !retained_.empty(); }

 private:
  struct Sent;
  static constexpr int nobody = -1;

  /// Exchanges, unless it did so a moment ago.
  void look();
  void exchange();
  void take_in(const Notice& notice, int from);
  void take_in_failure(const Notice& notice, int from);
  void send(const Notice& notice, int to);
  /// To the neighbors in the tree, but for the one that it came from.
  void spread(const Notice& notice, int from);

  boost::mpi::communicator comm_;
  int rank_;
  std::vector<int> neighbors_;  // the parent first, unless it is rank 0
  std::list<Sent> sent_;

  std::atomic<bool>* interrupted_ = nullptr;
  bool interruption_known_ = false;
  std::uint64_t command_ = 0;
  std::uint64_t stopped_ = 0;  // the last command that was to stop
  std::optional<RankFailure> failure_;
  bool own_failure_ = false;
  Clock::time_point ends_at_;
  Clock::time_point next_look_;
  std::size_t finished_ = 0;  // children that have come to the end
  bool closed_ = false;
  std::vector<std::shared_ptr<void>> retained_;
};

}  // namespace tessera
