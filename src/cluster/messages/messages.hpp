// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <boost/mpi/datatype.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "census/census.hpp"
#include "cluster/job/session.hpp"
#include "search/backend.hpp"
#include "search/beam/beam.hpp"
#include "search/tree/execution.hpp"
#include "threads/subtree_pool.hpp"

/// Messages between searching ranks. Collectives: a Command with its payload (broadcast), the first
/// subtrees (scatter), the rounds of an execution (sums of six numbers), counts, the next bound and
/// the nodes expanded per subtree (all-reduce), RankResult (gather). docs/architecture.md has a
/// table of their sizes.

namespace tessera {

/// What JobState sends between ranks.
struct Notice {
  enum class Kind : std::int32_t { interrupted, stop, failure, finished, closed, ping, pong };
  Kind kind = Kind::interrupted;
  std::int32_t rank = 0;                  ///< stop, failure: where it started
  ErrorKind error = ErrorKind::internal;  ///< failure
  std::uint64_t command = 0;              ///< stop: its number
  std::array<char, 1000> text = {};       ///< failure: its message, zero-terminated
};

/// What ranks report to the master besides the counts and the next bound; merged on the way.
struct RankResult {
  Execution found;                      ///< without counts etc., reduced separately
  std::uint64_t finished_messages = 0;  ///< sent by these ranks, with finished subtrees
  /// Per rank: seconds in this execution's collectives, then each thread's seconds in searches
  /// since the board began.
  std::vector<double> seconds;
};

/// A rank's part of a best-first search.
struct BestFirstShare {
  std::map<int, Counts> by_bound;
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  bool memory_full = false;
  int smallest_open = no_bound;  ///< smallest f of an unexpanded node
  WorkerTimes times;
};

/// How ranks solve the boards of a batch from the master.
struct BatchStart {
  BatchOptions options;  ///< of `ida` only `finish_iteration`, `all`, `listed`, `every_depth`
  std::optional<std::int64_t> time_left = {};  ///< until the deadline, in units of the steady clock
};

/// Boards that a rank has finished; their results without `incumbent`, `times` and
/// `earlier_seconds`, which the master does not need.
using BoardOutcomes = std::vector<BoardOutcome>;

}  // namespace tessera

/// Structs of fixed size are copied as bytes, also in vectors: Boost.MPI assumes, unless it was
/// configured otherwise, that all hosts represent numbers alike (BOOST_MPI_HOMOGENEOUS).

BOOST_IS_MPI_DATATYPE(tessera::Notice)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::BeamOptions)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::BestFirstOptions)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Counts)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Emulation)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Instance)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::IterationReport)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Size)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Span)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Task)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::WorkerTimes)

namespace boost::serialization {

/// Boost.Serialization supports boost::optional only.
template <class Archive, class Value>
void serialize_optional(Archive& archive, std::optional<Value>& optional) {
  bool present = optional.has_value();
  archive& present;
  if (!present) optional.reset();
  else if (!optional) optional.emplace();
  if (present) archive&(*optional);
}

template <class Archive>
void serialize(Archive& archive, tessera::Notice& notice, unsigned) {
  archive& notice.kind& notice.rank& notice.error& notice.command& notice.text;
}
template <class Archive>
void serialize(Archive& archive, tessera::CensusTask& task, unsigned) {
  archive& task.size& task.goal_blank& task.metric& task.threads;
  archive& task.picks& task.checkpoint& task.checkpoint_seconds& task.resume;
  archive& task.disk& task.memory_bytes;
  serialize_optional(archive, task.last_depth);
  serialize_optional(archive, task.pick_seed);
}
template <class Archive>
void serialize(Archive& archive, tessera::RankInfo& info, unsigned) {
  archive& info.host& info.cpus& info.arguments;
}
template <class Archive>
void serialize(Archive& archive, tessera::PooledItem& item, unsigned) {
  archive& item.ordinal& item.work.path& item.work.cost& item.work.h;
}
template <class Archive>
void serialize(Archive& archive, tessera::Problem& problem, unsigned) {
  archive& problem.instance& problem.heuristic& problem.kernel& problem.prune& problem.metric;
  archive& problem.table_directory& problem.emulation& problem.rank;
}
template <class Archive>
void serialize(Archive& archive, tessera::FinishedSubtree& finished, unsigned) {
  archive& finished.path& finished.counts& finished.next_bound& finished.solved;
}
template <class Archive>
void serialize(Archive& archive, tessera::Track& track, unsigned) {
  archive& track.rank& track.thread& track.spans& track.dropped;
}
template <class Archive>
void serialize(Archive& archive, tessera::BestFirstShare& share, unsigned) {
  archive& share.by_bound& share.states& share.bytes& share.memory_full;
  archive& share.smallest_open& share.times;
}
template <class Archive>
void serialize(Archive& archive, tessera::BatchStart& start, unsigned) {
  tessera::BatchOptions& options = start.options;
  archive& options.ida.finish_iteration& options.ida.all& options.ida.every_depth;
  serialize_optional(archive, options.ida.listed);
  archive& options.node_limit& options.easy_nodes;
  auto nanoseconds = options.time_limit.count();
  archive& nanoseconds;
  options.time_limit = std::chrono::nanoseconds(nanoseconds);
  serialize_optional(archive, options.best_first);
  serialize_optional(archive, start.time_left);
}
template <class Archive>
void serialize(Archive& archive, tessera::BoardJob& job, unsigned) {
  archive& job.index& job.problem& job.known;
}
template <class Archive>
void serialize(Archive& archive, tessera::FirstMove& move, unsigned) {
  archive& move.letters& move.solutions;
}
template <class Archive>
void serialize(Archive& archive, tessera::SolutionList& list, unsigned) {
  archive& list.count& list.first_moves& list.solutions& list.serial_seconds;
}
template <class Archive>
void serialize(Archive& archive, tessera::BoardOutcome& outcome, unsigned) {
  tessera::SearchResult& result = outcome.result;
  archive& outcome.index& outcome.too_hard& result.optimal& result.bound& result.counts;
  archive& result.solution_count& result.iterations& result.seconds& result.setup_seconds;
  archive& result.states& result.bytes& outcome.wall_seconds& outcome.cpu_seconds;
  auto end = outcome.end.count();
  archive& end;
  outcome.end = std::chrono::nanoseconds(end);
  serialize_optional(archive, result.solution);
  serialize_optional(archive, result.list);
  serialize_optional(archive, result.stop);
}
template <class Archive>
void serialize(Archive& archive, tessera::FoundSolution& solution, unsigned) {
  archive& solution.item& solution.letters;
}
template <class Archive>
void serialize(Archive& archive, tessera::RankResult& result, unsigned) {
  tessera::Execution& found = result.found;
  serialize_optional(archive, found.solution);
  serialize_optional(archive, found.solved);
  archive& found.by_bound& found.search_seconds& found.tracks;
  archive& found.finished& result.finished_messages& result.seconds;
}

}  // namespace boost::serialization
