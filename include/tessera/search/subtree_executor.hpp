// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "tessera/search/execution.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/subtree_walk.hpp"
#include "tessera/search/task.hpp"
#include "tessera/search/worker_times.hpp"

namespace tessera {

/// Searches the subtrees of one board on some set of workers.
class SubtreeExecutor {
 public:
  virtual ~SubtreeExecutor() = default;
  /// A new board; what was known of the one before is dropped.
  virtual void begin(const Problem& problem) = 0;
  virtual Execution execute(std::span<const WorkItem> items, const Task& task,
                            Monitor& monitor) = 0;
  [[nodiscard]] virtual int workers() const = 0;
  /// Whether items are searched one after another in their order.
  [[nodiscard]] virtual bool in_order() const { return false; }
  /// search and communicate of each worker since `begin`; the caller fills in the rest.
  [[nodiscard]] virtual std::vector<WorkerTimes> times() = 0;
};

}  // namespace tessera
