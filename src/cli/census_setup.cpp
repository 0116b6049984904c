// SPDX-License-Identifier: MIT
#include "cli/census_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"
#include "tessera/base/memory_limit.hpp"
#include "tessera/base/text.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {

static MemoryShare share_of_rank(const Context& context) {
  return memory_share(memory_limits(), std::max(1, context.ranks() / std::max(1, context.hosts())));
}

std::uint64_t memory_for_rank(const Config& config, const Context& context) {
  if (config.memory_bytes) return *config.memory_bytes;
  return share_of_rank(context).free_bytes / 10 * 9;
}

CensusDiskPlan disk_plan(const CensusTask& task, const Config& config, const Context& context,
                         int ranks, std::uint64_t memory_bytes) {
  int threads = 1;
  for (const RankPlace& place : context.places(config.threads)) {
    threads = std::max(threads, place.threads);
  }
  return census_disk_plan(task.size, task.metric, threads, memory_bytes, !task.checkpoint.empty(),
                          ranks);
}

void choose_storage(CensusTask& task, const Config& config, const Context& context) {
  const int ranks = context.ranks();
  const std::uint64_t need = census_memory_bytes(task.size, task.metric, ranks);
  const std::uint64_t there =
      std::min(memory_for_rank(config, context), share_of_rank(context).total_bytes);
  if (need <= there) return;
  if (config.disk) {
    task.disk = *config.disk;
    task.memory_bytes = there;
    const CensusDiskPlan plan = disk_plan(task, config, context, ranks, there);
    if (plan.batch_slabs == 0) {
      throw Error(
          ErrorKind::resource,
          fmt::format("census {} {}: a search on disk needs {} of memory{}, {} are {}",
                      to_string(task.size), to_string(task.metric), bytes_text(plan.least_memory),
                      ranks == 1 ? "" : fmt::format(" on each of {} ranks", ranks),
                      bytes_text(there), config.memory_bytes ? "allowed" : "free"));
    }
    // Of one rank's folder; what ranks share, and other hosts have, the search itself looks at.
    expect_room(task.disk, plan.disk_bytes);
    return;
  }
  const auto enough = census_ranks_for(task.size, task.metric, there);
  throw Error(
      ErrorKind::resource,
      fmt::format(
          "census {} {}: {} states need {} on each of {} rank{}, {} are {}{}", to_string(task.size),
          to_string(task.metric), census_states(task.size), bytes_text(need), ranks,
          ranks == 1 ? "" : "s", bytes_text(there), config.memory_bytes ? "allowed" : "free",
          enough ? fmt::format("; {} ranks with as much each suffice, or --disk FOLDER", *enough)
                 : "; no number of ranks with as much each suffices; try --disk "
                   "FOLDER"));
}

}  // namespace tessera
