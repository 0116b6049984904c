// SPDX-License-Identifier: MIT
#include "serve/table_builds.hpp"

#include <algorithm>
#include <chrono>

namespace tessera {

std::shared_ptr<void> TableBuilds::claim(const std::vector<TableRequest>& tables,
                                         const std::function<bool()>& goes_on) {
  std::vector<std::string> names;
  for (const TableRequest& table : tables) {
    names.push_back(file_name(table.key));
    // All large ones share a name, too.
    if (table.cost.build_bytes >= large_bytes_) names.emplace_back("large");
  }
  const auto is_free = [&] {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return claimed_.contains(name); });
  };
  constexpr std::chrono::milliseconds interval{50};
  std::unique_lock lock(mutex_);
  while (!released_.wait_for(lock, interval, is_free)) {
    if (!goes_on()) return nullptr;
  }
  claimed_.insert(names.begin(), names.end());
  return {this, [names](TableBuilds* builds) {
            const std::lock_guard relock(builds->mutex_);
            for (const std::string& name : names) builds->claimed_.extract(name);
            builds->released_.notify_all();
          }};
}

}  // namespace tessera
