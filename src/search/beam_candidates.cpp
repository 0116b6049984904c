// SPDX-License-Identifier: MIT
#include "search/beam_candidates.hpp"

#include <bit>
#include <cstring>

namespace tessera {

BeamCandidates::BeamCandidates(const BeamShares& shares, BeamCrew& crew, BeamExchange& exchange)
    : crew_(crew),
      exchange_(exchange),
      found_(crew.threads()),
      owned_(shares.shards()),
      kept_(shares.shards(), ByShard(ranks())) {
  for (ByShard& found : found_) found.resize(shares.shards() * ranks());
}

void BeamCandidates::swap() {
  if (ranks() > 1) return swap_over_ranks();
  for (ByShard& found : found_) {
    for (std::size_t shard = 0; shard < owned_.size(); ++shard) {
      owned_[shard].push_back(found[shard]);
    }
  }
}

// To each rank: how many candidates are for each of its shards, then all of them. Of each shard
// there is one span by rank in the end, empty where it has found nothing.
void BeamCandidates::swap_over_ranks() {
  const std::size_t shards = owned_.size();
  BeamExchange::Parts parts(ranks());
  std::vector<std::size_t> first(ranks() * shards);  // byte of the part, by shard
  for (std::size_t to = 0; to < ranks(); ++to) {
    std::vector<std::uint64_t> counts(shards);
    std::size_t bytes = shards * sizeof(std::uint64_t);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      for (const ByShard& found : found_) counts[shard] += found[to * shards + shard].size();
      first[to * shards + shard] = bytes;
      bytes += counts[shard] * sizeof(BeamCandidate);
    }
    parts[to].resize(bytes);
    std::memcpy(parts[to].data(), counts.data(), shards * sizeof(std::uint64_t));
  }
  crew_.share(ranks() * shards, [&](std::size_t shard, int) {
    std::byte* to = parts[shard / shards].data() + first[shard];
    for (ByShard& found : found_) {
      const std::size_t bytes = found[shard].size() * sizeof(BeamCandidate);
      if (bytes > 0) std::memcpy(to, found[shard].data(), bytes);
      to += bytes;
      found[shard].clear();
    }
  });
  received_ = exchange_.all_to_all(std::move(parts));
  for (std::vector<std::byte>& part : received_) {
    const auto* const counts = reinterpret_cast<const std::uint64_t*>(part.data());
    auto* candidates =
        reinterpret_cast<BeamCandidate*>(part.data() + shards * sizeof(std::uint64_t));
    for (std::size_t shard = 0; shard < shards; ++shard) {
      owned_[shard].push_back({candidates, counts[shard]});
      candidates += counts[shard];
    }
  }
}

BeamHistogram BeamCandidates::sift(const BeamSeen& seen) {
  std::vector<BeamHistogram> by_thread(crew_.threads());
  std::vector<std::vector<BeamCandidate*>> slots(by_thread.size());
  crew_.share_until_stopped(owned_.size(), [&](std::size_t shard, int thread) {
    const auto t = static_cast<std::size_t>(thread);
    drop_duplicates(shard, seen, slots[t]);
    visit(shard, [&](const BeamCandidate& candidate) { by_thread[t].add(candidate.h); });
  });
  for (std::size_t thread = 1; thread < by_thread.size(); ++thread) {
    for (std::size_t i = 0; i < BeamHistogram::bins; ++i) {
      by_thread[0].counts()[i] += by_thread[thread].counts()[i];
    }
  }
  return by_thread[0];
}

void BeamCandidates::drop_duplicates(std::size_t shard, const BeamSeen& seen,
                                     std::vector<BeamCandidate*>& slots) const {
  std::size_t count = 0;
  for (const Span span : owned_[shard]) count += span.size();
  slots.assign(std::bit_ceil(2 * count + 1), nullptr);
  const std::size_t mask = slots.size() - 1;
  for (const Span span : owned_[shard]) {
    for (BeamCandidate& candidate : span) {
      if (seen.holds(candidate.hash)) {
        candidate.alive = false;
        continue;
      }
      std::size_t place = candidate.hash & mask;
      while (slots[place] != nullptr && slots[place]->hash != candidate.hash) {
        place = (place + 1) & mask;
      }
      BeamCandidate*& first = slots[place];
      // The blank came from the lowest cell where it went farthest down or right.
      const bool wins = first == nullptr || candidate.direction > first->direction;
      if (first != nullptr) (wins ? first : &candidate)->alive = false;
      if (wins) first = &candidate;
    }
  }
}

BeamThreshold BeamCandidates::threshold(std::span<const std::uint64_t> counts,
                                        std::uint64_t width) {
  using Visit = std::function<void(const BeamCandidate&)>;
  return beam_threshold(
      counts, width, owned_.size(),
      [this](std::size_t shard, const Visit& use) { visit(shard, use); }, crew_.team(), exchange_);
}

void BeamCandidates::keep(const BeamThreshold& threshold, BeamSeen& seen, int layer) {
  crew_.share(owned_.size(), [&](std::size_t shard, int) {
    for (auto& kept : kept_[shard]) kept.clear();
    for (std::size_t i = 0; i < owned_[shard].size(); ++i) {
      for (const BeamCandidate& candidate : owned_[shard][i]) {
        if (!threshold.admits(candidate)) continue;
        kept_[shard][ranks() > 1 ? i : 0].push_back(candidate);
        seen.insert(candidate.hash, layer);
      }
    }
    owned_[shard].clear();
  });
  received_.clear();
  for (ByShard& found : found_) {
    for (auto& candidates : found) candidates.clear();
  }
}

std::optional<BeamCandidates::Goal> BeamCandidates::goal() const {
  std::optional<Goal> goal;
  for (std::size_t shard = 0; shard < owned_.size(); ++shard) {
    for (std::size_t i = 0; i < owned_[shard].size(); ++i) {
      for (const BeamCandidate& candidate : owned_[shard][i]) {
        if (!candidate.alive || candidate.h != BeamCandidate::goal_h) continue;
        goal = {candidate, ranks() > 1 ? i : 0};
      }
    }
  }
  return goal;
}

}  // namespace tessera
