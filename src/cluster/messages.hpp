// SPDX-License-Identifier: MIT
#pragma once

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/census/census.hpp"
#include "tessera/search/executor.hpp"
#include "tessera/threads/subtree_pool.hpp"

/// Everything that travels between ranks. Collectives: Order and the Setup (prepare, setup) or
/// Announcement (execute) behind it (broadcast), the first items (scatter), the rounds of an
/// execution (Rounds, sums of eight numbers), ReducedResult (all-reduce), RankResult (gather). The
/// table in docs/architecture.md has their sizes.

namespace tessera {

/// Point-to-point messages of a running execution.
enum MessageTag : int {
  tag_request = 1,  ///< thief to victim, one int: how many of its threads have nothing to do
  tag_work,         ///< victim to thief: subtrees, perhaps none
  tag_finished,     ///< rank to master: FinishedMessage, where the task tells
  tag_ping,         ///< master to a rank that may be stopped, empty
  tag_pong,         ///< its answer, empty
};

/// What the master's command needs the other ranks for, once: nothing, a ClusterExecutor, a
/// complete search.
enum class Calling : int { none, search, census };

/// What all ranks do next.
enum class Order : int { prepare, setup, execute, end };

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

  Setup() = default;
  explicit Setup(const Problem& problem);
  [[nodiscard]] Problem problem() const;
};

/// An execution's task; the number tells its messages from late ones of the execution before.
struct Announcement {
  Task task;
  std::uint32_t number = 0;
};

/// Subtrees that a rank has finished since it told last.
struct FinishedMessage {
  std::uint32_t execution = 0;
  std::vector<FinishedSubtree> finished;
};

/// What every rank learns at the end of an execution.
struct ReducedResult {
  Counts counts;
  int next_bound = no_bound;
  bool solved = false;
};

struct Reduce {
  ReducedResult operator()(const ReducedResult& a, const ReducedResult& b) const {
    return {a.counts + b.counts, std::min(a.next_bound, b.next_bound), a.solved || b.solved};
  }
};

/// What the master needs of each rank beyond that.
struct RankResult {
  std::vector<ItemReport> reports;
  bool found = false;
  std::uint32_t found_item = 0;
  std::string letters;
  bool solved = false;  ///< solutions were counted
  std::string solved_path;
  std::map<int, Counts> by_bound;
  std::vector<FinishedSubtree> finished;  ///< where the execution was stopped: not told before
  std::uint64_t told = 0;                 ///< FinishedMessages that this rank sent
  double execution_search_seconds = 0;
  double communicate_seconds = 0;      ///< in this execution's collectives
  std::vector<double> search_seconds;  ///< by thread, since the board began
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
}
template <class Archive>
void serialize(Archive& archive, tessera::PooledItem& item, unsigned) {
  archive& item.ordinal& item.work.path& item.work.cost;
}
template <class Archive>
void serialize(Archive& archive, tessera::ItemReport& report, unsigned) {
  archive& report.ordinal& report.counts;
}
template <class Archive>
void serialize(Archive& archive, tessera::Setup& setup, unsigned) {
  archive& setup.width& setup.height& setup.labels& setup.goal_blank& setup.heuristic& setup.kernel;
  archive& setup.prune& setup.metric& setup.table_directory;
}
template <class Archive>
void serialize(Archive& archive, tessera::FinishedSubtree& finished, unsigned) {
  archive& finished.path& finished.counts& finished.next_bound& finished.solved;
}
template <class Archive>
void serialize(Archive& archive, tessera::FinishedMessage& message, unsigned) {
  archive& message.execution& message.finished;
}
template <class Archive>
void serialize(Archive& archive, tessera::Announcement& announcement, unsigned) {
  archive& announcement.task& announcement.number;
}
template <class Archive>
void serialize(Archive& archive, tessera::ReducedResult& result, unsigned) {
  archive& result.counts& result.next_bound& result.solved;
}
template <class Archive>
void serialize(Archive& archive, tessera::RankResult& result, unsigned) {
  archive& result.reports& result.found& result.found_item& result.letters& result.solved& result
      .solved_path& result.by_bound& result.finished& result.told& result
      .execution_search_seconds& result.communicate_seconds& result.search_seconds;
}

}  // namespace boost::serialization
