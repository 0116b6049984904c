// SPDX-License-Identifier: MIT
#include "cluster/search/common_work.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/clock.hpp"
#include "cluster/messages/collectives.hpp"
#include "threads/board_pool.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

// Boards per thread that a rank holds, in transit included: many at first, since an easy one takes
// some ten microseconds and a message longer, and few at the end, since a hard one takes long.
constexpr std::size_t max_held = 256;
constexpr std::size_t min_held = 2;
constexpr std::size_t batches_left = 4;  // divisor of the remaining boards per worker
// Between polls for messages, while boards are being solved.
constexpr auto message_poll_interval = 300us;

// Converts when boards ended to how long ago that is, for a message, and back. The time that the
// message takes is lost.
void convert_ends(BoardOutcomes& outcomes) {
  const std::chrono::nanoseconds now = Stopwatch::Clock::now().time_since_epoch();
  for (BoardOutcome& outcome : outcomes) outcome.end = now - outcome.end;
}

class Farm {
 public:
  Farm(const Session& session, const std::vector<int>& threads, std::vector<BoardJob> jobs,
       const BatchOptions& options, const Limits& limits, const BoardDone& done)
      : session_(session),
        limits_(limits),
        done_(done),
        jobs_(std::move(jobs)),
        threads_(threads.begin(), threads.end()),
        workers_(std::accumulate(threads_.begin(), threads_.end(), std::size_t{0})),
        held_(threads.size()),
        left_(jobs_.size()),
        pool_(threads.front(), options, limits),
        mail_(session.state(), session.world()) {}

  void run() {
    while (left_ > 0) {
      session_.state().poll();
      if (limits_.is_interrupted()) break;
      for (std::size_t rank = 0; rank < threads_.size(); ++rank) give(rank);
      receive();
      take(master_rank, pool_.take_done(message_poll_interval));
    }
    // After an interruption, the boards in progress end by themselves.
    held_[master_rank] -= pool_.drop_waiting();
    while (held_[master_rank] > 0) take(master_rank, pool_.take_done(message_poll_interval));
    for (int rank = 1; rank < session_.size(); ++rank) send(rank, {});
    // Results of other ranks may still be under way, too: none must be left for the next batch.
    wait_until(session_.state(), [this] {
      receive();
      return ended_ + 1 == session_.size() && mail_.all_left();
    });
  }
  [[nodiscard]] std::vector<double> search_seconds() { return pool_.search_seconds(); }

 private:
  // Gives boards to a rank that has used up half of its previous ones: to idle threads, and no more
  // than its share beyond.
  void give(std::size_t rank) {
    const std::size_t waiting = jobs_.size() - next_;
    const std::size_t hand =
        threads_[rank] * std::clamp(waiting / batches_left / workers_, min_held, max_held);
    if (held_[rank] * 2 > hand) return;
    const std::size_t idle = threads_[rank] - std::min(threads_[rank], held_[rank]);
    const std::size_t share = left_ * threads_[rank] / workers_;
    const std::size_t more = std::min(hand, std::max(share, held_[rank])) - held_[rank];
    const std::size_t count = std::min(waiting, std::max(idle, more));
    if (count == 0) return;
    held_[rank] += count;
    std::vector<BoardJob> given;
    while (given.size() < count) given.push_back(std::move(jobs_[next_++]));
    if (rank == master_rank) pool_.add(std::move(given));
    else send(static_cast<int>(rank), given);
  }

  void receive() {
    mail_.receive<BoardOutcomes>(tag_outcomes, [this](int rank, BoardOutcomes outcomes) {
      convert_ends(outcomes);
      if (outcomes.empty()) ++ended_;
      take(static_cast<std::size_t>(rank), std::move(outcomes));
    });
  }
  void take(std::size_t rank, BoardOutcomes outcomes) {
    held_[rank] -= outcomes.size();
    left_ -= outcomes.size();
    for (BoardOutcome& outcome : outcomes) done_(std::move(outcome));
  }
  void send(int rank, const std::vector<BoardJob>& boards) { mail_.send(rank, tag_boards, boards); }

  const Session& session_;
  const Limits& limits_;
  const BoardDone& done_;
  std::vector<BoardJob> jobs_;
  std::size_t next_ = 0;
  std::vector<std::size_t> threads_;  // by rank
  std::size_t workers_;
  std::vector<std::size_t> held_;  // by rank: boards given but not done
  std::size_t left_;               // boards not done
  BoardPool pool_;
  Mail mail_;
  int ended_ = 0;  // ranks whose last message has arrived
};

}  // namespace

std::vector<WorkerTimes> farm_boards(const Session& session,
                                     const std::vector<int>& threads_by_rank,
                                     std::vector<BoardJob> jobs, const BatchOptions& options,
                                     const Limits& limits, const BoardDone& done) {
  BatchStart start{.options = options};
  if (limits.deadline) start.time_left = *limits.deadline - Stopwatch::Clock::now();
  send_command(session, Command::batch, start);
  const Stopwatch watch;
  Farm farm(session, threads_by_rank, std::move(jobs), options, limits, done);
  farm.run();
  const double wall = watch.seconds();
  return times_of_workers(gather(session, farm.search_seconds()), wall);
}

void solve_farmed_boards(const Session& session, int threads, const BatchStart& start) {
  std::atomic<bool> end{false};  // the master gives no more boards; those left are interrupted
  Limits limits{.interrupted = &end};
  if (start.time_left) limits.deadline = Stopwatch::Clock::now() + *start.time_left;
  Mail mail(session.state(), session.world());
  std::vector<double> seconds;
  {
    BoardPool pool(threads, start.options, limits);
    std::size_t held = 0;
    BackOff sleep;
    while (!end || held > 0) {
      session.state().poll();
      mail.receive<std::vector<BoardJob>>(tag_boards, [&](int, std::vector<BoardJob> jobs) {
        if (jobs.empty()) {
          end = true;
          held -= pool.drop_waiting();
        }
        for (BoardJob& job : jobs) job.problem.rank = session.rank();
        held += jobs.size();
        pool.add(std::move(jobs));
        sleep.reset();
      });
      if (held == 0) {
        if (!end) sleep();
        continue;
      }
      BoardOutcomes outcomes = pool.take_done(message_poll_interval);
      held -= outcomes.size();
      convert_ends(outcomes);
      if (!outcomes.empty()) mail.send(master_rank, tag_outcomes, outcomes);
    }
    seconds = pool.search_seconds();
  }
  // The last message is empty. A large one is pending until the master receives it.
  mail.send(master_rank, tag_outcomes, BoardOutcomes());
  mail.wait_until_left();
  (void)gather(session, seconds);
}

}  // namespace tessera
