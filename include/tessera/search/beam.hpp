// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/thread_team.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Beam search: layer by layer, the `width` best boards by (h, a hash of seed and board) are
/// expanded, until a layer holds the goal. Any solution, no proof; the wider, the shorter.
///
/// The result depends on the problem, width, seed and `shorter_than` alone. Boards are compared
/// by a 64-bit hash that the seed chooses; of equal boards in a layer the one wins whose parent has
/// the blank in the lowest cell. Boards of earlier layers are left out by a table of about 16
/// fingerprints per board of the width, where newer layers displace older ones.
struct BeamOptions {
  std::uint64_t width = 0;
  std::uint64_t seed = 1;
  int shorter_than = no_bound;  ///< boards that cannot lead to a shorter solution are dropped
};

/// What ranks do together in a beam search; here one process alone. Boards are owned by hash.
class BeamExchange {
 public:
  using Parts = std::vector<std::vector<std::byte>>;

  virtual ~BeamExchange() = default;
  [[nodiscard]] virtual int ranks() const { return 1; }
  [[nodiscard]] virtual int rank() const { return 0; }
  /// Replaces each value by its sum over ranks.
  virtual void sum(std::span<std::uint64_t> /*values*/) {}
  /// Sends part r to rank r; returns what came, by sender.
  [[nodiscard]] virtual Parts all_to_all(Parts parts) { return parts; }
  /// Asked often while a layer is worked on. False where the search is over on another rank, so
  /// that nobody needs what is left of the layer; what ranks do together next ends it here too.
  [[nodiscard]] virtual bool goes_on() { return true; }
  /// On rank 0: the others are to know.
  virtual void stop() {}
};

struct BeamResult {
  std::optional<std::string> moves;  ///< of a solution shorter than asked for
  std::uint64_t evaluated = 0;       ///< boards whose h was computed, on all ranks
  int layers = 0;                    ///< that were expanded
  std::optional<Stop> stop;
  double seconds = 0;
};

/// Runs on every rank of `exchange` alike. `limits` is looked at on rank 0 alone; its node limit
/// does not count evaluations. `observer` is shown the progress.
[[nodiscard]] BeamResult beam_search(const Problem& problem, const BeamOptions& options,
                                     ThreadTeam& team, BeamExchange& exchange, const Limits& limits,
                                     Observer& observer);

/// The same in this process alone.
[[nodiscard]] BeamResult beam_search(const Problem& problem, const BeamOptions& options,
                                     int threads, const Limits& limits, Observer& observer);

/// Beam searches by some set of workers. Unless overridden, in the calling thread.
class BeamExecutor {
 public:
  virtual ~BeamExecutor() = default;
  virtual BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                          Observer& observer) {
    return beam_search(problem, options, 1, limits, observer);
  }
  /// How many processes share the boards of a beam search of that width.
  [[nodiscard]] virtual int beam_ranks(std::uint64_t /*width*/) const { return 1; }
};

/// Bytes that a beam search takes on each of so many ranks.
[[nodiscard]] std::uint64_t beam_bytes(const Problem& problem, std::uint64_t width, int ranks);

}  // namespace tessera
