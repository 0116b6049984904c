// SPDX-License-Identifier: MIT
#pragma once

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/census/census.hpp"
#include "tessera/search/batch.hpp"
#include "tessera/search/beam.hpp"
#include "tessera/search/executor.hpp"
#include "tessera/threads/subtree_pool.hpp"

/// Everything that travels between ranks, but for notices (JobState). Collectives: a Command with
/// its payload (broadcast), the first items (scatter), the rounds of an execution (Rounds, sums of
/// six numbers), ReducedResult (all-reduce), what each item expanded (reduce), RankResult (gather).
/// The table in docs/architecture.md has their sizes.

namespace tessera {

/// Point-to-point messages of a running execution.
enum MessageTag : int {
  tag_request = 1,  ///< thief to victim, one int: how many of its threads have nothing to do
  tag_patient,      ///< the same from a rank without work, which waits until the victim has some
  tag_work,         ///< victim to thief: subtrees, perhaps none
  tag_finished,     ///< rank to master: FinishedSubtrees since the last such, where the task tells
  tag_ping,         ///< master to a rank that may be stopped, empty
  tag_pong,         ///< its answer, empty
  tag_clock,        ///< master to a rank of another host, empty; its answer: nanoseconds
  tag_nodes,        ///< best-first: an array of Reached<State>, to the owner of their boards
  tag_boards,       ///< batch: BoardsMessage, master to rank
  tag_outcomes,     ///< batch: OutcomesMessage, rank to master
  tag_trace,        ///< best-first: Trace, to the owner of its board; to the master at the start
  tag_scattered,    ///< the body of a scatter: master to rank
  tag_gathered,     ///< the body of a gather: rank to master
  tag_swapped,      ///< a rank's part of what each sends to each
};

/// A new board for all ranks.
struct Setup {
  int width = 0;
  int height = 0;
  std::vector<std::int64_t> labels;
  int goal_blank = 0;
  std::string heuristic;
  Kernel kernel = Kernel::automatic;
  std::string prune;
  Metric metric = Metric::single;
  std::string table_directory;
  Emulation emulation;

  Setup() = default;
  explicit Setup(const Problem& problem);
  [[nodiscard]] Problem problem(int rank) const;
};

/// An execution begins.
struct Announcement {
  Task task;
  std::uint64_t items = 0;
};

/// What every rank learns at the end of an execution.
struct ReducedResult {
  Counts counts;
  int next_bound = no_bound;
};

/// What the master needs of each rank beyond that.
struct RankResult {
  bool found = false;
  std::uint32_t found_item = 0;
  std::string letters;
  bool solved = false;  ///< solutions were counted
  std::string solved_path;
  std::map<int, Counts> by_bound;
  std::vector<FinishedSubtree> finished;  ///< where the execution was stopped: not told before
  std::uint64_t told = 0;                 ///< messages of finished subtrees that this rank sent
  double execution_search_seconds = 0;
  double communicate_seconds = 0;      ///< in this execution's collectives
  std::vector<double> search_seconds;  ///< by thread, since the board began
  std::vector<Track> tracks;           ///< in this host's time; where the task traces
};

/// A best-first search over all ranks; the board comes as a Setup.
struct BestFirstAnnouncement {
  BestFirstOrder order = BestFirstOrder::astar;
  std::uint64_t memory_bytes = 0;  ///< of each rank
};

/// The way from the goal back to the start, which goes from owner to owner.
struct Trace {
  std::string state;    ///< the bytes of the board that it has come to
  std::string letters;  ///< from there to the goal, reversed
};

/// A rank's part of a best-first search.
struct BestFirstShare {
  std::map<int, Counts> by_bound;
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  bool memory_full = false;
  int least_open = no_bound;  ///< the smallest f of a node that was not expanded
  double search_seconds = 0;
  double communicate_seconds = 0;
  double wait_seconds = 0;
};

/// How ranks solve the boards of a batch that the master sends them.
struct BatchAnnouncement {
  bool finish_iteration = false;
  bool all = false;
  bool every_depth = false;
  std::uint64_t node_limit = 0;
  std::uint64_t patience = 0;
  bool keeps_boards = false;
  BestFirstAnnouncement best_first;  ///< where it does
  double seconds_left = -1;          ///< until the deadline; less than 0: none

  BatchAnnouncement() = default;
  BatchAnnouncement(const BatchOptions& options, const Limits& limits);
  [[nodiscard]] BatchOptions options() const;
};

/// Boards for a rank.
struct BoardsMessage {
  std::vector<std::uint32_t> indices;
  std::vector<Setup> boards;
  bool end = false;  ///< nothing more comes, what waits is dropped
};

/// Boards that a rank is through with.
struct OutcomesMessage {
  std::vector<BoardOutcome> outcomes;
};

}  // namespace tessera

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, tessera::Counts& counts, unsigned) {
  archive& counts.expanded& counts.generated& counts.solutions;
}
template <class Archive>
void serialize(Archive& archive, tessera::CensusTask& task, unsigned) {
  archive& task.size.width& task.size.height& task.goal_blank& task.metric& task.picks;
  archive& task.checkpoint& task.checkpoint_seconds& task.resume;
  archive& task.disk& task.memory_bytes;
  const auto optional = [&](auto& value) {
    bool there = value.has_value();
    auto content = value.value_or(0);
    archive& there& content;
    if (there) value = content;
  };
  optional(task.last_depth);
  optional(task.pick_seed);
}
template <class Archive>
void serialize(Archive& archive, tessera::Task& task, unsigned) {
  archive& task.bound& task.mode& task.independent& task.schedule& task.growth& task.tell_seconds;
  archive& task.trace_room;
}
template <class Archive>
void serialize(Archive& archive, tessera::PooledItem& item, unsigned) {
  archive& item.ordinal& item.work.path& item.work.cost;
}
template <class Archive>
void serialize(Archive& archive, tessera::Setup& setup, unsigned) {
  archive& setup.width& setup.height& setup.labels& setup.goal_blank& setup.heuristic& setup.kernel;
  archive& setup.prune& setup.metric& setup.table_directory;
  archive& setup.emulation.nodes_per_second& setup.emulation.slow_rank& setup.emulation.slowness;
}
template <class Archive>
void serialize(Archive& archive, tessera::FinishedSubtree& finished, unsigned) {
  archive& finished.path& finished.counts& finished.next_bound& finished.solved;
}
template <class Archive>
void serialize(Archive& archive, tessera::Span& span, unsigned) {
  archive& span.activity& span.begin& span.end& span.subject& span.from& span.amount& span
      .merged& span.busy;
}
template <class Archive>
void serialize(Archive& archive, tessera::Track& track, unsigned) {
  archive& track.rank& track.thread& track.spans& track.dropped;
}
template <class Archive>
void serialize(Archive& archive, tessera::Announcement& announcement, unsigned) {
  archive& announcement.task& announcement.items;
}
template <class Archive>
void serialize(Archive& archive, tessera::BeamOptions& options, unsigned) {
  archive& options.width& options.seed& options.shorter_than;
}
template <class Archive>
void serialize(Archive& archive, tessera::BestFirstAnnouncement& announcement, unsigned) {
  archive& announcement.order& announcement.memory_bytes;
}
template <class Archive>
void serialize(Archive& archive, tessera::Trace& trace, unsigned) {
  archive& trace.state& trace.letters;
}
template <class Archive>
void serialize(Archive& archive, tessera::BestFirstShare& share, unsigned) {
  archive& share.by_bound& share.states& share.bytes& share.memory_full& share.least_open& share
      .search_seconds& share.communicate_seconds& share.wait_seconds;
}
template <class Archive>
void serialize(Archive& archive, tessera::BatchAnnouncement& batch, unsigned) {
  archive& batch.finish_iteration& batch.all& batch.every_depth& batch.node_limit& batch.patience;
  archive& batch.keeps_boards& batch.best_first& batch.seconds_left;
}
template <class Archive>
void serialize(Archive& archive, tessera::BoardsMessage& message, unsigned) {
  archive& message.indices& message.boards& message.end;
}
template <class Archive>
void serialize(Archive& archive, tessera::OutcomesMessage& message, unsigned) {
  archive& message.outcomes;
}
template <class Archive>
void serialize(Archive& archive, tessera::IterationReport& report, unsigned) {
  archive& report.bound& report.counts& report.seconds& report.idle_fraction& report.complete;
  archive& report.timed;
}
template <class Archive>
void serialize(Archive& archive, tessera::BoardOutcome& outcome, unsigned) {
  tessera::BestFirstResult& result = outcome.result;
  bool solved = result.solution.has_value();
  std::string letters = result.solution.value_or("");
  int stop = result.stop ? static_cast<int>(*result.stop) : -1;
  archive& outcome.index& outcome.too_hard& solved& letters& stop& result.optimal& result.bound;
  archive& result.counts& result.solution_count& result.iterations& result.seconds;
  archive& result.setup_seconds& result.states& result.bytes;
  if (solved) result.solution = letters;
  if (stop >= 0) result.stop = static_cast<tessera::Stop>(stop);
}
template <class Archive>
void serialize(Archive& archive, tessera::RankResult& result, unsigned) {
  archive& result.found& result.found_item& result.letters& result.solved& result
      .solved_path& result.by_bound& result.finished& result.told& result
      .execution_search_seconds& result.communicate_seconds& result.search_seconds& result.tracks;
}

}  // namespace boost::serialization
