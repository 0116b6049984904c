// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "search/backend.hpp"
#include "search/tree/subtree_walk.hpp"

namespace tessera {

/// Searches items one by one in the calling thread.
class SerialExecutor : public Backend {
 public:
  static constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  /// An execution is given up after it has expanded `most` nodes.
  explicit SerialExecutor(std::uint64_t most = any) : most_(most) {}

  void begin(const Problem& problem) override;
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] bool in_order() const override { return true; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {times_}; }

 private:
  class Run;

  std::uint64_t most_;
  std::unique_ptr<SubtreeSearch> search_;
  SubtreeCosts costs_;
  Pace pace_;
  Metric metric_ = Metric::single;
  WorkerTimes times_;
};

}  // namespace tessera
