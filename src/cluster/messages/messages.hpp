// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
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
  std::optional<std::chrono::nanoseconds> time_left = {};  ///< until the deadline
};

/// Boards that a rank has finished; their results without `incumbent`, `times` and
/// `earlier_seconds`, which the master does not need.
using BoardOutcomes = std::vector<BoardOutcome>;

// The members that travel of each struct that is not copied as bytes, in this order. Those of
// nested structs are listed here too where Boost would send a header for the struct.
// clang-format off
inline auto parts(CensusTask& x) {
  return std::tie(x.size, x.goal_blank, x.metric, x.threads, x.picks, x.checkpoint, x.checkpoint_seconds,
                  x.resume, x.disk, x.memory_bytes, x.last_depth, x.pick_seed);
}
inline auto parts(RankInfo& x) { return std::tie(x.host, x.cpus, x.arguments); }
inline auto parts(PooledItem& x) { return std::tie(x.ordinal, x.work.path, x.work.cost, x.work.h); }
inline auto parts(Problem& x) {
  return std::tie(x.instance, x.heuristic, x.kernel, x.prune, x.metric, x.table_directory, x.emulation, x.rank);
}
inline auto parts(FinishedSubtree& x) { return std::tie(x.path, x.counts, x.next_bound, x.solved); }
inline auto parts(Track& x) { return std::tie(x.rank, x.thread, x.spans, x.dropped); }
inline auto parts(BestFirstShare& x) {
  return std::tie(x.by_bound, x.states, x.bytes, x.memory_full, x.smallest_open, x.times);
}
inline auto parts(BatchStart& x) {
  BatchOptions& options = x.options;
  return std::tie(options.ida.finish_iteration, options.ida.all, options.ida.every_depth, options.ida.listed,
                  options.node_limit, options.easy_nodes, options.time_limit, options.best_first, x.time_left);
}
inline auto parts(BoardJob& x) { return std::tie(x.index, x.problem, x.known); }
inline auto parts(FirstMove& x) { return std::tie(x.letters, x.solutions); }
inline auto parts(SolutionList& x) {
  return std::tie(x.count, x.first_moves, x.solutions, x.serial_seconds);
}
inline auto parts(BoardOutcome& x) {
  SearchResult& result = x.result;
  return std::tie(x.index, x.too_hard, result.optimal, result.bound, result.counts, result.solution_count,
                  result.iterations, result.seconds, result.setup_seconds, result.states, result.bytes,
                  x.wall_seconds, x.cpu_seconds, x.end, result.solution, result.list, result.stop);
}
inline auto parts(FoundSolution& x) { return std::tie(x.item, x.letters); }
inline auto parts(RankResult& x) {
  Execution& found = x.found;
  return std::tie(found.solution, found.solved, found.by_bound, found.search_seconds, found.tracks,
                  found.finished, x.finished_messages, x.seconds);
}
// clang-format on

}  // namespace tessera

/// Structs of fixed size are copied as bytes, also in vectors: Boost.MPI assumes, unless it was
/// configured otherwise, that all hosts represent numbers alike (BOOST_MPI_HOMOGENEOUS).

BOOST_IS_BITWISE_SERIALIZABLE(tessera::BeamOptions)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::BestFirstOptions)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Counts)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Emulation)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Instance)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::IterationReport)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Notice)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Size)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Span)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::Task)
BOOST_IS_BITWISE_SERIALIZABLE(tessera::WorkerTimes)

namespace boost::serialization {

template <class Archive, class Part>
void serialize_part(Archive& archive, Part& part) {
  archive& part;
}
template <class Archive>
void serialize_part(Archive& archive, std::chrono::nanoseconds& time) {
  auto count = time.count();
  archive& count;
  time = std::chrono::nanoseconds(count);
}
/// Boost.Serialization supports boost::optional only.
template <class Archive, class Value>
void serialize_part(Archive& archive, std::optional<Value>& optional) {
  bool present = optional.has_value();
  archive& present;
  if (!present) optional.reset();
  else if (!optional) optional.emplace();
  if (present) serialize_part(archive, *optional);
}

/// More constrained than Boost's own, which calls a member function.
template <class Archive, class Message>
requires requires(Message& message) {
  parts(message);
}
void serialize(Archive& archive, Message& message, unsigned) {
  std::apply([&](auto&... each) { (serialize_part(archive, each), ...); }, parts(message));
}

}  // namespace boost::serialization
