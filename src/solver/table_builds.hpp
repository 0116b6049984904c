// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "pdb/table_store.hpp"

namespace tessera {

/// The tables being built by searches: each is built only once, and of large ones, which take
/// memory and all threads, one at a time. Small ones do not queue behind them.
class TableBuilds {
 public:
  explicit TableBuilds(std::uint64_t large_bytes) : large_bytes_(large_bytes) {}

  /// Waits until none of these is being built; null if `may_continue` ended the wait. Other
  /// searches wait as long as the claim lives.
  [[nodiscard]] std::shared_ptr<void> claim(const std::vector<TableRequest>& tables,
                                            const std::function<bool()>& may_continue) {
    std::vector<std::string> names;
    for (const TableRequest& table : tables) {
      names.push_back(file_name(table.key));
      // All large ones share one more name.
      if (table.cost.build_bytes >= large_bytes_) names.emplace_back("large");
    }
    const auto is_free = [&] {
      return std::ranges::none_of(names,
                                  [&](const std::string& name) { return claimed_.contains(name); });
    };
    constexpr std::chrono::milliseconds interval{50};
    std::unique_lock lock(mutex_);
    while (!released_.wait_for(lock, interval, is_free)) {
      if (!may_continue()) return nullptr;
    }
    claimed_.insert(names.begin(), names.end());
    return {this, [names](TableBuilds* builds) {
              const std::lock_guard relock(builds->mutex_);
              for (const std::string& name : names) builds->claimed_.extract(name);
              builds->released_.notify_all();
            }};
  }

 private:
  const std::uint64_t large_bytes_;  // memory of a large build
  std::mutex mutex_;
  std::condition_variable released_;
  std::multiset<std::string> claimed_;
};

}  // namespace tessera
