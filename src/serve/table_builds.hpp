// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// The tables that searches build at the moment: each is built once, and of large ones, which take
/// memory and all threads, one at a time. Small ones do not queue behind them.
class TableBuilds {
 public:
  explicit TableBuilds(std::uint64_t large_bytes) : large_bytes_(large_bytes) {}

  /// Waits until nobody builds any of these; null where `goes_on` said that the wait is over.
  /// Others wait as long as the claim lives.
  [[nodiscard]] std::shared_ptr<void> claim(const std::vector<TableRequest>& tables,
                                            const std::function<bool()>& goes_on);

 private:
  const std::uint64_t large_bytes_;  // memory of a large build
  std::mutex mutex_;
  std::condition_variable released_;
  std::multiset<std::string> claimed_;
};

}  // namespace tessera
