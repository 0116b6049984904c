// SPDX-License-Identifier: MIT
#include "search/beam_threshold.hpp"

namespace tessera {
namespace {

constexpr int digit_bits = 12;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

// How many candidates of that h whose tie begins with `prefix` have each value of the next digit,
// which ends at bit `shift`.
std::vector<std::uint64_t> count_digits(std::size_t bin, std::uint64_t prefix, int shift, int bits,
                                        std::size_t shards, const VisitShard& visit_shard,
                                        ThreadTeam& team) {
  std::vector<std::vector<std::uint64_t>> by_thread(static_cast<std::size_t>(team.threads()));
  for (auto& counts : by_thread) counts.resize(digits);
  const int above = shift + bits;
  team.share(shards, [&](std::size_t shard, int thread) {
    auto& counts = by_thread[static_cast<std::size_t>(thread)];
    visit_shard(shard, [&](const BeamCandidate& candidate) {
      if (BeamHistogram::bin(candidate.h) != bin) return;
      const std::uint64_t tie = candidate.tie();
      if (above < 64 && tie >> above != prefix) return;
      ++counts[tie >> shift & ((std::uint64_t{1} << bits) - 1)];
    });
  });
  for (std::size_t thread = 1; thread < by_thread.size(); ++thread) {
    for (std::size_t i = 0; i < digits; ++i) by_thread[0][i] += by_thread[thread][i];
  }
  return std::move(by_thread[0]);
}

}  // namespace

BeamThreshold beam_threshold(std::span<const std::uint64_t> counts, std::uint64_t width,
                             std::size_t shards, const VisitShard& visit_shard, ThreadTeam& team,
                             BeamExchange& exchange) {
  BeamThreshold threshold;
  std::uint64_t wanted = width;  // of the bin that is cut
  std::size_t bin = 0;
  while (bin < counts.size() && counts[bin] < wanted) wanted -= counts[bin++];
  if (bin == counts.size()) return threshold;
  threshold.bin = bin;
  if (counts[bin] == wanted) return threshold;
  std::uint64_t prefix = 0;
  for (int shift = 64; shift > 0;) {
    const int bits = std::min(digit_bits, shift);
    shift -= bits;
    std::vector<std::uint64_t> next =
        count_digits(bin, prefix, shift, bits, shards, visit_shard, team);
    exchange.sum(next);
    std::size_t digit = 0;
    while (next[digit] < wanted) wanted -= next[digit++];
    prefix = prefix << bits | digit;
    threshold.tie = (prefix << shift) | ((std::uint64_t{1} << shift) - 1);
    if (next[digit] == wanted) break;
  }
  return threshold;
}

}  // namespace tessera
