// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "base/thread_ranks.hpp"
#include "published_widths.hpp"

namespace tessera {

struct NoticeListener final : CensusObserver {
  void notice(const std::string& text) override { notices.push_back(text); }
  // Within the level to stop at, whose end is waited for.
  void level_finished(int depth, std::uint64_t) override { stop = depth + 1 == stop_at; }
  std::vector<std::string> notices;
  int stop_at = -1;
  std::atomic<bool> stop{false};
};

class KeptSearch : public ::testing::TestWithParam<Metric> {
 protected:
  KeptSearch() {
    task_.size = {4, 3};
    task_.metric = GetParam();
    task_.checkpoint = folder_.text();
    task_.checkpoint_seconds = 1000;
    task_.resume = true;
    for (const PublishedWidths& table : published_widths(12, 12)) {
      if (table.task.size == task_.size && table.task.goal_blank == 0 &&
          table.task.metric == task_.metric) {
        widths_ = table.widths;
      }
    }
  }

  // With so many ranks, to the end or until that depth is finished.
  CensusResult run(int ranks, int stop_at = -1) {
    listener_.stop_at = stop_at;
    listener_.stop = stop_at == depth_ + 1;
    listener_.notices.clear();
    CensusResult result;
    ThreadRanks(ranks).run([&](Ranks& job) {
      CensusObserver nobody;
      const bool first = job.rank() == 0;
      const CensusResult own = run_census(
          task_, job, first ? static_cast<CensusObserver&>(listener_) : nobody, listener_.stop);
      if (first) result = own;
    });
    depth_ = static_cast<int>(result.widths.size()) - 1;
    return result;
  }

  [[nodiscard]] std::vector<std::string> files(const std::string& part) const {
    std::vector<std::string> names;
    for (const std::string& name : folder_.entries()) {
      if (name.find(part) != std::string::npos) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    return content_of(folder_.path() / name);
  }

  // Empty: in memory.
  void on_disk(const std::string& folder, int ranks) {
    task_.disk = folder;
    task_.memory_bytes =
        census_disk_plan(task_.size, task_.metric, 1, 0, CheckpointPlace::nowhere, ranks)
            .least_memory;
  }

  TemporaryFolder folder_;
  CensusTask task_;
  std::vector<std::uint64_t> widths_;
  NoticeListener listener_;
  int depth_ = 0;  // of the last run's end
};

inline const auto both_metrics = ::testing::Values(Metric::single, Metric::multi);

inline std::string metric_name(const ::testing::TestParamInfo<Metric>& tested) {
  return std::string(to_string(tested.param));
}

}  // namespace tessera
