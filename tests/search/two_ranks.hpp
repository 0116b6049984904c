// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/backend.hpp"

namespace tessera {

/// Two ranks of which only the times show: the calling thread works for both. Runs no subtrees.
class TwoRanks final : public Backend {
 public:
  explicit TwoRanks(int beam_ranks) : beam_ranks_(beam_ranks) {}

  void begin(const Problem& /*problem*/) override {}
  Execution execute(std::span<const WorkItem> /*items*/, const Task& /*task*/,
                    Monitor& /*monitor*/) override {
    return {};
  }
  [[nodiscard]] int workers() const override { return 2; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {{.rank = 0}, {.rank = 1}}; }
  [[nodiscard]] int beam_ranks(std::uint64_t /*width*/) const override { return beam_ranks_; }

 private:
  SearchResult search_stored(const Problem& problem, const BestFirstOptions& options,
                             const Limits& limits, Observer& observer) override {
    SearchResult result = Backend::search_stored(problem, options, limits, observer);
    result.times = {{.rank = 0, .search = result.seconds}, {.rank = 1, .search = result.seconds}};
    return result;
  }

  int beam_ranks_;
};

}  // namespace tessera
