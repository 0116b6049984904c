// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "search/beam_board.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {

/// How many boards of a layer have each h, the goal before all others.
class BeamHistogram {
 public:
  static constexpr std::size_t bins = 1024;  ///< the last one for all that is beyond
  static std::size_t bin(int h) {
    return std::min(static_cast<std::size_t>(h - BeamCandidate::goal_h), bins - 1);
  }
  void add(int h) { ++counts_[bin(h)]; }
  [[nodiscard]] std::span<std::uint64_t, bins> counts() { return counts_; }

 private:
  std::array<std::uint64_t, bins> counts_{};
};

/// Which candidates are kept: those of a smaller h, and of that h those of at most that tie.
struct BeamThreshold {
  std::size_t bin = BeamHistogram::bins;
  std::uint64_t tie = ~std::uint64_t{0};

  [[nodiscard]] bool admits(const BeamCandidate& candidate) const {
    const std::size_t own = BeamHistogram::bin(candidate.h);
    return candidate.alive && (own < bin || (own == bin && candidate.tie() <= tie));
  }
};

/// Calls back with every candidate of a rank's shard that is alive.
using VisitShard =
    std::function<void(std::size_t shard, const std::function<void(const BeamCandidate&)>& visit)>;

/// The threshold that exactly `width` candidates of all ranks pass, all where there are fewer.
/// `counts` is the histogram over all ranks. Ties are cut by counting their bits from the top,
/// which costs ranks a sum of 32 KiB for every 12 bits: two or three as a rule.
[[nodiscard]] BeamThreshold beam_threshold(std::span<const std::uint64_t> counts,
                                           std::uint64_t width, std::size_t shards,
                                           const VisitShard& visit_shard, ThreadTeam& team,
                                           BeamExchange& exchange);

}  // namespace tessera
